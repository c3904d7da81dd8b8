package toy

import (
	"slices"
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// unitSize is how many points of the canvas the distance between two hexes is.
const unitSize = 60

// terrainLooks and featureLooks are the colours of the map, with glyphs for text.
var (
	terrainLooks = kit.Looks(`
		clear #d8dcae .
		rough #b09870 ^
		water #88b0d8 ~
	`)
	featureLooks = kit.Looks("outpost #505050 *")
)

// draw draws the map in a language.
func (sc *Scenario) draw(lang rules.Lang) *boardv1.Map {
	canvas := kit.NewTightCanvas(sc.board, unitSize)
	m := &boardv1.Map{Width: canvas.Width, Height: canvas.Height}
	for at := range hex.Index(sc.board.Len()) {
		s := canvas.Space(at)
		s.Name, s.Terrain, s.Label = sc.names[at], terrainNames[sc.terrain[at]], s.Outline[0].Points[0]
		if _, ok := sc.outpostAt(at); ok {
			s.Features, s.Value = []string{"outpost"}, 1
		}
		m.Spaces = append(m.Spaces, s)
	}
	m.Legend = append(kit.Legend(about.Catalogue, lang, "terrain", terrainLooks, nil),
		kit.Legend(about.Catalogue, lang, "feature", featureLooks, nil)...)
	m.Digest = rules.MapDigest(m)
	return m
}

// Board draws the position. What a seat planned and what its scouts found is for that seat.
func (p *State) Board(v rules.Viewer, lang rules.Lang) *boardv1.Board {
	b := &boardv1.Board{MapDigest: p.sc.MapDigest(lang), Clock: p.clock(lang)}
	for u := range p.units {
		if piece := p.piece(Unit(u)); piece != nil {
			b.Pieces = append(b.Pieces, piece)
		}
	}
	for seat := Red; seat < numSeats; seat++ {
		if marker := p.planMarker(seat, v, lang); marker != nil {
			b.Pieces = append(b.Pieces, marker)
		}
	}
	for o, holder := range p.holders {
		if holder != rules.NoSeat {
			b.Spaces = append(b.Spaces,
				&boardv1.SpaceState{Id: p.hexID(p.sc.outposts[o]), Owner: about.SeatID(holder)})
		}
	}
	for seat := Red; seat < numSeats; seat++ {
		b.Tracks = append(b.Tracks, p.track("score", 1, seat, p.seats[seat].score, lang),
			p.track("supply", 2, seat, p.seats[seat].supply, lang))
	}
	if f := p.attack(); f != nil {
		b.Procedures = append(b.Procedures, &boardv1.Procedure{
			Kind: "attack",
			Text: about.Catalogue.Format(lang,
				rules.Say("procedure.attack", "unit", p.name(f.unit), "target", p.name(f.target))),
			Attackers: []string{p.id(f.unit)}, Defenders: []string{p.id(f.target)},
		})
	}
	return b
}

func (p *State) clock(lang rules.Lang) *boardv1.Clock {
	c := &boardv1.Clock{
		Turn: int32(p.turn), LastTurn: int32(p.lastTurn()), Phase: phaseNames[p.phase],
		Active: about.SeatID(p.active), Phases: slices.Clone(about.Phases), Order: p.order(),
	}
	text := rules.Say("clock.plan")
	if p.phase != PhasePlan {
		active := "-"
		if p.active != rules.NoSeat {
			active = seatText(p.active)
		}
		text = rules.Say("clock", "turn", int(p.turn), "last", int(p.lastTurn()), "phase", "@phase."+c.Phase,
			"seat", active)
		c.TurnText = about.Catalogue.Format(lang, rules.Say("clock.turn", "turn", int(p.turn),
			"last", int(p.lastTurn())))
	}
	c.Text = about.Catalogue.Format(lang, text)
	return c
}

// order is the order of player turns, which the first die decides for all turns (TY 1.3).
func (p *State) order() *boardv1.TurnOrder {
	if p.first == rules.NoSeat {
		return nil
	}
	o := &boardv1.TurnOrder{Seats: []string{about.SeatID(p.first), about.SeatID(rival(p.first))}, Lasts: true}
	switch {
	case p.phase != PhaseAct:
	case p.active == rival(p.first):
		o.Over = 1
	case p.active == rules.NoSeat:
		o.Over = 2
	}
	return o
}

func (p *State) piece(u Unit) *boardv1.Piece {
	unit, info := &p.units[u], &p.sc.units[u]
	if unit.steps == 0 {
		return nil
	}
	piece := &boardv1.Piece{
		Id: info.ID, Name: info.Name, ShortName: info.ID, Owner: about.SeatID(info.seat), Kind: "unit",
		Place: p.hexID(unit.at), Count: 1, Steps: int32(unit.steps), MaxSteps: int32(info.Steps),
		Numbers: []*boardv1.Number{{Key: "strength", Value: strconv.Itoa(int(info.Strength))}},
	}
	if unit.moved {
		piece.Marks = append(piece.Marks, "moved")
	}
	if unit.fought {
		piece.Marks = append(piece.Marks, "fought")
	}
	return piece
}

// seesPlan reports whether a viewer knows the plan of a seat: it is theirs, lies face up, or their scouts found it.
func (p *State) seesPlan(seat rules.Seat, v rules.Viewer) bool {
	s := &p.seats[seat]
	return s.plan != hex.None &&
		(s.bared || v.Holds(seat) || v.Holds(rival(seat)) && p.seats[rival(seat)].found != hex.None)
}

// planMarker shows the plan of a seat to those who know it.
func (p *State) planMarker(seat rules.Seat, v rules.Viewer, lang rules.Lang) *boardv1.Piece {
	if !p.seesPlan(seat, v) {
		return nil
	}
	id := about.SeatID(seat)
	return &boardv1.Piece{
		Id: "plan-" + id, Name: about.Catalogue.Format(lang, rules.Say("plan", "seat", seatText(seat))), ShortName: "?",
		Owner: id, Kind: "plan", Place: p.hexID(p.seats[seat].plan), Count: 1,
	}
}

func (p *State) track(kind string, rank int32, seat rules.Seat, value uint8, lang rules.Lang) *boardv1.Track {
	id := about.SeatID(seat)
	return &boardv1.Track{
		Id: kind + "-" + id, Name: about.Catalogue.Format(lang, rules.Say("track."+kind, "seat", seatText(seat))),
		Value: int64(value), Min: new(int64), Owner: id, Rank: rank,
	}
}

// view is the typed position as the viewer may see it.
func (p *State) view(v rules.Viewer) *toyv1.Position {
	m := &toyv1.Position{
		Turn: uint32(p.turn), Phase: phaseNames[p.phase], Active: about.SeatID(p.active), First: about.SeatID(p.first),
	}
	for u, unit := range p.units {
		m.Units = append(m.Units, &toyv1.UnitState{
			Id: p.id(Unit(u)), Hex: p.hexID(unit.at), Steps: uint32(unit.steps), Moved: unit.moved,
			Fought: unit.fought,
		})
	}
	for o, holder := range p.holders {
		m.Outposts = append(m.Outposts,
			&toyv1.OutpostState{Hex: p.hexID(p.sc.outposts[o]), Holder: about.SeatID(holder)})
	}
	for seat := Red; seat < numSeats; seat++ {
		s := &p.seats[seat]
		state := &toyv1.SeatState{
			Seat: about.SeatID(seat), Score: uint32(s.score), Supply: uint32(s.supply),
			Planned: s.plan != hex.None, Scouted: s.scouted, OffersDraw: s.offersDraw,
		}
		if p.seesPlan(seat, v) {
			state.Plan = p.hexID(s.plan)
		}
		if v.Holds(seat) {
			state.Found = p.hexID(s.found)
		}
		m.Seats = append(m.Seats, state)
	}
	if f := p.attack(); f != nil {
		m.Attack = &toyv1.AttackState{Unit: p.id(f.unit), Target: p.id(f.target),
			Result: resultOf(f.step), Vacated: p.hexID(f.vacated)}
	}
	return m
}

// resultOf is what the die said, as far as it still matters.
func resultOf(s step) toyv1.AttackResult {
	if s == stepDone {
		return 0
	}
	return toyv1.AttackResult(min(s, stepHit))
}
