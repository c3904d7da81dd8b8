package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// moves tells movement, and landings of air units that lost their place (AA 8, AA 9.12, AA 12).
func (t teller) moves(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_UnitsMoved:
		return t.moved(k.UnitsMoved), true
	case *anniversaryv1.Event_MoveRecalled:
		return t.recalled(k.MoveRecalled), true
	case *anniversaryv1.Event_FightersDiverted:
		return t.diverted(k.FightersDiverted), true
	case *anniversaryv1.Event_AirUnitsLost:
		return rules.Say("told.air-lost", before(k.AirUnitsLost.GetChanges()).with("rule", k.AirUnitsLost.GetRule())...), true
	case *anniversaryv1.Event_ConsentAsked:
		a := k.ConsentAsked
		r := before([]*anniversaryv1.Change{a.GetChange()})
		return rules.Say("told.consent-asked", r.with("power", toldPower(a.GetPower()), "ally", toldPower(a.GetAlly()), "space", t.space(a.GetZone()))...), true
	case *anniversaryv1.Event_ConsentAnswered:
		key := "told.consent-refused"
		if k.ConsentAnswered.GetAgreed() {
			key = "told.consent-given"
		}
		return rules.Say(key, "ally", toldPower(k.ConsentAnswered.GetAlly())), true
	case *anniversaryv1.Event_TerritoryTaken:
		return t.taken(k.TerritoryTaken), true
	}
	return rules.Text{}, false
}

// moved names what moves, and where transports land what they carry.
func (t teller) moved(e *anniversaryv1.UnitsMoved) rules.Text {
	path := e.GetPath()
	if len(path) == 0 {
		return rules.Text{}
	}
	r, target := cast(e.GetChanges())
	from, to, via := path[0], path[len(path)-1], ""
	if len(path) > 2 {
		via = path[1]
	}
	key := "told.moved"
	switch {
	case e.GetRaid():
		key = "told.moved-raid"
	case target != "":
		key = "told.moved-assault"
	case from == to:
		key = "told.stayed"
	}
	return rules.Say(key, r.with(
		"power", toldPower(e.GetPower()), "from", t.space(from), "to", t.space(to), "over", part(via != "" && e.GetBlitzed() == "", "told.moved-over"),
		"blitz", part(e.GetBlitzed() != "", "told.moved-blitz"), "via", t.space(via), "target", t.space(target))...)
}

// cast counts the units of a move: as they were, without what only goes aboard a transport; what transports are to land is counted from their cargo.
func cast(list []*anniversaryv1.Change) (r *rows, target string) {
	r = &rows{}
	for _, c := range list {
		b, a := c.GetBefore(), c.GetAfter()
		switch {
		case b != nil && a != nil:
			r.add(b.GetUnit(), c.GetCount())
		case b == nil && a != nil: // ashore
			r.add(a.GetUnit(), c.GetCount())
		}
		if id := a.GetTarget(); id != "" {
			target = id
			for _, cargo := range a.GetCargo() {
				if cargo.GetLands() {
					r.add(cargo.GetUnit(), c.GetCount())
				}
			}
		}
	}
	if !r.any() {
		return before(list), target
	}
	return r, target
}

func (t teller) recalled(e *anniversaryv1.MoveRecalled) rules.Text {
	r := &rows{}
	for _, c := range e.GetChanges() {
		if c.GetAfter() != nil {
			r.add(c.GetAfter().GetUnit(), c.GetCount())
		}
	}
	return rules.Say("told.recalled", r.with("restored", part(e.GetRestored() != "", "told.recalled-restored"), "space", t.space(e.GetRestored()),
		"owner", toldPower(e.GetOwner()))...)
}

func (t teller) diverted(e *anniversaryv1.FightersDiverted) rules.Text {
	space := ""
	for _, c := range e.GetChanges() {
		space = c.GetAfter().GetSpace()
	}
	return rules.Say("told.diverted", before(e.GetChanges()).with("power", toldPower(e.GetPower()), "space", t.space(space))...)
}

// taken tells captures and liberations (AA 10).
func (t teller) taken(e *anniversaryv1.TerritoryTaken) rules.Text {
	key := "told.taken"
	if e.GetTo() != e.GetBy() {
		key = "told.liberated"
	}
	return rules.Say(key, "power", toldPower(e.GetBy()), "space", t.space(e.GetTerritory()), "from", toldPower(e.GetFrom()), "owner", toldPower(e.GetTo()),
		"seized", part(e.GetSeized() > 0, "told.taken-seized"), "ipcs", e.GetSeized(),
		"reverted", part(len(e.GetReverted()) > 0, "told.taken-reverted"), "n", len(e.GetReverted()))
}

// bombing tells antiaircraft fire, raids, rockets and drops (AA 9.2, AA 9.6, AA 6.3.4, AA 6.3.8).
func (t teller) bombing(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_AntiaircraftFired:
		return t.flak(k.AntiaircraftFired), true
	case *anniversaryv1.Event_ParatroopersDropped:
		d := k.ParatroopersDropped
		return rules.Say("told.dropped", added(d.GetChanges()).with("space", t.space(d.GetTerritory()))...), true
	case *anniversaryv1.Event_ComplexRaided:
		r := k.ComplexRaided
		return rules.Say("told.raided", "space", t.space(r.GetTerritory()), "dice", numbers(r.GetDice()), "n", r.GetDamage()), true
	case *anniversaryv1.Event_RocketLaunched:
		r := k.RocketLaunched
		return rules.Say("told.rocket", "from", t.space(r.GetFrom()), "space", t.space(r.GetTerritory()), "die", r.GetDie(), "n", r.GetDamage()), true
	case *anniversaryv1.Event_CombatStepBegan:
		switch k.CombatStepBegan.GetStep() {
		case combatBombing:
			return rules.Say("told.step-bombing"), true
		case combatAssault:
			return rules.Say("told.step-assault"), true
		case combatGeneral:
			return rules.Say("told.step-general"), true
		}
		return rules.Text{}, true
	}
	return rules.Text{}, false
}

func (t teller) flak(e *anniversaryv1.AntiaircraftFired) rules.Text {
	if len(e.GetShots()) == 0 {
		return rules.Text{}
	}
	var dice []uint32
	hits := &rows{}
	for _, s := range e.GetShots() {
		dice = append(dice, s.GetDie())
		if s.GetHit() {
			hits.add(s.GetUnit(), 1)
		}
	}
	key := "told.flak-missed"
	if hits.any() {
		key = "told.flak"
	}
	return rules.Say(key, hits.with("space", t.space(e.GetTerritory()), "dice", numbers(dice), "value", e.GetHitsWith())...)
}
