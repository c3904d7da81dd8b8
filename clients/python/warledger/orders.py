"""Standing orders as commands: what a seat says in advance so that it is not asked.

    from warledger import orders

    game.submit("blue", orders.ocs("defence-supply", "pay", keep=4, at="11.07", once=True))
    game.submit("us", orders.downfall("advance", "nobody", units=["us-i-25"]))

`at`, `units` and `once` limit an order to a hex, to units, to one combat. Each ruleset has a function of its own, since
its orders differ. What an order does, and how it may be limited, is in the ruleset's page. The server knows whether an
order can be given; these functions raise ValueError only for what could not be written.
"""

import re
from collections.abc import Iterable
from typing import Literal

OcsOrder = Literal[
    "attack-supply", "defence-supply", "lead", "terrain", "attack-losses", "defence-losses", "retreat", "advance",
    "react", "intercept", "pass", "usual", "loses", "store", "keep", "grounded", "air-combat",
    "beach", "displace", "refuge", "yield", "restock", "feed"]
OcsValue = Literal[
    "", "ask", "drop", "pay", "nothing", "best", "retreats", "steps", "cheapest", "must", "all", "nobody", "never",
    "first", "last", "stay", "end", "give", "table", "fight", "nearest", "farthest", "ordinary", "organic", "always"]
DownfallOrder = Literal[
    "support", "bombard", "fire", "abort", "retreat", "withdraw", "advance", "bombs", "losses", "zones", "remove",
    "air-supply", "division", "pass", "forced", "all"]
Submarines = Literal["", "strike", "submerge"]
Consent = Literal["always", "never", "ask"]

# The values of each order of OCS; their numbers in notation count from 1.
_OCS: dict[str, tuple[str, ...]] = {
    "attack-supply": ("pay",), "defence-supply": ("nothing", "pay"),
    "lead": ("best",), "terrain": ("best",),
    "attack-losses": ("retreats", "steps"), "defence-losses": ("retreats", "steps"),
    "retreat": ("cheapest",), "advance": ("must", "all"),
    "react": ("nobody",), "intercept": ("never", "best"), "pass": ("end",), "usual": ("give", "all"),
    "loses": ("first", "last"), "store": ("never", "first", "last"), "keep": (),
    "grounded": ("stay",), "air-combat": ("first",), "beach": ("table", "fight"),
    "displace": ("nearest", "farthest"), "refuge": ("first",), "yield": ("ordinary", "organic"), "restock": ("first",),
    "feed": ("never", "always")}

# The choices of each order of Downfall; zones takes the ids of zones too.
_DOWNFALL: dict[str, tuple[str, ...]] = {
    "support": ("none", "air", "naval", "both"), "bombard": ("none", "weakest", "strongest"),
    "fire": ("weakest", "strongest"), "abort": ("never", "eliminated", "always"),
    "retreat": ("never", "eliminated", "always"), "withdraw": ("safest",), "advance": ("nobody", "all"),
    "bombs": ("none",), "losses": ("weakest", "strongest"), "zones": ("evenly",), "remove": ("fullest", "emptiest"),
    "air-supply": ("none", "most"), "division": ("keep",), "pass": ("end",), "forced": (), "all": ("usual",)}


