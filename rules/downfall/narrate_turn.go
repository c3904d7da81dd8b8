package downfall

import (
	"strconv"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// setup tells set-up and the sequence of play (DF 3, DF 5, DF 15.4, DF 15.6, DF 15.7).
func (t teller) setup(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_Deployed:
		return t.deployed(k.Deployed), true
	case *downfallv1.Event_UnitPlaced:
		return rules.Say("told.placed", "unit", t.unit(k.UnitPlaced.GetUnit()), "hex", t.hex(k.UnitPlaced.GetHex())), true
	case *downfallv1.Event_MagicRolled:
		return rules.Say("told.magic", "die", k.MagicRolled.GetDie(), "n", k.MagicRolled.GetUnits()), true
	case *downfallv1.Event_BombCountRolled:
		return rules.Say("told.bomb-count", "die", k.BombCountRolled.GetDie(), "bombs", k.BombCountRolled.GetBombs()), true
	case *downfallv1.Event_OrdersGiven:
		return t.orders(k.OrdersGiven), true
	case *downfallv1.Event_PlanMade:
		return rules.Say("told.plan-made"), true
	case *downfallv1.Event_PlanRecorded:
		return rules.Say("told.plan", "hex", t.hex(k.PlanRecorded.GetHex()), "turn", k.PlanRecorded.GetTurn()), true
	case *downfallv1.Event_PhaseBegan:
		return t.phase(k.PhaseBegan), true
	case *downfallv1.Event_PhaseEnded:
		return rules.Say("told.phase-over", "phase", phaseText(Phase(k.PhaseEnded.GetPhase()))), true
	}
	return rules.Text{}, false
}

func (t teller) deployed(e *downfallv1.Deployed) rules.Text {
	onMap := 0
	for _, u := range e.GetUnits() {
		if u.GetHex() != 0 {
			onMap++
		}
	}
	return rules.Say("told.deployed", "map", onMap, "boxes", len(e.GetUnits())-onMap)
}

func (t teller) orders(e *downfallv1.OrdersGiven) rules.Text {
	switch {
	case !e.GetChanged():
		return rules.Say("told.orders-stay")
	case e.GetDropTurn() != 0:
		return rules.Say("told.orders-drop", "hex", t.hex(e.GetDropHex()), "turn", e.GetDropTurn())
	case e.GetMode() == downfallv1.Mode_MODE_AIRBORNE:
		return rules.Say("told.orders-airborne")
	}
	return rules.Say("told.orders-infantry")
}

func (t teller) phase(e *downfallv1.PhaseBegan) rules.Text {
	if e.GetTurn() == 0 {
		return rules.Say("told.phase-setup", "phase", phaseText(Phase(e.GetPhase())))
	}
	return rules.Say("told.phase", "turn", e.GetTurn(), "phase", phaseText(Phase(e.GetPhase())))
}

// weapons tells the unconventional weapons and the dice before a player turn (DF 6, DF 7.2, DF 8.2-a).
func (t teller) weapons(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_FleetRolled:
		return t.fleet(k.FleetRolled), true
	case *downfallv1.Event_NavalDeployed:
		return rules.Say("told.zones", "zones", t.zones(k.NavalDeployed.GetZones())), true
	case *downfallv1.Event_KamikazeRolled:
		return t.kamikaze(k.KamikazeRolled), true
	case *downfallv1.Event_NavalRemoved:
		m := k.NavalRemoved.GetMarkers()
		return rules.Say("told.naval-removed", "n", len(m), "markers", numbers(m)), true
	case *downfallv1.Event_AirRemoved:
		return rules.Say("told.air-removed", "n", k.AirRemoved.GetCount()), true
	case *downfallv1.Event_ArmyRolled:
		a := k.ArmyRolled
		if a.GetAvailable() {
			return rules.Say("told.army-comes", "die", a.GetDie(), "needed", a.GetNeeded()), true
		}
		return rules.Say("told.army-waits", "die", a.GetDie(), "needed", a.GetNeeded()), true
	case *downfallv1.Event_PointsGiven:
		return t.points(k.PointsGiven), true
	}
	return t.bombs(e)
}

