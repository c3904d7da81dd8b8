package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// skies offers the scenario of the air war only.
type skies struct{ rules.Ruleset }

func (s skies) ScenarioDocuments() []rules.Document {
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-skies" {
			return []rules.Document{d}
		}
	}
	return nil
}

// Random games of the air war hold to the contract, and nobody sees what is hidden of the other
// side's air units and plans.
func TestAirBattery(t *testing.T) {
	rulestest.Proves(t, ruleset, "OCS 4.8b-E", "OCS 4.9a")
	rulestest.Battery(t, skies{ruleset}, rulestest.Config{
		Games: 1, Choices: 1, Commands: 20000, Sample: 60, Listed: 10, Secrets: true, Pick: brisk, Hide: hideAir,
		Parted: dumpsDiffer,
		Open:   func(string) bool { return true },
	})
}

// hideAir is hide, and changes of what lies under the top air unit of a base, of what is carried, and of plans.
func hideAir(g rules.Game, v rules.Viewer) []rules.Game {
	sc := g.Scenario().(*Scenario)
	list := hide(g, v)
	for seat := range numSeats {
		if v.Holds(seat) {
			continue
		}
		for _, change := range [...]func(*Position, rules.Seat) bool{otherWings, otherPlans} {
			p, err := parsePosition(sc, g.Notation())
			if err != nil || !change(p, seat) {
				continue
			}
			if other, err := ruleset.ParsePosition(sc, p.format()); err == nil {
				list = append(list, other)
			}
		}
	}
	return list
}

// otherWings changes the steps of air units that are not seen: inactive ones, while no procedure is under way.
func otherWings(p *Position, seat rules.Seat) bool {
	some := false
	if len(p.frames) > 0 {
		return false
	}
	for u := range p.aloft(seat) {
		if s := p.units[u]; !p.active(u) {
			s.lost = 1 - s.lost
			p.set(u, s)
			some = true
		}
	}
	return some
}

// otherPlans changes the plans of drops.
func otherPlans(p *Position, seat rules.Seat) bool {
	some := false
	for _, u := range p.parachutists(seat) {
		s := p.units[u]
		if s.plan == Nowhere {
			s.plan, s.due = Place(p.sc.names["10.10"]), 4
		} else {
			s.plan, s.due = Nowhere, 0
		}
		p.set(u, s)
		some = true
	}
	return some
}

// An air unit and a ship are no pieces of the land war: nothing of it meets them.
func TestWingsApart(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.5", "OCS 4.8c-D", "OCS 15.0a")
	g := onGround(t, "x-1 blue regiment other infantry 4-4-3leg 3-3-8leg").put("10.07", "x-1 bl-f1 bl-dd").hex("10.07",
		"air_base=2")
	at := g.place("10.07")
	for u := range g.p.at(at) {
		if g.p.id(u) != "x-1" {
			t.Errorf("%s is among land units", g.p.id(u))
		}
	}
	if c := g.p.cell(at); c.pieces[Blue] != 1 || c.combat[Blue] != 1 {
		t.Errorf("counts %v", c.pieces)
	}
	if g.p.topPlane(Blue, at) != g.unit("bl-f1") {
		t.Error("the fighter is not on top")
	}
	g.segment(SegMovement, Blue)
	_, err := g.try(Blue, "move bl-f1 10.08")
	if err == nil {
		t.Error("an air unit moved by land")
	}
	if got := g.p.sees(rules.SeatViewer(Red), g.unit("bl-f1")); got != topOnly {
		t.Errorf("the enemy sees %v of the fighter", got)
	}
	g.put("10.07", "bl-t1")
	if got := g.p.sees(rules.SeatViewer(Red), g.unit("bl-t1")); got != unseen {
		t.Errorf("the enemy sees %v of what lies under it", got)
	}
	c := g.p.changed()
	c.mark(g.unit("bl-f1"), ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	g.change(c)
	if got := g.p.topPlane(Blue, at); got != g.unit("bl-t1") {
		t.Errorf("on top is %v", got)
	}
}
