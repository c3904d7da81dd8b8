package anniversary

import (
	"strconv"
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// narrate tells an event in a sentence; the zero Text is for what shows in the events around it.
func narrate(sc *Scenario, e *anniversaryv1.Event) rules.Text {
	t := teller{sc}
	for _, tell := range [...]func(*anniversaryv1.Event) (rules.Text, bool){t.turns, t.economy, t.moves, t.bombing, t.combat, t.losses, t.outcome} {
		if text, told := tell(e); told {
			return text
		}
	}
	return rules.Text{}
}

// teller knows what the spaces of a scenario are called. What the scenario does not have is called by its id.
type teller struct{ sc *Scenario }

// space is a reference to the name of a space, or its name.
func (t teller) space(id string) any {
	if id == "" {
		return "-"
	}
	if s := t.sc.SpaceByID(id); s != NoSpace {
		return spaceName(t.sc, s)
	}
	return rules.Words{En: id}
}

// toldPower is a reference to the name of a power of an event.
func toldPower(w anniversaryv1.Power) string {
	if w < 1 || w > anniversaryv1.Power(NumPowers) {
		return powerName(NoPower)
	}
	return powerName(Power(w - 1))
}

// toldUnit is a type of unit of an event; NoUnit for what is none.
func toldUnit(u anniversaryv1.Unit) Unit {
	if u < 1 || u > anniversaryv1.Unit_UNIT_BATTLESHIP_HULL {
		return NoUnit
	}
	return unitOf(u)
}

// rows counts units by type for a text, in the order of the price list; a battleship's first hit comes last.
type rows [NumUnits + 1]int

func (r *rows) add(u anniversaryv1.Unit, n uint32) {
	if x := toldUnit(u); x != NoUnit {
		r.put(x, int(n))
	}
}

func (r *rows) put(u Unit, n int) {
	if u == Hull {
		u = NumUnits
	}
	if int(u) < len(r) {
		r[u] += n
	}
}

func (r *rows) any() bool { return *r != rows{} }

// with adds the units to the pairs of a text: {units} refers to a message with a place for each type.
func (r *rows) with(pairs ...any) []any {
	kinds := 0
	var rest []any
	for u, n := range r {
		if n == 0 {
			continue
		}
		kinds++
		unit := Unit(u)
		if unit == NumUnits {
			unit = Hull
		}
		rest = append(rest, "n"+strconv.Itoa(kinds), n, "u"+strconv.Itoa(kinds), unitsName(unit, n))
	}
	return append(append(pairs, "units", "@list."+strconv.Itoa(kinds)), rest...)
}

// before counts units as they were.
func before(list []*anniversaryv1.Change) *rows {
	r := &rows{}
	for _, c := range list {
		if c.GetBefore() != nil {
			r.add(c.GetBefore().GetUnit(), c.GetCount())
		}
	}
	return r
}

// gone counts units that are no more.
func gone(list []*anniversaryv1.Change) *rows {
	r := &rows{}
	for _, c := range list {
		if c.GetBefore() != nil && c.GetAfter() == nil {
			r.add(c.GetBefore().GetUnit(), c.GetCount())
		}
	}
	return r
}

// added counts units that were not there before.
func added(list []*anniversaryv1.Change) *rows {
	r := &rows{}
	for _, c := range list {
		if c.GetBefore() == nil && c.GetAfter() != nil {
			r.add(c.GetAfter().GetUnit(), c.GetCount())
		}
	}
	return r
}

func lines(list []*anniversaryv1.Line) *rows {
	r := &rows{}
	for _, l := range list {
		r.add(l.GetUnit(), l.GetCount())
	}
	return r
}

// numbers writes dice; "-" for none.
func numbers(ns []uint32) string {
	if len(ns) == 0 {
		return "-"
	}
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = strconv.FormatUint(uint64(n), 10)
	}
	return strings.Join(s, " ")
}

// volleyText writes dice with what they hit with: "≤3: 1 5, ≤1: 2".
func volleyText(list []*anniversaryv1.Volley) string {
	if len(list) == 0 {
		return "-"
	}
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = "≤" + strconv.FormatUint(uint64(v.GetHitsWith()), 10) + ": " + numbers(v.GetDice())
	}
	return strings.Join(s, ", ")
}

// part is a part of a sentence that is left out if it does not hold.
func part(holds bool, key string) string {
	if holds {
		return "@" + key
	}
	return ""
}
