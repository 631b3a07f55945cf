"""The solvers behind the service, each from a Problem to a Result."""
