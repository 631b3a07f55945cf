"""The families of constraints in a flat MPS file, and an indexed formulation that gives it back.

...
40 variables in 1 group, 13 constraints in 2 families, 80 coefficients.
...
### capacity[i] for all i in I

sum over j in J of ship[i, j]
<= rhs_capacity
...
"""

import highspy

from ordojo.structures import abstract, read_flat
from ordojo.structures.formulation import formulate, model_md

plants, cities = range(5), range(8)
h = highspy.Highs()
h.silent()
ship = {
    (p, c): h.addVariable(obj=1 + p * c % 7, name=f"ship_{p}_{c}") for p in plants for c in cities
}
for p in plants:
    h.addConstr(sum(ship[p, c] for c in cities) <= 40, name=f"capacity_{p}")
for c in cities:
    h.addConstr(sum(ship[p, c] for p in plants) >= 20, name=f"demand_{c}")
h.writeModel("transport.mps")

flat = read_flat("transport.mps")
print(model_md(formulate(flat, abstract(flat))))