def ocs(
    order: OcsOrder,
    value: OcsValue = "",
    *,
    keep: int = 0,
    at: str = "",
    units: Iterable[str] = (),
    once: bool = False,
) -> str:
    """Writes a standing order of OCS.

    value   what is done: "ask" asks after all, "drop" takes the order back; the order "keep" has none otherwise
    keep    how many tokens stay: in each store with the value "pay", in the hex with the order "keep"
    at      the only hex that the order is for
    units   the only own units that it is for
    once    it ends with the combat or mission under way, or else with the next that it fits
    """
    if order not in _OCS:
        raise ValueError(f"{order!r} is no standing order of OCS")
    values, keeps = _OCS[order], order == "keep" and not value
    if keep < 0 or keep and not keeps and not (value == "pay" and value in values):
        raise ValueError(f"{keep} tokens stay with the order {order} {value}, expected none")
    if value in ("ask", "drop"):
        number = 0
    elif keeps and keep:
        number = keep
    elif value in values:
        number = values.index(value) + 1 + keep
    else:
        raise ValueError(f"{value!r} is no value of the order {order}")
    named = _ids(units)
    words = ["orders", ",".join(named)] if named else ["orders"]
    words.append(f"order={order}")
    if number:
        words.append(f"value={number}")
    if at:
        words.append(f"at={at}")
    if once:
        words.append("once=true")
    if value == "drop":
        words.append("drop=true")
    return _written(words)


def downfall(order: DownfallOrder, choice: str, *, at: str = "", units: Iterable[str] = ()) -> str:
    """Writes a standing order of Downfall.

    choice  what is done: "ask" asks after all, "drop" takes the order back; "zones" takes the id of a zone too
    at      the only hex under attack that the order is for
    units   the only own units that it is for, where one takes part
    """
    if order not in _DOWNFALL:
        raise ValueError(f"{order!r} is no standing order of Downfall")
    if choice not in ("ask", "drop", *_DOWNFALL[order]) and (order != "zones" or choice in ("", "-")):
        raise ValueError(f"{choice!r} is no choice of the order {order}")
    words = ["standing", order, "-" if choice == "drop" else choice]
    if at:
        words += ["at", at]
    named = _ids(units)
    if named:
        words += ["of", *named]
    return _written(words)


def anniversary(
    *,
    losses: Iterable[str] = (),
    retreat: int = 0,
    submarines: Submarines = "",
    bombard: bool = False,
    divert: bool = False,
    agree: bool = False,
    carriers: Consent = "always",
    transports: Consent = "always",
    ask: bool = False,
) -> str:
    """Writes all standing orders of a power of Anniversary, in place of those that it had.

    losses      types of units that are lost first, by id; then the cheapest
    retreat     breaks off below so many percent of the enemy's strength, 1 to 255; 0 asks
    submarines  what submarines do; empty asks
    bombard     with all that may
    divert      fighters to the nearest refuge
    agree       to the lists of casualties of allies
    carriers    whether allies may land on carriers of the power; transports, whether they may board its transports
    ask         even where there is one answer only (option forced_choices)
    """
    if not 0 <= retreat <= 255:
        raise ValueError(f"a retreat below {retreat} percent, expected 0 to 255")
    if submarines not in ("", "strike", "submerge"):
        raise ValueError(f"submarines can't {submarines!r}")
    for consent in (carriers, transports):
        if consent not in ("always", "never", "ask"):
            raise ValueError(f"{consent!r} is no consent")
    types = _ids(losses)
    words = ["losses", ",".join(types)] if types else []
    if retreat:
        words += ["retreat", str(retreat)]
    if submarines:
        words += ["submarines", submarines]
    words += [word for word, holds in (("bombard", bombard), ("divert", divert), ("agree", agree)) if holds]
    if carriers != "always":
        words += ["carriers", carriers]
    if transports != "always":
        words += ["transports", transports]
    if ask:
        words.append("ask")
    return _written(["orders", *(words or ["-"])])


def _written(words: list[str]) -> str:
    """Joins the words of a command. None may be empty or contain white space."""
    for word in words:
        if not word or re.search(r"\s", word):
            raise ValueError(f"{word!r} is no word of a command")
    return " ".join(words)


def _ids(given: Iterable[str]) -> list[str]:
    """Checks the ids of units or types, which stand in a list."""
    if isinstance(given, str):
        raise ValueError(f"{given!r} is an id, expected a list of ids")
    found = list(given)
    for one in found:
        if not one or re.search(r"[\s,=]", one):
            raise ValueError(f"{one!r} is no id")
    return found
