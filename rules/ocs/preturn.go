package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// rollWeather determines the weather of the turn with one die on the column of the turn; a scenario may say it instead
// (OCS 2.3-A, OCS 17.0). There is one weather, for both sides (OCS 17.0b).
func (p *Position) rollWeather(x *exec) {
	t := p.sc.Doc.GetTurns()[p.turn-1]
	row, die := t.GetFixedWeather(), 0
	if row == nil {
		die = x.Roll(6, "weather")
		for _, c := range p.sc.Doc.GetWeather() {
			if c.GetId() == t.GetWeather() {
				row = c.GetRows()[die-1]
			}
		}
	}
	tell(x, &event{
		Changes: []*ocsv1.Change{{Kind: &ocsv1.Change_Weather{Weather: &ocsv1.WeatherChange{
			Ground: row.GetGround(), Flight: row.GetFlight(), Sea: row.GetSea(),
		}}}},
		Fact: &ocsv1.Event_WeatherRolled{WeatherRolled: &ocsv1.WeatherRolled{
			Die: uint32(die), Ground: row.GetGround(), Flight: row.GetFlight(), Sea: row.GetSea(),
		}},
	})
}

// rollInitiative gives the first player turn as the scenario says, or lets both sides roll two dice until one total is
// higher; that side chooses (OCS 2.3-B).
func (p *Position) rollInitiative(x *exec) {
	switch first := p.sc.Doc.GetTurns()[p.turn-1].GetFirst(); first {
	case seatIDs[Blue], seatIDs[Red]:
		p.takeTurns(x, first, true)
		return
	}
	for {
		var total [numSeats]int
		for seat := range numSeats {
			total[seat] = x.Roll(6, "initiative") + x.Roll(6, "initiative")
		}
		winner := rules.NoSeat
		switch {
		case total[Blue] > total[Red]:
			winner = Blue
		case total[Red] > total[Blue]:
			winner = Red
		}
		c := p.changed()
		c.clock(&ocsv1.ClockChange{Chooser: proto.String(seatID(winner))})
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_InitiativeRolled{InitiativeRolled: &ocsv1.InitiativeRolled{
			Blue: uint32(total[Blue]), Red: uint32(total[Red]), Winner: seatID(winner),
		}}})
		if winner != rules.NoSeat {
			return
		}
	}
}

// takeTurns says who plays first.
func (p *Position) takeTurns(x *exec, first string, fixed bool) {
	c := p.changed()
	c.clock(&ocsv1.ClockChange{First: proto.String(first), Chooser: proto.String("")})
	tell(x,
		&event{Changes: c.list,
			Fact: &ocsv1.Event_OrderChosen{OrderChosen: &ocsv1.OrderChosen{First: first, Fixed: fixed}}})
}

// playOrder carries out the choice of the side with the higher total (OCS 2.3-B).
func (p *Position) playOrder(x *exec, seat rules.Seat, c *Command) {
	first := seat
	if !c.Yes {
		first = enemy(seat)
	}
	p.takeTurns(x, seatIDs[first], false)
}

// playAgree notes an answer to the question for a simultaneous turn; both must agree (OCS 2.4).
func (p *Position) playAgree(x *exec, seat rules.Seat, c *Command) {
	k := p.changed()
	m := &ocsv1.ClockChange{Ended: []string{seatIDs[seat]}}
	switch {
	case !c.Yes:
		m.Ended = seatIDs[:] // one refusal is enough
	case p.ended != 0:
		m.Simultaneous = proto.Bool(true)
	}
	k.clock(m)
	tell(x,
		&event{Changes: k.list,
			Fact: &ocsv1.Event_SimultaneousAnswered{SimultaneousAnswered: &ocsv1.SimultaneousAnswered{
				Seat: seatIDs[seat], Yes: c.Yes,
			}}})
}

// listYesNo lists both answers to a question.
func listYesNo(k Kind) func(*lister) {
	return func(l *lister) {
		yes := only(k)
		yes.Yes = true
		l.checked(yes)
		l.checked(only(k))
	}
}

// cleanUp removes DG and Exploitation markers of the phasing side, so that its units are in the mode of their face
// (OCS 2.3-J, OCS 5.3, OCS 5.10), its lasting fuel (OCS 12.5d), and trainbusting markers of the other side (OCS
// 14.8d). In a simultaneous turn it does so for both.
func (p *Position) cleanUp(x *exec) {
	for seat := range numSeats {
		if p.together || seat == p.phasing {
			p.cleanUpOf(x, seat)
		}
	}
}

func (p *Position) cleanUpOf(x *exec, seat rules.Seat) {
	c := p.changed()
	fact := &ocsv1.MarkersCleared{Seat: seatIDs[seat]}
	for i := range p.units {
		u, s := Unit(i), &p.units[i]
		if s.seat != seat || !p.counter(u).Kind.Land() || !s.place.onMap() && s.place != Aboard {
			continue
		}
		if s.marker == DG || s.marker == Exploitation {
			m := c.unit(u)
			m.Marker, m.Unset = ocsv1.Marker_MARKER_NONE, []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_HAD_ZOC}
			fact.Units = append(fact.Units, p.id(u))
		}
		if s.fuel != noFuel {
			c.unit(u).Fuel = ocsv1.Fuel_FUEL_NONE
		}
		if s.marks.has(ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL) {
			m := c.unit(u)
			m.Unset = append(m.Unset, ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL)
		}
	}
	for _, u := range p.navy(seat) { // OCS 18.1d
		if p.units[u].marker == DG {
			c.unit(u).Marker = ocsv1.Marker_MARKER_NONE
			fact.Units = append(fact.Units, p.id(u))
		}
	}
	for i := range p.sc.Hexes {
		if p.cells[i].bust == enemy(seat) {
			c.hex(Place(i)).Trainbusting = proto.String("")
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_MarkersCleared{MarkersCleared: fact}})
	}
}
