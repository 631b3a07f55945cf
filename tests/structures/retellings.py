"""Retellings of six models in ordinary words: five right ones each, and five wrong in one fact.

`TUNED` are those on which phrases and checks were first written; `HELD` were written before that,
and measured once, after it: 6 of 15 right ones passed, 15 of 15 wrong ones were refused. What the
others showed was mended then, so that no list here is unseen any more. A wrong text is a right one
with a change, and what the refusal has to name.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wrong:
    """A right text, by its place, in which `old` became `new`; `names` is part of a reason."""

    of: int
    old: str
    new: str
    names: str

    def text(self, right: tuple[str, ...]) -> str:
        """The wrong text."""
        said = " ".join(right[self.of].split())
        assert said.count(self.old) == 1, self.old
        return said.replace(self.old, self.new)


Retold = tuple[tuple[str, ...], tuple[Wrong, ...]]

STEINER: Retold = (
    (
        """A club has 27 members, numbered from 1 to 27. Some triples of members are listed in
data/III.csv, a row (i, j, k) for each. The club wants to pick a committee: for every member
decide whether he or she is on it or not. Of each listed triple at least one member must be
picked, and the committee must have at least 13 members. Make the committee as small as possible.
""",
        """A city wants to open as few of its 27 sites as possible, with at least 13 of them open.
Each site is opened or not. The file data/III.csv lists groups of three sites (columns i, j, k);
every such group needs an open site. Sites are numbered 1 through 27.
""",
        """There are {last_I} switches in a row. Every switch is either on or off, and we want to
turn on the smallest number of them. data/III.csv has one line per circuit with the three switches
i, j and k on it, and no circuit may be left without a switch that is on. In addition, {rhs_OB} or
more switches have to be on.
""",
        """Twenty-seven guards are available, and fewer than thirteen cannot be on duty. A guard
is on duty or not, all or nothing. Each line of data/III.csv names three guards i, j and k that
share a gate: each gate requires one or more of its guards. How can one get by with the least
number of guards on duty?
""",
        """Pick some of 27 stones. data/III.csv lists trios of stones (i, j, k), and from each
trio you have to take a stone or more. Take no fewer than 13 stones altogether. A stone is taken
or left; try to take as few stones as you can.
""",
    ),
    (
        Wrong(0, "at least 13 members", "at least 12 members", "12"),
        Wrong(
            1,
            "as few of its 27 sites as possible",
            "as many of its 27 sites as possible",
            "minimize",
        ),
        Wrong(2, "In addition, {rhs_OB} or more switches have to be on.", "", "rhs_OB"),
        Wrong(
            3,
            "A guard is on duty or not, all or nothing.",
            "A guard may be on duty for any part of the time.",
            "yes or no",
        ),
        Wrong(4, "try to take", "no two stones of one colour are taken, and try to take", "no two"),
    ),
)

KITCHENS: Retold = (
    (
        """Ten customers order from a caterer who could run up to 2 of 5 kitchens. data/IJ.csv
tells in column cost_supplied what it costs to serve customer i from kitchen j; opening kitchen j
costs cost_opened of data/J.csv. A customer needs coef_kitchen_capacity_supplied (data/I.csv) of
the room of a kitchen, which has rhs_kitchen_capacity (data/J.csv) of it and cannot take more.
Every customer is served by a single kitchen, and by one that is open only. Which kitchens are to
be opened or not, and which customer goes where or does not, so that the whole costs as little as
possible?
""",
        """We have {last_I} schools and {last_J} possible canteen kitchens. For each kitchen we
say yes or no to opening it, and for each school and kitchen we say yes or no to supplying the one
from the other. No school may be supplied by a closed kitchen, and every school gets its meals
from exactly one. The meals of school i are coef_kitchen_capacity_supplied in data/I.csv; those of
the schools of kitchen j must fit within its rhs_kitchen_capacity of data/J.csv. No more than
{rhs_kitchen_limit} kitchens can be opened. Costs are cost_supplied in data/IJ.csv for a school
and its kitchen, and cost_opened in data/J.csv for an opened kitchen; keep their total down to a
minimum.
""",
        """Decide which of 5 depots to open and which depot each of 10 shops is assigned to. A
depot is either opened or not; a shop is either assigned to a depot or not. It has to be assigned
to one and only one depot, and it can only be assigned to a depot that is opened. At most two
depots may be opened. The load of shop i is given by coef_kitchen_capacity_supplied in data/I.csv,
and the total load on depot j is limited by rhs_kitchen_capacity in data/J.csv. We pay
cost_opened[j] (data/J.csv) for every opened depot, and cost_supplied[i, j] (data/IJ.csv) for
every assignment. Find the cheapest plan.
""",
        """A bakery chain has ten orders and five ovens. Lighting oven j is a yes-or-no choice and
