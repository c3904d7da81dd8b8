package anniversary

import anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"

// combatEvent folds events of Conduct Combat; false for others.
func (f *folder) combatEvent(e any) bool {
	p := f.p
	switch e := e.(type) {
	case *anniversaryv1.Event_CombatStepBegan:
		p.step = uint8(f.small(e.CombatStepBegan.Step, 5, "the step of combat"))
	case *anniversaryv1.Event_AntiaircraftFired:
		f.apply(e.AntiaircraftFired.Changes)
		f.goOn(e.AntiaircraftFired.Stage)
	case *anniversaryv1.Event_ParatroopersDropped:
		f.apply(e.ParatroopersDropped.Changes)
		f.goOn(e.ParatroopersDropped.Stage)
	case *anniversaryv1.Event_ComplexRaided:
		f.apply(e.ComplexRaided.Changes)
		f.damaged(e.ComplexRaided.Territory, int(f.small(e.ComplexRaided.Damage, 255, "damage")))
	case *anniversaryv1.Event_RocketLaunched:
		f.rocket(e.RocketLaunched)
	case *anniversaryv1.Event_ZoneIgnored:
		p.ignored.Add(f.place(e.ZoneIgnored.Zone))
	case *anniversaryv1.Event_LandingFailed:
		f.apply(e.LandingFailed.Changes)
	case *anniversaryv1.Event_BattleBegan:
		f.battleBegan(e.BattleBegan)
	case *anniversaryv1.Event_BattleEnded:
		f.battleEnded(e.BattleEnded)
	default:
		return f.roundEvent(e)
	}
	return true
}

// roundEvent folds what happens within a combat.
func (f *folder) roundEvent(e any) bool {
	p := f.p
	b := &p.battle
	switch e := e.(type) {
	case *anniversaryv1.Event_Bombarded:
		f.apply(e.Bombarded.Changes)
		f.goOn(e.Bombarded.Stage)
		b.hits = [numClasses]uint16{byAny: uint16(f.small(e.Bombarded.Hits, 255, "hits"))}
		b.chooser = NoPower
	case *anniversaryv1.Event_SubmarinesChose:
		f.apply(e.SubmarinesChose.Changes)
		b.dived |= 1 << f.power(e.SubmarinesChose.Power)
	case *anniversaryv1.Event_Fired:
		f.fired(e.Fired)
	case *anniversaryv1.Event_CasualtiesChosen:
		f.chosen(e.CasualtiesChosen)
	case *anniversaryv1.Event_CasualtiesAnswered:
		f.answered(e.CasualtiesAnswered)
	case *anniversaryv1.Event_CasualtiesTaken:
		f.apply(e.CasualtiesTaken.Changes)
		f.settled()
		f.goOn(e.CasualtiesTaken.Stage)
	case *anniversaryv1.Event_CasualtiesRemoved:
		f.apply(e.CasualtiesRemoved.Changes)
		f.goOn(e.CasualtiesRemoved.Stage)
	case *anniversaryv1.Event_TransportsSunk:
		f.apply(e.TransportsSunk.Changes)
	case *anniversaryv1.Event_BattleWentOn:
		f.wentOn(e.BattleWentOn)
	case *anniversaryv1.Event_Retreated:
		f.apply(e.Retreated.Changes)
		b.retreated = true
		f.goOn(e.Retreated.Stage)
	default:
		return false
	}
	return true
}

// goOn takes a combat to a step, if there is one to take.
func (f *folder) goOn(s anniversaryv1.Stage) {
	if s != anniversaryv1.Stage_STAGE_UNSPECIFIED {
		f.p.battle.stage = f.stage(s)
	}
}

func (f *folder) settled() {
	b := &f.p.battle
	b.hits, b.chooser, b.agreed, b.listed, b.picks = [numClasses]uint16{}, NoPower, 0, false, b.picks[:0]
}

func (f *folder) battleBegan(e *anniversaryv1.BattleBegan) {
	p := f.p
	f.apply(e.Changes)
	picks := p.battle.picks[:0]
	p.battle = battle{at: f.place(e.Space), stage: f.stage(e.Stage), chooser: NoPower, origins: f.set(e.Origins), shores: f.set(e.Shores), picks: picks}
	p.battle.landed = uint8(f.small(e.Landed, 255, "units ashore"))
}

// battleEnded puts the combat away; the space remembers that there was one.
func (f *folder) battleEnded(e *anniversaryv1.BattleEnded) {
	p := f.p
	f.apply(e.Changes)
	p.fought.Add(f.place(e.Space))
	p.battle = battle{at: NoSpace, chooser: NoPower, picks: p.battle.picks[:0]}
}

func (f *folder) fired(e *anniversaryv1.Fired) {
	b := &f.p.battle
	if len(e.Hits) != numClasses {
		f.fail("hits of %d classes, expected %d", len(e.Hits), numClasses)
		return
	}
	f.settled()
	for i, n := range e.Hits {
		b.hits[i] = uint16(f.small(n, 60000, "hits"))
	}
	b.chooser = f.holder(e.Chooser)
	f.goOn(e.Stage)
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
	f.goOn(e.Stage)
	if r := uint8(f.small(e.Round, 255, "the round")); r != b.round {
		b.round, b.dived = r, 0
	}
	b.attackerDestroyer, b.defenderDestroyer = e.AttackingDestroyer, e.DefendingDestroyer
}

func (f *folder) rocket(e *anniversaryv1.RocketLaunched) {
	f.apply(e.Changes)
	f.damaged(e.Territory, int(f.small(e.Damage, 255, "damage")))
	f.p.rocketFrom.Add(f.place(e.From))
	f.p.rocketAt.Add(f.place(e.Territory))
}
