package ocs

import (
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// named lists the modifiers of a roll as readers are told them, so that they can be added up.
type named []*ocsv1.NamedModifier

// Names of modifiers whose parts the rules do not disclose: only their sum is told (OCS 4.9c).
const (
	byUnits  = "units"  // what is in the hex: its REs and their modes
	byFlak   = "flak"   // HQs, ships, patrol zones and the units of the mission
	byForces = "forces" // ships and marines of the side that lands, and enemies near it
)

// Names of modifiers that no table of a scenario names.
const (
	bySide    = "side"
	byAir     = "glider"
	byActive  = "active"
	byAdvance = "advance"
	byRough   = "rough"
)

// add adds a value to the modifier of a name.
func (n *named) add(id string, value int) {
	if value == 0 {
		return
	}
	for _, m := range *n {
		if m.Id == id {
			m.Value += int32(value)
			return
		}
	}
	*n = append(*n, &ocsv1.NamedModifier{Id: id, Value: int32(value)})
}

// told returns the modifiers whose values do not cancel out.
func (n named) told() (list []*ocsv1.NamedModifier) {
	for _, m := range n {
		if m.Value != 0 {
			list = append(list, m)
		}
	}
	return list
}

// total returns the sum of all modifiers.
func (n named) total() (sum int) {
	for _, m := range n {
		sum += int(m.Value)
	}
	return sum
}

// of adds a modifier under its own name if it is disclosed, else under that of all others.
func (n *named) of(others string, disclosed func(id string) bool) func(id string, value int) {
	return func(id string, value int) {
		if !disclosed(id) {
			id = others
		}
		n.add(id, value)
	}
}

// disclosedShift reports whether both sides see the reason of a barrage's shift anyway: the terrain, works, the
// spotter, the way of air units.
func disclosedShift(id string) bool { return id != shiftDensity && id != shiftStratMode }

// disclosedFlak reports whether both sides see the reason of a modifier of flak anyway.
func disclosedFlak(id string) bool { return id == flakBase || id == flakPrinted }

// mostNamed is how many modifiers a sentence has room for.
const mostNamed = 6

// sumOf tells a sum: the key with what it comes to, if the modifiers by name explain the change, and otherwise, as in
// records of older rules, the other key.
func sumOf(key, old string, change int, list []*ocsv1.NamedModifier, pairs ...any) rules.Text {
	if named(list).total() != change || len(list) > mostNamed {
		return rules.Say(old, pairs...)
	}
	t := rules.Say(key, pairs...)
	t.Args = append(t.Args, rules.Say("", "sum", "@told.sum").Args...)
	for i := range mostNamed {
		name, value := "m"+string(rune('1'+i)), ""
		if i < len(list) {
			id := strings.ReplaceAll(list[i].GetId(), "_", "-")
			value = "@told.by-" + id
			t.Args = append(t.Args, rules.Say("", "by-"+id, signed(int(list[i].GetValue()))).Args...)
		}
		t.Args = append(t.Args, rules.Say("", name, value).Args...)
	}
	return t
}