costs cost_opened (data/J.csv). Whether order i is baked in oven j is another, at cost_supplied
(data/IJ.csv). An order is baked in just one oven, never in one that is not lit. Order i takes
coef_kitchen_capacity_supplied trays (data/I.csv), and an oven has no more trays than
rhs_kitchen_capacity (data/J.csv). Lighting more than two ovens is impossible. The bakery would
like to spend the least money.
""",
        """Of 5 garages a fleet may rent a maximum of 2. Each of its 10 cars must be parked in
exactly one garage, and only rented garages can be used. A car is parked in a garage or not, a
garage is rented or not. Garage j has space for rhs_kitchen_capacity (data/J.csv) at most, of
which car i takes up coef_kitchen_capacity_supplied (data/I.csv). Rent is cost_opened
(data/J.csv), parking car i in garage j costs cost_supplied (data/IJ.csv). Total cost should be as
low as it can be.
""",
    ),
    (
        Wrong(0, "and by one that is open only", "in full", "only_if_opened"),
        Wrong(
            1, "gets its meals from exactly one", "gets its meals from at least one", "one_kitchen"
        ),
        Wrong(2, "At most two depots", "At most three depots", "3"),
        Wrong(
            3,
            "The bakery would like",
            "Ovens one and two must not be lit both. The bakery would like",
            "must not",
        ),
        Wrong(4, "should be as low as it can be", "should be as high as it can be", "minimize"),
    ),
)

DIET: Retold = (
    (
        """A hospital plans a menu from six foods, numbered 1 to 6, and looks after 3 nutrients.
How much of each food to serve is to be decided: any amount that is not negative, but no more than
upper_serve in data/I.csv says. A serving of food i costs cost_serve (data/I.csv), and the menu
should be as cheap as possible. For every nutrient j, the content coef_nutrient_need_serve of
data/JI.csv has to add up to rhs_nutrient_need of data/J.csv or more. Energy,
coef_energy_floor_serve in data/I.csv, must be 9,100 or higher in total, and it must stay below or
at 11,650. The foods of data/I1.csv share a cold room that holds 14 servings at most.
""",
        """Six feeds can be mixed. Feed i has a price cost_serve, an energy
coef_energy_floor_serve and a largest amount upper_serve that can be bought, all in data/I.csv.
You cannot use less than nothing of a feed, nor more than that largest amount. The mix must supply
at least {rhs_energy_floor} units of energy and at most {rhs_energy_ceiling}. Each of the {last_J}
minerals has a requirement rhs_nutrient_need (data/J.csv) that must be met; data/JI.csv gives in
coef_nutrient_need_serve what a unit of feed i holds of mineral j. Feeds listed in data/I1.csv are
kept cool, and there is space for only {rhs_cold_room} units of them. Spend as little as you can
on the {last_I} feeds.
""",
        """Minimise the cost of a diet of 6 dishes with 3 vitamins. Dish i costs cost_serve per
portion and may be served upper_serve times at the most (data/I.csv); portions may be fractional,
but negative portions make no sense. Vitamin j requires no less than rhs_nutrient_need
(data/J.csv), with coef_nutrient_need_serve (data/JI.csv) in a portion of dish i. The energy of
the diet, by coef_energy_floor_serve (data/I.csv), has to lie at or above 9100 and may not go over
11650. Dishes of the list data/I1.csv may not be more than 14 portions together.
""",
        """Our camp buys up to upper_serve kilos (data/I.csv) of each of six things to eat, and
none of them in negative amounts. It wants to pay as little as it has to; a kilo costs cost_serve
(data/I.csv). What it buys has to give the campers a minimum of rhs_nutrient_need (data/J.csv) of
each of three nutrients, where data/JI.csv lists coef_nutrient_need_serve per kilo. The energy
adds up by coef_energy_floor_serve of data/I.csv: less than 9100 is too little, and anything
beyond 11650 is too much. Of the things in data/I1.csv, 14 kilos is the most that can be stored.
""",
        """There are {last_I} ingredients and {last_J} nutrients. Choose the amount of every
ingredient, zero or more, with upper_serve of data/I.csv as its ceiling. The bill, cost_serve of
data/I.csv for each unit, is to be kept to a minimum. Needs of nutrients (rhs_nutrient_need,
data/J.csv) have to be covered by contents (coef_nutrient_need_serve, data/JI.csv). As to energy
(coef_energy_floor_serve, data/I.csv), the sum is not to fall short of {rhs_energy_floor} nor to
exceed {rhs_energy_ceiling}. The sum over the ingredients of data/I1.csv is not to exceed
{rhs_cold_room}.
""",
    ),
    (
        Wrong(0, "14 servings at most", "15 servings at most", "15"),
        Wrong(1, ", nor more than that largest amount", "", "upper bound of `serve`"),
        Wrong(2, "has to lie at or above 9100 and", "", "energy_floor"),
        Wrong(
            3,
            "and none of them in negative amounts",
            "in whole kilos only, and none of them in negative amounts",
            "whole kilos",
        ),
        Wrong(4, "have to be covered by", "must not exceed the", "nutrient_need"),
    ),
)

TUNED: dict[str, Retold] = {"stein27": STEINER, "facility_location": KITCHENS, "diet": DIET}

JOBS: Retold = (
    (
        """Five people share thirty jobs. If person i does job j, that earns cost_x and takes
