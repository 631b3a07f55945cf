"""OR-Debug-Bench as its authors published it: their instances, their protocol, their records."""
