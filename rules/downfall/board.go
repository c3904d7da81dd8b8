package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// picture draws a position for a viewer in a language.
type picture struct {
	*Position
	v    rules.Viewer
	lang rules.Lang
}

// Board draws the position. What only the US may know is left out for all others until the game is over (Part 3 of the
// specification: DF 8.6-a, DF 15.6-a, DF 15.6-b, DF 15.7).
func (p *Position) Board(v rules.Viewer, lang rules.Lang) *boardv1.Board {
	d := picture{p, v, lang}
	return &boardv1.Board{
		MapDigest: p.sc.MapDigest(lang),
		Pieces:    append(d.units(), d.markers()...), Spaces: d.spaces(), Tracks: d.tracks(), Clock: d.clock(),
		Procedures: d.procedures(), StandingOrders: d.standingOrders(),
	}
}

// say puts words into the language.
func (d *picture) say(key string, pairs ...any) string {
	return catalogue.Format(d.lang, rules.Say(key, pairs...))
}

// secrets reports whether the viewer knows what the US keeps to itself. Once the game is over everyone is
// a viewer who sees all.
func (p *Position) secrets(v rules.Viewer) bool { return v.Holds(US) }

// countsBombs reports whether the viewer knows how many bombs are left: everyone, unless the number was
// rolled in secret (DF 15.7).
func (p *Position) countsBombs(v rules.Viewer) bool { return !p.on(SecretBombs) || p.secrets(v) }

// neutral reports whether a unit is shown as one neutral counter, so that nobody but the US knows how it will come: the
// 11th Division until it has appeared on the map (DF 15.6-a).
func (p *Position) neutral(u Unit, v rules.Viewer) bool {
	return p.on(Airborne11) && u == p.sc.Infantry11 && p.place[u] == Holding && !p.rebuilt.Has(u) && !p.secrets(v)
}

// clock says when it is, and whose player turn.
func (d *picture) clock() *boardv1.Clock {
	c := &boardv1.Clock{
		Turn: int32(d.turn), LastTurn: int32(d.sc.Chart.LastTurn()), Phase: phaseIDs[d.phase], Phases: turnPhases(),
	}
	if seat := d.active(); seat != rules.NoSeat {
		c.Active = seatIDs[seat]
	}
	if d.turn != 0 {
		c.Order = d.order()
	}
	if d.turn == 0 {
		c.Text = d.say("clock.setup", "phase", phaseText(d.phase))
	} else {
		label := words(d.sc.Chart.Turns[d.turn].Label)
		c.Text = d.say("clock", "turn", int(d.turn), "last", d.sc.Chart.LastTurn(), "label", label,
			"phase", phaseText(d.phase))
		c.TurnText = d.say("clock.turn", "turn", int(d.turn), "last", d.sc.Chart.LastTurn(), "label", label)
	}
	return c
}

// order is the order of player turns, Japan's first in every turn (DF 5.2-IIA, DF 5.2-IIIA).
func (d *picture) order() *boardv1.TurnOrder {
	o := &boardv1.TurnOrder{Seats: []string{seatIDs[Japan], seatIDs[US]}, Lasts: true}
	for _, last := range [...]Phase{JapanActions, USActions} {
		if d.phase > last {
			o.Over++
		}
	}
	return o
}

// spaces says what is true of the hexes now: who controls them (DF 11.7), what bombs left of them (DF 6.10-c), what
// was attacked (DF 7.8-a).
func (d *picture) spaces() []*boardv1.SpaceState {
	var all []*boardv1.SpaceState
	for i := range d.at {
		h := Hex(i)
		s := &boardv1.SpaceState{Id: d.sc.HexID(h)}
		for seat := range seatIDs {
			if d.controls(rules.Seat(seat), h) {
				s.Owner = seatIDs[seat]
			}
		}
		if d.exploded.Has(h) {
			s.Terrain, s.Marks = d.sc.Terrains[d.sc.Bombed].ID, append(s.Marks, "exploded")
		}
		if d.attacked.Has(h) {
			s.Marks = append(s.Marks, "attacked")
		}
		if d.phase != PhaseNone && d.mixed(h) {
			s.Marks = append(s.Marks, "mixed")
		}
		if s.Owner != "" || s.Marks != nil {
			all = append(all, s)
		}
	}
	return all
}

// procedures are the consecutive attack and the combat that are under way, outermost first.
func (d *picture) procedures() []*boardv1.Procedure {
	var all []*boardv1.Procedure
	if c := &d.decl; c.on {
		key := "procedure.declaring"
		if c.declared {
			key = "procedure.consecutive"
		}
		target := d.sc.HexID(c.target)
		r := &boardv1.Procedure{
			Kind: "consecutive",
			Text: d.say(key, "seat", seatText(rules.Seat(c.seat)), "target", target, "n", int(c.count),
				"begun", int(c.begun)),
			Defenders: d.ids(d.at[c.target]), Spaces: []string{target},
		}
		for i := range c.count {
			r.Attackers = append(r.Attackers, d.ids(c.units[i])...)
			r.Spaces = append(r.Spaces, d.sc.HexID(c.from[i]))
		}
		all = append(all, r)
	}
	if f := &d.fight; f.on {
		all = append(all, d.combat(f))
	}
	return all
}

func (d *picture) combat(f *fight) *boardv1.Procedure {
	from, target, seat := d.sc.HexID(f.from), d.sc.HexID(f.target), US
	if f.byJapan {
		seat = Japan
	}
	r := &boardv1.Procedure{Kind: "combat", Attackers: d.ids(f.attackers), Defenders: d.ids(f.defenders),
		Spaces: []string{from, target}}
	if f.landing {
		r.Kind, r.Spaces = "landing", []string{target}
		r.Text = d.say("procedure.landing", "target", target, "stage", stageText(f.stage), "support", d.support(f))
		return r
	}
	r.Text = d.say("procedure.combat", "seat", seatText(seat), "from", from, "target", target,
		"stage", stageText(f.stage), "support", d.support(f))
	return r
}

// support is what supports a combat, in words.
func (d *picture) support(f *fight) string {
	switch {
	case f.air && f.naval > 0:
		return d.say("support.both", "naval", int(f.naval))
	case f.naval > 0:
		return d.say("support.naval", "naval", int(f.naval))
	case f.air:
		return d.say("support.air")
	}
	return d.say("support.none")
}
