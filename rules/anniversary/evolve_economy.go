package anniversary

import (
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// economyEvent folds events of research, purchase, mobilization and income; false for others.
func (f *folder) economyEvent(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *anniversaryv1.ResearchersBought:
		w := f.seat(e.Power)
		f.pay(w, e.Paid)
		p.tokens[w] += uint16(f.small(e.Count, 30000, "researchers"))
		p.step = 1
	case *anniversaryv1.ResearchRolled:
		p.step = 3
		if e.Success {
			p.tokens[f.seat(e.Power)], p.step = 0, 2
		}
	case *anniversaryv1.TechnologyGained:
		if t := e.Technology; t < 1 || t > anniversaryv1.Technology(NumTechs) {
			f.fail("no technology %d", t)
		} else {
			p.tech[f.seat(e.Power)] |= 1 << (t - 1)
		}
		p.step = 3
	case *anniversaryv1.UnitsBought:
		w := f.seat(e.Power)
		f.pay(w, e.Paid)
		f.pooled(w, e.Units, 1)
	case *anniversaryv1.DamageRepaired:
		f.pay(f.seat(e.Power), e.Paid)
		f.damaged(e.Territory, -int(f.small(e.Markers, 255, "damage markers")))
	case *anniversaryv1.RecruitsRaised:
		p.pool[China][Infantry] += uint16(f.small(e.Count, 255, "recruits"))
		p.step = 1
	case *anniversaryv1.IncomeCollected:
		f.receive(f.seat(e.Power), e.Total)
		p.step = 1
	default:
		return false
	}
	return true
}

// pooled puts units into the mobilization zone, or takes them out.
func (f *folder) pooled(w Power, lines []*anniversaryv1.Line, sign int) {
	for _, l := range lines {
		n := &f.p.pool[w][f.unit(l.Unit)]
		left := int(*n) + sign*int(f.small(l.Count, 30000, "a number of units"))
		if left < 0 || left > 60000 {
			f.fail("%d units in a mobilization zone", left)
			return
		}
		*n = uint16(left)
	}
}

// damaged adds damage markers, or takes them away.
func (f *folder) damaged(id string, n int) {
	d := &f.p.damage[f.place(id)]
	left := int(*d) + n
	if left < 0 || left > 255 {
		f.fail("%d damage markers in %q", left, id)
		return
	}
	*d = uint8(left)
}

// unitsMobilized puts new units on the map.
func (f *folder) unitsMobilized(e *anniversaryv1.UnitsMobilized) {
	p, w, s := f.p, f.power(e.Power), f.place(e.Space)
	f.pooled(w, e.Units, -1)
	for _, l := range e.Units {
		u, n := f.unit(l.Unit), uint16(f.small(l.Count, 30000, "a number of units"))
		switch {
		case f.err != nil:
			return
		case u == Complex:
			p.complexes.Add(s)
		default:
			p.put(keyOf(s, w, u).mark(Done), n)
		}
		through := &p.unnamed[s]
		switch {
		case e.Through != "":
			through = &p.placed[f.place(e.Through)]
		case !p.sc.IsSea(s):
			continue // complexes and recruits come in by themselves
		}
		*through = uint8(f.small(uint32(*through)+uint32(n), 255, "units through a complex"))
	}
}

func (f *folder) consentAsked(e *anniversaryv1.ConsentAsked) {
	c, ship := e.GetChange(), e.GetCarrier()
	f.p.request = request{
		power: f.power(e.Power), ally: f.seat(e.Ally), before: f.key(c.GetBefore()), after: f.key(c.GetAfter()),
		n: uint16(f.small(c.GetCount(), 255, "a number of units")), ship: f.key(ship.GetBefore()),
		laden: f.key(ship.GetAfter()),
	}
	if f.p.request.before == 0 {
		f.fail("a request without units")
	}
}

func (f *folder) consentAnswered(e *anniversaryv1.ConsentAnswered) {
	f.p.request = request{power: NoPower}
	if e.Agreed {
		f.apply(e.Changes)
	} else {
		f.p.denied |= 1 << f.seat(e.Ally)
	}
}
