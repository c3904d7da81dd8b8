"""Standing orders are written as the rules read them."""

import json
import unittest
from pathlib import Path
from typing import Any

from warledger import orders

SAMPLES = json.loads((Path(__file__).resolve().parents[2] / "testdata" / "orders.json").read_text("utf-8"))


def written(sample: dict[str, Any]) -> str:
    fields = dict(sample["order"])
    write = {"ocs": orders.ocs, "downfall": orders.downfall, "anniversary": orders.anniversary}[sample["ruleset"]]
    if sample["ruleset"] == "downfall":
        fields.setdefault("choice", "")
    return write(**fields)  # type: ignore[operator]


class TestOrders(unittest.TestCase):
    def test_every_sample_is_written(self) -> None:
        for sample in SAMPLES["written"]:
            self.assertEqual(written(sample), sample["notation"])

    def test_what_no_command_can_say_is_refused(self) -> None:
        for sample in SAMPLES["refused"]:
            with self.subTest(sample), self.assertRaises(ValueError):
                written(sample)
        with self.assertRaises(ValueError):
            orders.ocs("loses", "first", units="bl-1-inf")
