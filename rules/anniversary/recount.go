package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// recount tells an event with what the position adds: whose phase ends, and who fights a combat with what. None of that
// is hidden from anybody.
func (p *Position) recount(e *event) rules.Text {
	t := teller.Tell(p.sc, e)
	switch {
	case e.GetPhaseEnded() != nil && p.acting != NoPower:
		t.Key = "told.phase_ended-by"
		kit.Add(&t, "power", powerName(p.acting))
	case e.GetBattleBegan() != nil:
		p.tellForces(e, &t)
	}
	return t
}

// tellForces adds the forces with which a combat begins, those that land in it included.
func (p *Position) tellForces(e *event, t *rules.Text) {
	began := p.Clone()
	if (referee{}).Evolve(began, e) != nil {
		return
	}
	forces := [2]*spoils{{}, {}}
	for _, g := range began.at(began.battle.at) {
		side := forces[1]
		switch {
		case began.attacks(g.Key):
			side = forces[0]
		case !began.defends(g.Key) && !began.gunDefends(g.Key):
			continue
		}
		side.of(anniversaryv1.Power(g.Power()+1)).put(g.Unit(), int(g.N))
	}
	if *forces[0] != (spoils{}) && *forces[1] != (spoils{}) {
		t.Key = "told.battle_began-forces"
		kit.Add(t, "attackers", forces[0].words(), "defenders", forces[1].words())
	}
}

// gunDefends reports whether antiaircraft guns are on the defending side (AA 9.6).
func (p *Position) gunDefends(k Key) bool {
	return k.Unit() == AAGun && k.Power().Side() == p.side().Enemy()
}
