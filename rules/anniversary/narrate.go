package anniversary

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// teller tells events: by the catalogue, and as said here where the fields alone do not say it.
var teller = kit.NewTeller(catalogue, &event{}, kit.Tellings[*Scenario]{
	Name: func(sc *Scenario, id string) any { return sc.called(id) },
	Fields: map[string]func(*Scenario, protoreflect.Value) any{
		"power": tellHolder, "acting": tellHolder, "by": tellHolder, "from": tellHolder, "to": tellHolder,
		"owner": tellHolder, "ally": tellHolder, "chooser": tellHolder,
		"phase":      func(_ *Scenario, v protoreflect.Value) any { return phaseName(Phase(v.Enum())) },
		"technology": func(_ *Scenario, v protoreflect.Value) any { return techName(Tech(v.Enum() - 1)) },
		"carriers":   tellConsent, "transports": tellConsent,
		"dice": tellDice, "bonds": tellDice, "volleys": tellVolleys, "hits": tellHits,
		"units": tellLines, "losses": tellPicked,
		"reverted": func(_ *Scenario, v protoreflect.Value) any { return v.List().Len() },
	},
	Facts: map[string]func(*Scenario, proto.Message, *rules.Text){
		"units_mobilized": tellEntrance, "units_moved": tellMove, "consent_asked": tellAsked,
		"fighters_diverted": tellDiverted, "antiaircraft_fired": tellFlak,
		"casualties_chosen": tellChoice, "territory_taken": tellTaken, "move_recalled": tellChanged(after),
		"air_units_lost": tellOwned(before), "retreated": tellChanged(before),
		"paratroopers_dropped": tellChanged(added), "casualties_taken": tellOwned(suffered),
		"casualties_removed": tellOwned(gone), "transports_sunk": tellOwned(gone),
		"game_ended": func(_ *Scenario, m proto.Message, t *rules.Text) {
			e, side := m.(*anniversaryv1.GameEnded), Allies
			if e.GetAxis() {
				side = Axis
			}
			*t = endText(side, e.GetEnd(), int(e.GetCities()))
		},
	},
})

// called is a reference to the name of a space, or its name. What the scenario does not have is called by its id.
func (s *Scenario) called(id string) any {
	if sp := s.SpaceByID(id); sp != NoSpace || id == "" {
		return spaceName(s, sp)
	}
	return rules.Words{En: id}
}

// tellHolder tells a power, or a space that is in its place.
func tellHolder(sc *Scenario, v protoreflect.Value) any {
	if id, ok := v.Interface().(string); ok {
		return sc.called(id)
	}
	return powerName(Power(min(uint32(v.Enum()-1), uint32(NoPower))))
}

// tellConsent is a reference to the word for a consent.
func tellConsent(_ *Scenario, v protoreflect.Value) any {
	return nameIn("consent", policyIDs[:], uint32(v.Enum()))
}

// tellDice writes dice; "-" for none.
func tellDice(_ *Scenario, v protoreflect.Value) any { return numbers(kit.ListOf[uint32](v)) }

func numbers(ns []uint32) string {
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = strconv.FormatUint(uint64(n), 10)
	}
	return orNone(strings.Join(s, " "))
}

// tellVolleys writes dice with what they hit with: "≤3: 1 5, ≤1: 2".
func tellVolleys(_ *Scenario, v protoreflect.Value) any {
	var s []string
	for _, volley := range kit.ListOf[*anniversaryv1.Volley](v) {
		s = append(s, "≤"+strconv.FormatUint(uint64(volley.GetHitsWith()), 10)+": "+numbers(volley.GetDice()))
	}
	return orNone(strings.Join(s, ", "))
}

// tellHits tells a number of hits, or the sum of those of each class.
func tellHits(_ *Scenario, v protoreflect.Value) any {
	if n, ok := v.Interface().(uint32); ok {
		return n
	}
	hits := 0
	for _, n := range kit.ListOf[uint32](v) {
		hits += int(n)
	}
	return hits
}

// tellEntrance tells units that come in where their complex is as if nothing was said of it.
func tellEntrance(_ *Scenario, m proto.Message, t *rules.Text) {
	if e := m.(*anniversaryv1.UnitsMobilized); e.GetThrough() == e.GetSpace() {
		t.Key = "told.units_mobilized"
	}
}

// tellMove names what moves, from where and by which way, and where transports land what they carry.
func tellMove(sc *Scenario, m proto.Message, t *rules.Text) {
	e := m.(*anniversaryv1.UnitsMoved)
	path := e.GetPath()
	if len(path) == 0 {
		*t = rules.Text{}
		return
	}
	r, target := cast(e.GetChanges())
	from, to, over := path[0], path[len(path)-1], ""
	switch {
	case e.GetRaid():
	case target != "":
		t.Key += "-assault"
	case from == to:
		t.Key += "-stayed"
	}
	if len(path) > 2 && e.GetBlitzed() == "" {
		over = "@told.units_moved+over"
		kit.Add(t, "via", sc.called(path[1]))
	}
	kit.Add(t, "units", r.words(), "from", sc.called(from), "to", sc.called(to), "over", over,
		"target", sc.called(target))
}

func tellAsked(_ *Scenario, m proto.Message, t *rules.Text) {
	kit.Add(t, "units", counted([]*anniversaryv1.Change{m.(*anniversaryv1.ConsentAsked).GetChange()}, before).words())
}

func tellDiverted(sc *Scenario, m proto.Message, t *rules.Text) {
	tellChanged(before)(sc, m, t)
	for _, c := range m.(*anniversaryv1.FightersDiverted).GetChanges() {
		kit.Add(t, "space", sc.called(c.GetAfter().GetSpace()))
	}
}

// tellFlak tells the dice of antiaircraft fire, and what it shot down.
func tellFlak(_ *Scenario, m proto.Message, t *rules.Text) {
	var dice []uint32
	hits := &rows{}
	for _, s := range m.(*anniversaryv1.AntiaircraftFired).GetShots() {
		dice = append(dice, s.GetDie())
		if s.GetHit() {
			hits.add(s.GetUnit(), 1)
		}
	}
	kit.Add(t, "dice", numbers(dice))
	hits.tell(t)
}

// tellChoice tells who chose casualties; nobody did where there was no choice.
func tellChoice(_ *Scenario, m proto.Message, t *rules.Text) {
	if m.(*anniversaryv1.CasualtiesChosen).GetPower() != 0 {
		t.Key += "-power"
	}
}

// tellTaken tells captures and liberations apart (AA 10).
func tellTaken(_ *Scenario, m proto.Message, t *rules.Text) {
	if e := m.(*anniversaryv1.TerritoryTaken); e.GetTo() != e.GetBy() {
		t.Key += "-freed"
	}
}

// endText says how a game ended.
func endText(winner Side, end anniversaryv1.GameEnd, cities int) rules.Text {
	if end == anniversaryv1.GameEnd_GAME_END_CONCESSION {
		return rules.Say("end.concession", "side", sideName(winner), "enemy", sideName(winner.Enemy()))
	}
	return rules.Say("end.cities", "side", sideName(winner), "n", cities)
}
