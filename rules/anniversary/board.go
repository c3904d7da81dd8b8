package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// drawer draws a position for a viewer in a language.
type drawer struct {
	*Position
	v    rules.Viewer
	lang rules.Lang
}

// Board draws the position. Everything on it is open to everyone; standing orders alone are their seat's own.
func (p *Position) Board(v rules.Viewer, lang rules.Lang) *boardv1.Board {
	d := drawer{p, v, lang}
	return &boardv1.Board{
		MapDigest: p.sc.MapDigest(lang),
		Pieces:    d.pieces(), Spaces: d.spaces(), Tracks: d.tracks(), Clock: d.clock(), Procedures: d.procedures(),
		Plans: d.plans(), StandingOrders: d.standingOrders(),
	}
}

// say puts words into the language.
func (d *drawer) say(key string, pairs ...any) string {
	if d.lang == rules.Wordless {
		return ""
	}
	return catalogue.Format(d.lang, rules.Say(key, pairs...))
}

// seatID is the id of the seat that plays a power; empty for NoPower.
func seatID(w Power) string {
	if w >= NumPowers {
		return ""
	}
	return scenario.PowerIDs[w.Seat()]
}

// clock says when it is, and whose turn.
func (d *drawer) clock() *boardv1.Clock {
	c := &boardv1.Clock{Turn: int32(d.round), Phase: phaseIDs[d.phase], Phases: turnPhases(), Active: seatID(d.power),
		Order: d.order()}
	switch {
	case d.power == NoPower:
		c.Text = d.say("clock.between", "round", int(d.round))
		c.TurnText = c.Text
		return c
	case d.acting != d.power:
		c.Text = d.say("clock.acting", "round", int(d.round), "power", powerName(d.power),
			"acting", powerName(d.acting), "phase", phaseName(d.phase))
	default:
		c.Text = d.say("clock", "round", int(d.round), "power", powerName(d.power), "phase", phaseName(d.phase))
	}
	c.TurnText = d.say("clock.turn", "round", int(d.round), "power", powerName(d.acting))
	return c
}

// order is the order of play, the same in every round (AA 4.1).
func (d *drawer) order() *boardv1.TurnOrder {
	o := &boardv1.TurnOrder{Over: int32(d.turn), Lasts: true}
	for _, w := range d.sc.Order {
		o.Seats = append(o.Seats, seatID(w))
	}
	return o
}

// spaces says what is true of spaces now: who controls them, which victory cities and capitals they hold against their
// first owner, what bombs did to complexes, and where combat is.
func (d *drawer) spaces() []*boardv1.SpaceState {
	var all []*boardv1.SpaceState
	fights := d.fights()
	for s := range Space(d.sc.Len()) {
		m := &boardv1.SpaceState{Id: d.sc.SpaceID(s), Owner: seatID(d.owner[s])}
		for _, x := range [...]struct {
			holds bool
			mark  string
		}{
			{d.owner[s] == China, "china"}, {d.owner[s] != NoPower && d.owner[s] != d.sc.Original[s], "occupied"},
			{d.damage[s] > 0, "bombarded"}, {d.sc.IsSea(s) && d.hostileNow(s), "hostile"}, {d.fought.Has(s), "fought"},
			{d.ignored.Has(s), "ignored"},
			{fights.Has(s), "combat"}, {d.battle.on() && d.battle.at == s, "battle"},
		} {
			if x.holds {
				m.Marks = append(m.Marks, x.mark)
			}
		}
		if m.Owner != "" || m.Marks != nil {
			all = append(all, m)
		}
	}
	return all
}

// hostileNow reports whether a sea zone is hostile to the side whose turn it is (AA 2.7.1).
func (d *drawer) hostileNow(s Space) bool { return d.acting != NoPower && d.hostileSea(s) }

// fights are the spaces in which combat is to be fought in the step of Conduct Combat.
func (d *drawer) fights() SpaceSet {
	if d.power == NoPower || d.phase != PhaseCombat {
		return SpaceSet{}
	}
	return d.agenda().must
}

// plans are the combats that the combat moves so far lead to, and in the step of Conduct Combat those still to come.
func (d *drawer) plans() []*boardv1.Procedure {
	var set SpaceSet
	switch {
	case d.power == NoPower || d.over():
	case d.phase == PhaseMove:
		set = d.planned()
	case d.phase == PhaseCombat:
		set = d.agenda().must
	}
	if d.battle.on() {
		set.Remove(d.battle.at)
	}
	var all []*boardv1.Procedure
	for at := range set.Each {
		lands := func(k Key) bool { return k.Power() == d.acting && k.Unit() == Transport && k.Target() == at }
		plan := &boardv1.Procedure{
			Kind: "battle", Text: d.say("procedure.planned", "space", spaceName(d.sc, at)),
			Attackers: d.piecesAt(at, d.attacks), Defenders: d.piecesAt(at, d.defends), Spaces: d.spaceList(at),
		}
		for _, z := range d.sc.SeaNear[at] {
			plan.Attackers = append(plan.Attackers, d.piecesAt(z, lands)...)
		}
		all = append(all, plan)
	}
	return all
}

// procedures are the combat and the request to an ally that are under way.
func (d *drawer) procedures() []*boardv1.Procedure {
	var all []*boardv1.Procedure
	if b := &d.battle; b.on() {
		all = append(all, &boardv1.Procedure{
			Kind: "battle", Text: d.say("procedure.battle", "space", spaceName(d.sc, b.at), "round", int(b.round),
				"stage", stageName(b.stage)),
			Attackers: d.piecesAt(b.at, d.attacks), Defenders: d.piecesAt(b.at, d.defends), Spaces: d.spaceList(b.at),
		})
	}
	if r := &d.request; r.on() {
		p := &boardv1.Procedure{
			Kind: "request", Text: d.say("procedure.request", "power", powerName(r.power), "ally", powerName(r.ally),
				"units", rowOf(r.before.Unit(), int(r.n)).words()),
			Attackers: d.pieceList(r.before), Defenders: d.pieceList(r.ship), Spaces: d.spaceList(r.before.At()),
		}
		if r.after != 0 && r.after.At() != r.before.At() {
			p.Spaces = append(p.Spaces, d.sc.SpaceID(r.after.At()))
		}
		all = append(all, p)
	}
	return all
}
