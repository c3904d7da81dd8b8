package ocs

import "github.com/warledger/warledger/rules"

// narrateCombat tells the facts of combat and barrage.
func narrateCombat(*Scenario, *event) (rules.Text, bool) { return rules.Text{}, false }
