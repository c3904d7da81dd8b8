package anniversary

import (
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// combatEvent folds events of Conduct Combat; false for others.
func (f *folder) combatEvent(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *anniversaryv1.CombatStepBegan:
		p.step = uint8(f.small(e.Step, 5, "the step of combat"))
	case *anniversaryv1.ComplexRaided:
		f.damaged(e.Territory, int(f.small(e.Damage, 255, "damage")))
	case *anniversaryv1.RocketLaunched:
		f.rocket(e)
	case *anniversaryv1.ZoneIgnored:
		p.ignored.Add(f.place(e.Zone))
	case *anniversaryv1.BattleBegan:
		f.battleBegan(e)
	case *anniversaryv1.BattleEnded:
		f.battleEnded(e)
	default:
		return f.roundEvent(e)
	}
	return true
}

// roundEvent folds what happens within a combat.
func (f *folder) roundEvent(e proto.Message) bool {
	p := f.p
	b := &p.battle
	switch e := e.(type) {
	case *anniversaryv1.Bombarded:
		b.hits = [odds.NumClasses]uint16{odds.ByAny: uint16(f.small(e.Hits, 255, "hits"))}
		b.chooser = NoPower
	case *anniversaryv1.SubmarinesChose:
		b.dived |= 1 << f.power(e.Power)
	case *anniversaryv1.Fired:
		f.fired(e)
	case *anniversaryv1.CasualtiesChosen:
		f.chosen(e)
	case *anniversaryv1.CasualtiesAnswered:
		f.answered(e)
	case *anniversaryv1.CasualtiesTaken:
		f.settled()
	case *anniversaryv1.BattleWentOn:
		f.wentOn(e)
	case *anniversaryv1.Retreated:
		b.retreated = true
	default:
		return false
	}
	return true
}

func (f *folder) settled() {
	b := &f.p.battle
	b.hits, b.chooser, b.agreed, b.listed, b.picks = [odds.NumClasses]uint16{}, NoPower, 0, false, b.picks[:0]
}

func (f *folder) battleBegan(e *anniversaryv1.BattleBegan) {
	p := f.p
	picks := p.battle.picks[:0]
	p.battle = battle{at: f.place(e.Space), stage: f.stage(e.Stage), chooser: NoPower, origins: f.set(e.Origins),
		shores: f.set(e.Shores), picks: picks}
	p.battle.landed = uint8(f.small(e.Landed, 255, "units ashore"))
}

// battleEnded puts the combat away; the space remembers that there was one.
func (f *folder) battleEnded(e *anniversaryv1.BattleEnded) {
	p := f.p
	p.fought.Add(f.place(e.Space))
	p.battle = battle{at: NoSpace, chooser: NoPower, picks: p.battle.picks[:0]}
}

func (f *folder) fired(e *anniversaryv1.Fired) {
	b := &f.p.battle
	if len(e.Hits) != odds.NumClasses {
		f.fail("hits of %d classes, expected %d", len(e.Hits), odds.NumClasses)
		return
	}
	f.settled()
	for i, n := range e.Hits {
		b.hits[i] = uint16(f.small(n, 60000, "hits"))
	}
	b.chooser = f.holder(e.Chooser)
}

func (f *folder) chosen(e *anniversaryv1.CasualtiesChosen) {
	b := &f.p.battle
	for _, l := range e.Losses {
		k, n := f.key(l.Stack), uint16(f.small(l.Count, 60000, "casualties"))
		if f.err != nil || n == 0 || f.p.count(k) < int(n) {
			f.fail("casualties that are not there")
			return
		}
		b.add(pick{k, n, l.Damage})
	}
}

// add counts a pick with those of its kind.
func (b *battle) add(x pick) {
	for i := range b.picks {
		if b.picks[i].Key == x.Key && b.picks[i].damage == x.damage {
			b.picks[i].n += x.n
			return
		}
	}
	b.picks = append(b.picks, x)
}

func (f *folder) answered(e *anniversaryv1.CasualtiesAnswered) {
	b := &f.p.battle
	if e.Agreed {
		b.agreed |= 1 << f.power(e.Power)
		b.listed = true
		return
	}
	b.picks, b.agreed, b.listed, b.chooser = b.picks[:0], 0, false, f.power(e.Chooser)
}

func (f *folder) wentOn(e *anniversaryv1.BattleWentOn) {
	b := &f.p.battle
	if r := uint8(f.small(e.Round, 255, "the round")); r != b.round {
		b.round, b.dived = r, 0
	}
	b.attackerDestroyer, b.defenderDestroyer = e.AttackingDestroyer, e.DefendingDestroyer
}

func (f *folder) rocket(e *anniversaryv1.RocketLaunched) {
	f.damaged(e.Territory, int(f.small(e.Damage, 255, "damage")))
	f.p.rocketFrom.Add(f.place(e.From))
	f.p.rocketAt.Add(f.place(e.Territory))
}
