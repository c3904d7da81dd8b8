package ocs

import "github.com/warledger/warledger/rules"

// Reasons for a multiplier of strength.
const (
	factorDG             = "dg"
	factorReserve        = "reserve"
	factorStrat          = "strat_mode"
	factorOutOfSupply    = "out_of_supply"
	factorNoCombatSupply = "no_combat_supply"
	factorStepLosses     = "step_losses"
	factorTerrain        = "terrain"
	factorAntiTank       = "anti_tank"
)

// notes collect modifiers for people to read. Nil notes collect nothing.
type notes struct {
	p    *Position
	of   rules.Text
	seat rules.Seat
	list []rules.Modifier
}

// noted are notes about what a message names.
func noted(p *Position, of string, seat rules.Seat) *notes {
	return &notes{p: p, of: rules.Say(of), seat: seat}
}

// about goes on with what changes something else.
func (n *notes) about(of string, seat rules.Seat) *notes {
	n.of, n.seat = rules.Say(of), seat
	return n
}

// add notes a modifier.
func (n *notes) add(id string, title rules.Text, value string, units ...Unit) {
	n.list = append(n.list, rules.Modifier{
		ID: id, Of: n.of, Title: title, Value: value, Seat: n.seat, Pieces: n.p.ids(units),
	})
}

// begin notes the printed strength of a unit.
func (n *notes) begin(u Unit, f Fraction) Fraction {
	if n != nil {
		n.add("printed", rules.Say("modifier.printed", "unit", n.p.unitName(u)), f.format(), u)
	}
	return f
}

// times multiplies, and notes it where it makes a difference.
func (n *notes) times(u Unit, id string, f, by Fraction) Fraction {
	if n != nil && by != whole(1) {
		n.add(id, rules.Say("modifier."+id, "unit", n.p.unitName(u)), "×"+by.format(), u)
	}
	return f.Times(by)
}

// signedText writes what is added or taken away: "+2", "−1".
func signedText(n int) string {
	if n < 0 {
		return "−" + whole(-n).format()
	}
	return "+" + whole(n).format()
}