coef_b_capa_x hours, both in data/IJ.csv; person i works rhs_b_capa hours (data/I.csv) and no
longer. Every job is done by exactly one person. A person does a job or does not, there is no
sharing. What is the largest total that they can earn?
""",
        """Assign {last_J} tasks to {last_I} machines, each task to one machine and no other. For
a machine and a task the question is yes or no. data/IJ.csv gives a profit cost_x and a time
coef_b_capa_x for machine i and task j. The time on machine i must not go beyond rhs_b_capa of
data/I.csv. Make the profit as big as possible.
""",
        """For each of 30 parcels we choose precisely one of 5 vans. The weight of parcel j in van
i is coef_b_capa_x in data/IJ.csv, and van i can carry rhs_b_capa in data/I.csv at most. A parcel
rides in a van or it does not. Putting parcel j into van i is worth cost_x in data/IJ.csv, and we
would like the total worth to be as high as it gets.
""",
        """A dean has 5 lecturers and 30 courses. Each course has to be given by a single
lecturer. Whether lecturer i gives course j is to be decided. It scores cost_x (data/IJ.csv), and
takes coef_b_capa_x (data/IJ.csv) of the lecturer's time, of which there is only rhs_b_capa
(data/I.csv). The dean is after the highest total score.
""",
        """There are thirty crates and five ships. Every crate goes onto one and only one ship: it
is either loaded there or not. Ship i holds up to rhs_b_capa (data/I.csv), and crate j fills
coef_b_capa_x (data/IJ.csv) of it. The freight paid is cost_x (data/IJ.csv). Load the ships so
that as much freight as possible is earned.
""",
    ),
    (
        Wrong(0, "Every job is done by exactly one person.", "", "m_job"),
        Wrong(
            1,
            "Make the profit as big as possible",
            "Make the profit as small as possible",
            "maximize",
        ),
        Wrong(
            2,
            "A parcel rides in a van or it does not.",
            "Any share of a parcel may ride in a van.",
            "yes or no",
        ),
        Wrong(
            3,
            "The dean is after",
            "No lecturer should give more than 7 courses. The dean is after",
            "7",
        ),
        Wrong(
            4,
            "Ship i holds up to rhs_b_capa (data/I.csv)",
            "Ship i must be filled with at least rhs_b_capa (data/I.csv)",
            "b_capa",
        ),
    ),
)

PROJECTS: Retold = (
    (
        """A ministry looks at 15 projects. Each is either funded or rejected. Funding project i
brings cost_chosen points, and the ministry wants to collect as many points as possible. It costs
coef_money_chosen, and there are only 350 to spend; it takes coef_staffing_chosen people, and only
42 can be hired at most; it saves coef_emissions_chosen of emissions, and 83 or more have to be
saved. All these are columns of data/I.csv. At least four projects are to be funded. Some projects
are variants of one another: data/JI.csv lists for each of six families j its projects i, and of a
family no more than one is funded.
""",
        """For each of {last_I} proposals say yes or no. data/I.csv has the gain cost_chosen, the
price coef_money_chosen, the staff coef_staffing_chosen and the reduction of emissions
coef_emissions_chosen of proposal i. The prices of those accepted must not exceed {rhs_money} and
their staff must not exceed {rhs_staffing}. The reductions must come to {rhs_emissions} or more,
and {rhs_enough} proposals or more must be accepted. data/JI.csv says which proposals i compete
for each of the {last_J} slots j; a slot is given to at most one. The total gain is to be as great
as possible.
""",
        """Which of 15 houses should be renovated? A house is renovated or left as it is. The aim
is the most comfort in total, cost_chosen in data/I.csv. The budget is 350, and the sum of the
prices coef_money_chosen (data/I.csv) has to stay within the budget of 350. The hours
coef_staffing_chosen (data/I.csv) may reach 42 but not go above. Savings coef_emissions_chosen
(data/I.csv) need to reach 83. No fewer than 4 houses are renovated. Each of the 6 streets j of
data/JI.csv can have one of its houses i renovated at most.
""",
        """We pick songs for a record out of 15. A song is in or out. Its appeal is cost_chosen,