func (t teller) fleet(e *downfallv1.FleetRolled) rules.Text {
	if e.GetBritish() {
		return rules.Say("told.fleet-in", "die", e.GetDie(), "naval", e.GetNaval(), "air", e.GetAir())
	}
	return rules.Say("told.fleet-out", "die", e.GetDie(), "naval", e.GetNaval(), "air", e.GetAir())
}

// zones counts the markers of each zone, in the order in which the zones are first named.
func (t teller) zones(ids []string) rules.Words {
	var names []rules.Words
	for i, id := range ids {
		n, first := 0, true
		for j, other := range ids {
			if other == id {
				n++
				first = first && j >= i
			}
		}
		if first {
			names = append(names, counted(t.zone(id), n))
		}
	}
	return enumerate(names)
}

func (t teller) kamikaze(e *downfallv1.KamikazeRolled) rules.Text {
	limit := func(n *uint32) string {
		if n == nil {
			return "@told.uncapped"
		}
		return strconv.FormatUint(uint64(*n), 10)
	}
	return rules.Say("told.kamikaze", "die", e.GetDie(), "modified", e.GetModified(), "us", e.GetUsCp(), "mf", e.GetJapanMf(), "jp", e.GetJapanCp(),
		"air", limit(e.AirCap), "naval", limit(e.NavalCap),
		"caps", part(e.AirCap != nil || e.NavalCap != nil, "told.kamikaze-caps"), "ban", part(e.GetBan(), "told.kamikaze-ban"))
}

func (t teller) points(e *downfallv1.PointsGiven) rules.Text {
	seat := t.seat(e.GetSeat())
	switch {
	case e.GetDie() != 0:
		return rules.Say("told.points-rolled", "seat", seat, "die", e.GetDie(), "bonus", e.GetBonus(), "points", e.GetPoints())
	case e.GetPaid() != 0:
		return rules.Say("told.points-paid", "seat", seat, "paid", e.GetPaid(), "points", e.GetPoints())
	}
	return rules.Say("told.points", "seat", seat, "points", e.GetPoints())
}

// bombs tells the atomic bombs (DF 6.8 to DF 6.10).
func (t teller) bombs(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_BombsDeclared:
		if n := k.BombsDeclared.GetCount(); n > 0 {
			return rules.Say("told.bombs", "n", n), true
		}
		return rules.Say("told.bombs-none"), true
	case *downfallv1.Event_BombTargeted:
		return rules.Say("told.bomb-target", "target", t.target(k.BombTargeted.GetHex(), k.BombTargeted.GetUnit())), true
	case *downfallv1.Event_BombRolled:
		b := k.BombRolled
		if b.GetSteps() == 0 {
			return rules.Say("told.bomb-dud", "target", t.target(b.GetHex(), b.GetUnit()), "die", b.GetDie()), true
		}
		return rules.Say("told.bomb", "target", t.target(b.GetHex(), b.GetUnit()), "die", b.GetDie(), "steps", b.GetSteps()), true
	case *downfallv1.Event_BombLosses:
		return t.bombLosses(k.BombLosses), true
	case *downfallv1.Event_Exploded:
		return t.exploded(k.Exploded), true
	}
	return rules.Text{}, false
}

func (t teller) bombLosses(e *downfallv1.BombLosses) rules.Text {
	var names []rules.Words
	for _, l := range e.GetLosses() {
		if l.GetSteps() > 0 {
			names = append(names, counted(t.unit(l.GetUnit()), int(l.GetSteps())))
		}
	}
	if names == nil {
		return rules.Say("told.bomb-nobody")
	}
	return rules.Say("told.bomb-losses", "losses", enumerate(names))
}

func (t teller) exploded(e *downfallv1.Exploded) rules.Text {
	pinned, shaken := e.GetPinned(), e.GetShaken()
	switch {
	case e.GetHex() != 0:
		return rules.Say("told.exploded", "hex", t.hex(e.GetHex()),
			"pinned", part(len(pinned) > 0, "told.exploded-pinned"), "shaken", part(len(shaken) > 0, "told.exploded-shaken"),
			"japanese", t.units(pinned), "american", t.units(shaken))
	case len(pinned) > 0:
		return rules.Say("told.exploded-box", "units", t.units(pinned))
	}
	return rules.Text{} // a unit in the box was destroyed
}
