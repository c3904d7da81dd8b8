package ocs

import "github.com/warledger/warledger/rules"

// victoryPoints are the points of the side whose points are counted, as things stand: hexes that it controls.
func (p *Position) victoryPoints() int {
	v := p.sc.Doc.GetVictory()
	seat, points := p.seatOf(v.GetSeat()), 0
	for _, h := range v.GetHexes() {
		if p.cell(p.sc.names[h.GetHex()]).owner == seat {
			points += int(h.GetPoints())
		}
	}
	return points
}

// endGame ends the game after its last turn: the level is the first whose points are reached.
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

// ending says how the game ended; nil while it goes on.
func (p *Position) ending() *rules.Ending {
	if !p.over() {
		return nil
	}
	e := &rules.Ending{Level: "conceded", Scores: map[rules.Seat]int{p.seatOf(p.sc.Doc.GetVictory().GetSeat()): int(p.points)}}
	level, conceded := int(p.level)-1, ""
	if p.winner < numSeats {
		e.Winners = rules.SeatsOf(p.winner)
	}
	switch {
	case level > 0:
		e.Level = p.sc.Doc.GetVictory().GetLevels()[min(level, len(p.sc.Doc.GetVictory().GetLevels()))-1].GetName().GetEn()
	case p.winner < numSeats:
		conceded = seatIDs[enemy(p.winner)]
	}
	e.Text = endText(p.sc, seatID(p.winner), level, int(p.points), conceded)
	return e
}