and we maximise the appeal of the record. Together the songs we pick may cost up to 350
(coef_money_chosen) and last up to 42 (coef_staffing_chosen); their energy (coef_emissions_chosen)
shall be 83 at the least. These columns are in data/I.csv. We need 4 songs or more. data/JI.csv
lists for 6 styles j the songs i in them: two of the same style are not allowed.
""",
        """An investor chooses among 15 shares, all or nothing for each. She wants the highest
total of cost_chosen. The total of coef_money_chosen is capped at 350, that of
coef_staffing_chosen at most 42, and that of coef_emissions_chosen must not drop below 83 (all in
data/I.csv). She takes at least 4 shares, and from each of the 6 sectors j of data/JI.csv at most
one of the shares i listed there.
""",
    ),
    (
        Wrong(0, "there are only 350 to spend", "there are only 360 to spend", "360"),
        Wrong(
            1, "a slot is given to at most one", "a slot is given to at least one", "one_variant"
        ),
        Wrong(
            2, "No fewer than 4 houses are renovated.", "Four houses are corner houses.", "enough"
        ),
        Wrong(
            3,
            "We need 4 songs or more.",
            "We need 4 songs or more. The first song must be a short one.",
            "must be",
        ),
        Wrong(4, "all or nothing for each", "in any proportion for each", "yes or no"),
    ),
)

HUBS: Retold = (
    (
        """Two plants send goods to two hubs, and from there they go on to three shops. How much
goes from plant i to hub j is bought at cost_bring (data/IJ.csv) a ton and may be at most
upper_bring (data/IJ.csv); from hub j to shop k it is cost_send (data/JK.csv) a ton and at most
upper_send (data/JK.csv). No amount is below zero. A plant has 75 tons and no more. Hub j has
space for rhs_hub_space (data/J.csv) at most, and everything that comes in goes out again: both
are equal. Shop k wants rhs_need_met (data/K.csv) or more. At least 110 tons are to leave the
plants. Do all this as cheaply as possible.
""",
        """Oil flows from {last_I} wells through {last_J} refineries to {last_K} towns. On the
line from well i to refinery j a barrel costs cost_bring, and the line takes no more than
upper_bring barrels (data/IJ.csv). On the line from refinery j to town k a barrel costs cost_send,
and the line takes no more than upper_send barrels (data/JK.csv). Flows cannot be negative. A well
gives up to {rhs_supply_limit} barrels, and all wells together have to give a minimum of
{rhs_plants_minimum}. What flows into a refinery cannot exceed rhs_hub_space (data/J.csv), and it
matches what flows out. Town k must receive no less than rhs_need_met (data/K.csv). Minimize the
cost of all flows.
""",
        """Each of 2 farms can deliver 75 loads at most, through 2 markets, to 3 cities; together
the farms deliver 110 loads or more. Loads are never negative. From farm i to market j up to
upper_bring loads are brought for cost_bring each (data/IJ.csv), and from market j to city k up to
upper_send loads are sent for cost_send each (data/JK.csv). Market j is limited to rhs_hub_space
loads (data/J.csv). The loads brought to a market equal the loads sent from it. The need
rhs_need_met (data/K.csv) of each city must be satisfied. We are looking for the cheapest way.
""",
        """A wholesaler moves wine from 2 estates over 2 cellars to 3 towns and would like to pay
the least. Estates bring wine to cellars, cost_bring a bottle and upper_bring bottles at most
(data/IJ.csv); cellars send it to towns, cost_send a bottle and upper_send bottles at most
(data/JK.csv). One cannot bring or send a negative amount. No estate has more than 75 bottles, yet
the estates have to part with at least 110 in all. A cellar takes no more than rhs_hub_space
(data/J.csv), and sends exactly what it was brought. A town gets at least rhs_need_met
(data/K.csv).
""",
        """Water is pumped from 2 lakes to 2 towers and from the towers to 3 villages. The pump
from lake i to tower j may move anything between 0 and upper_bring (data/IJ.csv), at cost_bring;
the one from tower j to village k anything between 0 and upper_send (data/JK.csv), at cost_send.
Not more than 75 can be taken from any lake, but 110 or more from both. Inflow and outflow of a
tower are the same, and its inflow stays below or equal to rhs_hub_space (data/J.csv). Village k
uses at least rhs_need_met (data/K.csv). Costs should be as small as possible.
""",
    ),
    (
        Wrong(0, "A plant has 75 tons and no more.", "A plant has plenty.", "supply_limit"),
        Wrong(1, "and it matches what flows out", "and is more than what flows out", "hub_flow"),
        Wrong(2, "110 loads or more", "120 loads or more", "120"),
        Wrong(3, "A town gets at least", "A town gets at most", "need_met"),
        Wrong(
            4,
            "Costs should be",
            "Only one of the pumps of a tower may run. Costs should be",
            "one of",
        ),
    ),
)

HELD: dict[str, Retold] = {"gap4_2": JOBS, "project_budget": PROJECTS, "transshipment": HUBS}
