package anniversary

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// rows counts units by type for a text, in the order of the price list; a battleship's first hit, [Hull], comes last.
type rows [NumUnits + 1]int

// rowOf counts units of one type.
func rowOf(u Unit, n int) *rows {
	r := &rows{}
	r.put(u, n)
	return r
}

func (r *rows) put(u Unit, n int) {
	if int(u) < len(r) {
		r[u] += n
	}
}

func (r *rows) add(u anniversaryv1.Unit, n uint32) {
	if u <= anniversaryv1.Unit_UNIT_BATTLESHIP_HULL {
		r.put(unitOf(u), int(n))
	}
}

// words are the units with their numbers: "5 infantry, 1 tank and 2 fighters".
func (r *rows) words() rules.Words {
	var list []rules.Words
	for u, n := range r {
		if n != 0 {
			list = append(list, numbered(Unit(u), n))
		}
	}
	if list == nil {
		return inWords(rules.Say("list.0"))
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return inWords(rules.Say("list.and", "list", rules.Join(list[:last], ", ", "、"), "last", list[last]))
}

// numbered are so many units of a type.
func numbered(u Unit, n int) rules.Words {
	return inWords(rules.Say("list.1", "n", n, "unit", unitsName(u, n)))
}

// tell adds units to a text. Its key ends in "-units" if there are any.
func (r *rows) tell(t *rules.Text) {
	if kit.Add(t, "units", r.words()); *r != (rows{}) {
		t.Key += "-units"
	}
}

// count counts the units of a change. Before it they were b, and a after it; nil for none.
type count func(r *rows, b, a *anniversaryv1.Stack, n uint32)

// before counts units as they were, after as they are.
func before(r *rows, b, _ *anniversaryv1.Stack, n uint32) { r.add(b.GetUnit(), n) }

func after(r *rows, _, a *anniversaryv1.Stack, n uint32) { r.add(a.GetUnit(), n) }

// gone counts units that are no more.
func gone(r *rows, b, a *anniversaryv1.Stack, n uint32) {
	if a == nil {
		before(r, b, a, n)
	}
}

// added counts units that were not there before.
func added(r *rows, b, a *anniversaryv1.Stack, n uint32) {
	if b == nil {
		after(r, b, a, n)
	}
}

// suffered counts casualties by what became of them: a battleship that is only damaged is a hit.
func suffered(r *rows, b, a *anniversaryv1.Stack, n uint32) {
	if b != nil && has(a, anniversaryv1.Mark_MARK_DAMAGED) && !has(b, anniversaryv1.Mark_MARK_DAMAGED) {
		r.put(Hull, int(n))
	}
	if a == nil || has(a, anniversaryv1.Mark_MARK_HIT) || has(a, anniversaryv1.Mark_MARK_STRUCK) {
		before(r, b, a, n)
	}
}

func has(s *anniversaryv1.Stack, m anniversaryv1.Mark) bool { return slices.Contains(s.GetMarks(), m) }

// counted counts the units of changes.
func counted(list []*anniversaryv1.Change, by count) *rows {
	r := &rows{}
	for _, c := range list {
		by(r, c.GetBefore(), c.GetAfter(), c.GetCount())
	}
	return r
}

// tellChanged tells the units of an event's changes.
func tellChanged(by count) func(*Scenario, proto.Message, *rules.Text) {
	return func(_ *Scenario, m proto.Message, t *rules.Text) {
		counted(m.(interface {
			GetChanges() []*anniversaryv1.Change
		}).GetChanges(), by).tell(t)
	}
}

// spoils counts units by owner, in the order of the powers; units without one come last.
type spoils [NumPowers + 1]rows

func (s *spoils) of(p anniversaryv1.Power) *rows { return &s[min(uint32(p-1), uint32(NumPowers))] }

// words are the units with their owners: "2 infantry (Germany), 1 tank (Italy)".
func (s *spoils) words() rules.Words {
	var list []rules.Words
	for p := range s {
		switch r := &s[p]; {
		case *r == (rows{}):
		case p == int(NumPowers):
			list = append(list, r.words())
		default:
			list = append(list, inWords(rules.Say("list.of", "units", r.words(), "power", powerName(Power(p)))))
		}
	}
	if list == nil {
		return inWords(rules.Say("list.0"))
	}
	return rules.Join(list, ", ", "、")
}

// tellOwned tells the units of an event's changes, and whose they were.
func tellOwned(by count) func(*Scenario, proto.Message, *rules.Text) {
	return func(_ *Scenario, m proto.Message, t *rules.Text) {
		s := &spoils{}
		for _, c := range m.(interface {
			GetChanges() []*anniversaryv1.Change
		}).GetChanges() {
			by(s.of(c.GetBefore().GetPower()), c.GetBefore(), c.GetAfter(), c.GetCount())
		}
		if kit.Add(t, "units", s.words()); *s != (spoils{}) {
			t.Key += "-units"
		}
	}
}

// cast counts the units of a move: as they were, without what only goes aboard a transport. What transports are to land
// is counted from their cargo.
func cast(list []*anniversaryv1.Change) (r *rows, target string) {
	r = counted(list, func(r *rows, b, a *anniversaryv1.Stack, n uint32) {
		if b == nil {
			after(r, b, a, n) // ashore
		} else if a != nil {
			before(r, b, a, n)
		}
		if id := a.GetTarget(); id != "" {
			target = id
			for _, cargo := range a.GetCargo() {
				if cargo.GetLands() {
					r.add(cargo.GetUnit(), n)
				}
			}
		}
	})
	if *r == (rows{}) {
		r = counted(list, before)
	}
	return r, target
}

// tellLines tells units that are bought or placed.
func tellLines(_ *Scenario, v protoreflect.Value) any {
	r := &rows{}
	for _, l := range kit.ListOf[*anniversaryv1.Line](v) {
		r.add(l.GetUnit(), l.GetCount())
	}
	return r.words()
}

// tellPicked tells casualties that are chosen, and whose they are.
func tellPicked(_ *Scenario, v protoreflect.Value) any {
	s := &spoils{}
	for _, l := range kit.ListOf[*anniversaryv1.Loss](v) {
		if r := s.of(l.GetStack().GetPower()); l.GetDamage() {
			r.put(Hull, int(l.GetCount()))
		} else {
			r.add(l.GetStack().GetUnit(), l.GetCount())
		}
	}
	return s.words()
}
