package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Victory is what a scenario says: points for hexes and other things, and levels.

// victoryPoints returns the current points of the side whose points are counted: its bid less its enemy's, the hexes
// that it controls, and whatever else the scenario counts.
func (p *Position) victoryPoints() int {
	v := p.sc.Doc.GetVictory()
	seat := p.seatOf(v.GetSeat())
	points := int(p.opt.bids[seat]) - int(p.opt.bids[enemy(seat)])
	for _, h := range v.GetHexes() {
		if at := p.sc.names[h.GetHex()]; p.cell(at).owner == seat && (!v.GetTraced() || p.tracedHold(seat, at)) {
			points += int(h.GetPoints())
		}
	}
	for i, t := range v.GetAdjust() {
		points += int(t.GetPoints()) * p.times(i, t)
	}
	return points
}

// tracedHold reports whether a hex counts where only units in supply do: its owner was there last, and if combat units
// of it stand there, one of them can trace supply.
func (p *Position) tracedHold(seat rules.Seat, at Place) bool {
	if !p.combatIn(seat, at) {
		return true
	}
	s := p.survey(seat)
	for u := range p.of(seat, at) {
		if p.isCombat(u) && s.traces(u) {
			return true
		}
	}
	return false
}

// times is how often the points of a condition are given.
func (p *Position) times(i int, t *ocsv1.VictoryTest) int {
	n := 0
	switch t.GetKind() {
	case "control_by", "first_control":
		if p.register(p.seatOf(p.sc.Doc.GetVictory().GetSeat()), ocsv1.Register_REGISTER_CONDITIONS)&(1<<i) != 0 {
			n = 1
		}
		return n
	case "dead_at_end":
		n = p.deadOf(t)
	case "ships_sunk":
		n = p.sunkOf(t)
	}
	return max(0, n-int(t.GetFree())) / max(1, int(t.GetPer()))
}

// deadOf counts the units of the dead pile that a condition names: one, or those of a nationality and size.
func (p *Position) deadOf(t *ocsv1.VictoryTest) (n int) {
	for u := range p.units {
		c := p.counter(Unit(u))
		switch {
		case p.units[u].place != Dead || !c.Kind.Land():
		case t.GetUnit() != "":
			if c.ID == t.GetUnit() {
				n++
			}
		case c.Nation >= 0 && p.sc.Nations[c.Nation].ID == t.GetNationality() &&
			(t.GetSize() == "" || c.Size == t.GetSize()):
			n++
		}
	}
	return n
}

// noteConditions notes conditions of control that have come true in their turns: that a side controls a hex, or does
// so for the first time.
func (p *Position) noteConditions(x *exec) {
	list := p.sc.Doc.GetVictory().GetAdjust()
	seat := p.seatOf(p.sc.Doc.GetVictory().GetSeat())
	before := p.register(seat, ocsv1.Register_REGISTER_CONDITIONS)
	now := before
	for i, t := range list {
		first := t.GetKind() == "first_control"
		if !first && t.GetKind() != "control_by" || int(p.turn) < int(t.GetFrom()) || int(p.turn) > int(t.GetTo()) {
			continue
		}
		if p.cell(p.sc.names[t.GetHex()]).owner == p.seatOf(t.GetSeat()) && !(first && takenBefore(list, now, i)) {
			now |= 1 << i
		}
	}
	if now != before {
		c := p.changed()
		c.register(seat, ocsv1.Register_REGISTER_CONDITIONS, now)
		tell(x, &event{Changes: c.list})
	}
}

// takenBefore reports whether another condition has counted the first control of the same hex.
func takenBefore(list []*ocsv1.VictoryTest, done, i int) bool {
	for j, t := range list {
		if j != i && t.GetKind() == "first_control" && t.GetHex() == list[i].GetHex() && done&(1<<j) != 0 {
			return true
		}
	}
	return false
}

// wonEarly reports whether the side whose points are counted controls all that ends the game at once, and no combat
// unit of the other side is in the columns that must be free of them.
func (p *Position) wonEarly() bool {
	v := p.sc.Doc.GetVictory()
	if len(v.GetEarlyControls()) == 0 || p.turn == 0 {
		return false
	}
	seat := p.seatOf(v.GetSeat())
	for _, id := range v.GetEarlyControls() {
		if p.cell(p.sc.names[id]).owner != seat {
			return false
		}
	}
	for u := range p.all(enemy(seat)) {
		if h := p.units[u].place.Hex(); v.GetEarlyColumns() > 0 && h != NoHex && p.isCombat(u) &&
			column(p.sc.Map.ID(h)) <= int(v.GetEarlyColumns()) {
			return false
		}
	}
	return true
}

// column is the column in the id of a hex, "CC.RR" with a map letter or without (OCS Intro-I-A).
func column(id string) (n int) {
	for _, r := range id {
		switch {
		case r == '.':
			return n
		case r >= '0' && r <= '9':
			n = 10*n + int(r-'0')
		}
	}
	return n
}

// endGame ends the game after its last turn, or at once: the level is the first whose points are reached.
func (p *Position) endGame(x *exec) {
	points := p.victoryPoints()
	for i, l := range p.sc.Doc.GetVictory().GetLevels() {
		if points < int(l.GetMin()) {
			continue
		}
		winner := rules.NoSeat
		if l.GetWinner() != "" {
			winner = p.seatOf(l.GetWinner())
		}
		p.finish(x, winner, i+1, points, rules.NoSeat)
		return
	}
	p.finish(x, rules.NoSeat, 0, points, rules.NoSeat)
}

// Ending says how the game ended; nil while it goes on.
func (p *Position) Ending() *rules.Ending {
	if !p.over() {
		return nil
	}
	e := &rules.Ending{Level: "conceded",
		Scores: map[rules.Seat]int{p.seatOf(p.sc.Doc.GetVictory().GetSeat()): int(p.points)}}
	level, conceded := int(p.level)-1, ""
	if p.winner < numSeats {
		e.Winners = rules.SeatsOf(p.winner)
	}
	switch {
	case level > 0:
		e.Level = p.sc.Doc.GetVictory().GetLevels()[min(level, len(p.sc.Doc.GetVictory().GetLevels()))-
			1].GetName().GetEn()
	case p.winner < numSeats:
		conceded = seatIDs[enemy(p.winner)]
	}
	e.Text = endText(p.sc, seatID(p.winner), level, int(p.points), conceded)
	return e
}
