"""Who sells what, once: the settings of the stories."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """A seller of one perishable thing: its plural `items` and one `item`, the selling `period`,
    two openings, and what becomes of an unsold item (after "an unsold item ...").
    """

    item: str
    items: str
    period: str
    openings: tuple[str, str]
    leftover: str


TRADES = (
    Trade(
        "cake",
        "celebration cakes",
        "Saturday",
        (
            "A bakery bakes celebration cakes on Friday night for a single Saturday of trade.",
            "Marta's bakery must say tonight how many celebration cakes go into the oven for "
            "Saturday.",
        ),
        "goes to a canteen",
    ),
    Trade(
        "bundle",
        "bundles of Sunday newspapers",
        "Sunday",
        (
            "A kiosk at the central station takes its Sunday newspapers in bundles, ordered once.",
            "The owner of a newsstand orders bundles of Sunday newspapers and cannot reorder "
            "during the day.",
        ),
        "is taken back by the publisher",
    ),
    Trade(
        "dose",
        "doses of influenza vaccine",
        "season",
        (
            "A travel clinic orders influenza vaccine once, months before the season starts.",
            "Before the influenza season a pharmacy commits to a number of vaccine doses; no later "
            "delivery is possible.",
        ),
        "is returned to the manufacturer",
    ),
    Trade(
        "T-shirt",
        "festival T-shirts",
        "festival",
        (
            "The organisers of a music festival have this year's T-shirts printed in one run.",
            "A printer needs the final number of festival T-shirts a month ahead, and the motif is "
            "good for one year only.",
        ),
        "is sold to a textile recycler",
    ),
    Trade(
        "crate",
        "crates of strawberries",
        "market day",
        (
            "A market stall buys crates of strawberries at dawn and sells them during the day.",
            "At four in the morning a greengrocer buys strawberries by the crate for one market "
            "day.",
        ),
        "is sold to a jam kitchen",
    ),
    Trade(
        "tree",
        "Christmas trees",
        "December sale",
        (
            "A garden centre orders cut Christmas trees in October for its December sale.",
            "A youth club sells Christmas trees every December and places one order with a grower.",
        ),
        "is chipped for mulch",
    ),
    Trade(
        "box",
        "boxes of tulips",
        "weekend",
        (
            "A florist orders boxes of tulips at the auction for one weekend.",
            "Tulips come to the flower shop by the box, once, and last a weekend.",
        ),
        "goes to a hotel at a clearance price",
    ),
    Trade(
        "calendar",
        "wall calendars",
        "turn of the year",
        (
            "A bookshop orders next year's wall calendars in a single batch.",
            "A museum has its wall calendar printed once, for sale around the turn of the year.",
        ),
        "is sold off in January",
    ),
    Trade(
        "box",
        "boxes of oysters",
        "evening",
        (
            "A harbour restaurant buys boxes of oysters each morning for the same evening.",
            "The chef of an oyster bar rings the supplier once a day, before she knows who will "
            "come.",
        ),
        "is used up in soup",
    ),
    Trade(
        "jersey",
        "final-game jerseys",
        "final",
        (
            "A sports shop orders jerseys with the date of the cup final on them.",
            "For the cup final a fan club orders dated jerseys, which nobody wants afterwards.",
        ),
        "is sold from the bargain bin",
    ),
    Trade(
        "jacket",
        "ski jackets",
        "winter",
        (
            "A fashion house orders this winter's ski jackets from its sewing factory in spring.",
            "The lead time of a ski jacket is longer than the winter, so a retailer orders once.",
        ),
        "is cleared through an outlet",
    ),
    Trade(
        "costume",
        "carnival costumes",
        "carnival",
        (
            "A costume shop orders one design for this year's carnival.",
            "Carnival costumes are ordered overseas in autumn; by carnival it is too late to "
            "reorder.",
        ),
        "is sold to a theatre",
    ),
    Trade(
        "hamper",
        "picnic hampers",
        "open-air concert",
        (
            "A caterer packs picnic hampers for an open-air concert and must fix the number a day "
            "before.",
            "For one open-air concert a delicatessen prepares picnic hampers in advance.",
        ),
        "is sold to the staff",
    ),
    Trade(
        "set",
        "firework sets",
        "New Year's sale",
        (
            "A supermarket may sell fireworks for three days a year and orders sets once.",
            "A wholesaler takes orders for firework sets until November and delivers once, for the "
            "New Year's sale.",
        ),
        "is bought back by the wholesaler",
    ),
    Trade(
        "textbook",
        "course textbooks",
        "semester",
        (
            "A campus shop orders the textbook of one course, whose edition changes every year.",
            "The university bookshop orders course textbooks before it knows the enrolment.",
        ),
        "is bought by a second-hand dealer",
    ),
    Trade(
        "crate",
        "crates of mackerel",
        "auction morning",
        (
            "A fishmonger buys mackerel by the crate before the shop opens.",
            "Crates of mackerel are bought at the quay at three o'clock, for the same morning.",
        ),
        "is sold as bait",
    ),
)
