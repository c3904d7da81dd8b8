package ocs

import (
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// picture draws a position for a viewer in a language.
type picture struct {
	*Position
	v    rules.Viewer
	lang rules.Lang
}

// Board draws the position. What a viewer sees of a unit is sees' business.
func (p *Position) Board(v rules.Viewer, lang rules.Lang) *boardv1.Board {
	d := picture{p, v, lang}
	b := &boardv1.Board{MapDigest: p.sc.MapDigest(lang), Clock: d.clock(), Spaces: d.spaces(),
		Tracks: d.tracks()}
	for u := range p.units {
		if s := p.sees(v, Unit(u)); s != unseen && (p.units[u].place != Waiting || p.sc.tab.due[p.units[u].counter]) {
			b.Pieces = append(b.Pieces, d.piece(Unit(u), s))
		}
	}
	b.Pieces = append(append(b.Pieces, d.formations()...), d.works()...)
	b.Procedures, b.StandingOrders = d.procedures(), d.standingOrders()
	return b
}

func (d *picture) say(key string, pairs ...any) string {
	return catalogue.Format(d.lang, rules.Say(key, pairs...))
}

func (d *picture) clock() *boardv1.Clock {
	c := &boardv1.Clock{Turn: int32(d.turn), LastTurn: int32(d.sc.Turns()), Phase: segments[d.segment].id,
		Phases: segmentIDs(), Active: seatID(d.phasing), Order: d.order()}
	if d.turn == 0 {
		c.Text = d.say("clock.setup")
		return c
	}
	key, short, name := "clock", "clock.turn", d.sc.words(d.sc.Doc.GetTurns()[d.turn-1].GetName())
	if name.En == "" || name.En == "Turn "+strconv.Itoa(int(d.turn)) { // it says nothing that the number does not
		key, short = "clock.plain", "clock.turn-plain"
	}
	c.Text = d.say(key, "turn", int(d.turn), "last", d.sc.Turns(), "name", name,
		"segment", "@segment."+segments[d.segment].id)
	c.TurnText = d.say(short, "turn", int(d.turn), "last", d.sc.Turns(), "name", name)
	return c
}

// order is the order of player turns, once the first player is known (OCS 2.3-B). It is decided anew in each turn. A
// simultaneous turn has none (OCS 2.4).
func (d *picture) order() *boardv1.TurnOrder {
	after := segments[d.segment].phase == turnEndPhase
	if d.first == rules.NoSeat || d.together || !after && !d.segment.inPlayerTurn() {
		return nil
	}
	o := &boardv1.TurnOrder{Seats: []string{seatID(d.first), seatID(enemy(d.first))}}
	switch {
	case d.phasing == enemy(d.first):
		o.Over = 1
	case after:
		o.Over = 2
	}
	return o
}

// segmentIDs are the segments of a turn in order.
func segmentIDs() []string {
	var ids []string
	for s := SegWeather; s < numSegments; s++ {
		ids = append(ids, segments[s].id)
	}
	return ids
}

// piece draws a unit.
func (d *picture) piece(u Unit, s sight) *boardv1.Piece {
	x, c := &d.units[u], d.counter(u)
	if !c.Kind.Land() {
		return d.airPiece(u, s)
	}
	face := d.shown(u)
	m := &boardv1.Piece{
		Id: d.id(u), Name: c.Name.In(d.lang), Owner: seatID(x.seat), Kind: pieceKind(c),
		Place: d.sc.PlaceID(d.spot(u)), Count: 1,
		Marks: d.pieceMarks(x, s), ShortName: shortName(c.Name.In(rules.English)), Symbol: symbol(c),
	}
	if c.Formation >= 0 {
		m.Formation = d.sc.Formations[c.Formation].ID
	}
	if c.Kind.Combat() {
		m.Numbers = []*boardv1.Number{{Key: "strength", Value: strength(face)},
			{Key: "rating", Value: strconv.Itoa(face.Rating)}}
		if face.Barrage > 0 {
			m.Numbers = append(m.Numbers, &boardv1.Number{Key: "barrage", Value: strconv.Itoa(face.Barrage)})
		}
	}
	m.Numbers = append(m.Numbers, &boardv1.Number{Key: "movement", Value: formatCost(face.Movement)})
	if s == full {
		m.Steps, m.MaxSteps = int32(c.Steps)-int32(x.lost), int32(c.Steps)
		if x.points > 0 {
			m.Numbers = append(m.Numbers, &boardv1.Number{Key: "points", Value: tokens(int(x.points))},
				&boardv1.Number{Key: "load", Value: tokens(int(x.load))})
		}
	}
	return m
}

// strength writes a combat strength, in parentheses if it is for defence only.
func strength(f *FaceInfo) string {
	if f.DefenceOnly {
		return "(" + strconv.Itoa(f.Strength) + ")"
	}
	return strconv.Itoa(f.Strength)
}

// tokens writes an amount of supply as "3 SP 2T" (OCS 12.1a).
func tokens(n int) string {
	switch {
	case n%oneSP == 0:
		return strconv.Itoa(n/oneSP) + " SP"
	case n < oneSP:
		return strconv.Itoa(n) + "T"
	}
	return strconv.Itoa(n/oneSP) + " SP " + strconv.Itoa(n%oneSP) + "T"
}

func pieceKind(c *Counter) string {
	switch {
	case c.HQ:
		return "headquarters"
	case c.Kind == AirUnit:
		return "air-unit"
	case c.Craft != noCraft:
		return "landing-craft"
	case c.Kind == ShipUnit:
		return "ship"
	case c.Kind == OrganicUnit || c.Kind == TransportPoints:
		return "transport"
	case c.Kind == Pax || c.Kind == Eq:
		return "replacement"
	case len(c.Symbols) > 0:
		return c.Symbols[0]
	}
	return "unit"
}

// markerIDs are the mode markers on boards.
var markerIDs = [...]string{Reserve: "reserve", Strat: "strat", DG: "dg", Exploitation: "exploitation"}

func (d *picture) pieceMarks(x *unit, s sight) []string {
	var marks []string
	if x.face == MoveFace {
		marks = append(marks, "move")
	}
	if x.marker > NoMarker {
		marks = append(marks, markerIDs[x.marker])
	}
	if x.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
		marks = append(marks, "oos")
	}
	if s != full {
		return append(marks, "hidden")
	}
	if x.place == Aboard {
		marks = append(marks, "aboard")
	}
	for _, m := range [...]struct {
		on bool
		id string
	}{
		{x.stocks == stocksLow, "low"}, {x.stocks == stocksExhausted, "exhausted"}, {x.fuel > noFuel, "fuel"},
		{x.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER), "extender"},
		{x.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE), "done"},
		{x.marks.has(ocsv1.UnitMark_UNIT_MARK_RELEASED), "released"},
	} {
		if m.on {
			marks = append(marks, m.id)
		}
	}
	return marks
}

// formations draws the formation markers that the viewer sees, with the mode on them and the fuelled side (OCS 13.7).
func (d *picture) formations() []*boardv1.Piece {
	var all []*boardv1.Piece
	for _, m := range d.viewMarkers(d.v) {
		x := &boardv1.Piece{
			Id:   "formation-" + m.GetFormation() + "@" + m.GetAt(),
			Name: d.sc.formationName(m.GetFormation()).In(d.lang), Owner: m.GetSeat(),
			Kind: "formation-marker", Formation: m.GetFormation(), Place: m.GetAt(), Count: 1,
		}
		if m.GetFace() == ocsv1.Face_FACE_MOVE {
			x.Marks = append(x.Marks, "move")
		}
		if m.GetMarker() > ocsv1.Marker_MARKER_NONE {
			x.Marks = append(x.Marks, markerIDs[m.GetMarker()])
		}
		if m.GetFuelled() {
			x.Marks = append(x.Marks, "fuel")
		}
		all = append(all, x)
	}
	return all
}

// works draws dumps, hedgehogs and air bases. An enemy dump shows itself, not its amount, where nothing else of the
// enemy does (OCS 4.9a).
func (d *picture) works() []*boardv1.Piece {
	var all []*boardv1.Piece
	add := func(at Place, kind string, owner rules.Seat, numbers ...*boardv1.Number) {
		id := d.sc.PlaceID(at)
		all = append(all, &boardv1.Piece{
			Id: kind + "-" + seatID(owner) + "@" + id, Name: d.say("piece." + kind), Owner: seatID(owner), Kind: kind,
			Place: id, Count: 1, Numbers: numbers,
		})
	}
	for i := range d.cells {
		at, c := d.placeOf(i), &d.cells[i]
		for seat := range numSeats {
			switch n := int(c.ground[seat]); {
			case n == 0:
			case d.seesGround(d.v, seat):
				add(at, "dump", seat, &boardv1.Number{Key: "supply", Value: tokens(n)})
			case c.pieces[seat] == 0:
				add(at, "dump", seat)
			}
		}
		if c.hedgehog > 0 {
			add(at, "hedgehog", c.owner, &boardv1.Number{Key: "level", Value: strconv.Itoa(int(c.hedgehog))})
		}
		if n := d.base(at); n > 0 && at.inBox() && !d.sc.Flies {
			continue
		} else if n == airstrip {
			add(at, "airstrip", c.owner)
		} else if n > 0 {
			add(at, "air-base", c.owner, &boardv1.Number{Key: "level", Value: strconv.Itoa(n)})
		}
	}
	return all
}

func (d *picture) spaces() []*boardv1.SpaceState {
	var all []*boardv1.SpaceState
	for i := range d.cells {
		c := &d.cells[i]
		s := &boardv1.SpaceState{Id: d.sc.PlaceID(d.placeOf(i)), Owner: seatID(c.owner)}
		for seat := range numSeats {
			if c.zoc[seat] > 0 {
				s.Marks = append(s.Marks, "zoc-"+seatIDs[seat])
			}
		}
		if c.hits > 0 {
			s.Marks = append(s.Marks, "hits-"+strconv.Itoa(int(c.hits)))
		}
		if c.bust < numSeats {
			s.Marks = append(s.Marks, "trainbusting")
		}
		if s.Owner != "" || s.Marks != nil {
			all = append(all, s)
		}
	}
	return all
}

func (d *picture) tracks() []*boardv1.Track {
	if d.turn == 0 {
		return nil
	}
	all := []*boardv1.Track{{
		Id: "weather", Name: d.say("track.weather"), Rank: 1,
		Text: d.say("track.weather.text", "ground", "@ground."+d.sc.Grounds[d.ground], "flight",
			"@flight."+flights[d.flight], "sea", "@sea."+d.seaID()),
	}}
	if text := d.ice(); text != "" {
		all = append(all, &boardv1.Track{Id: "ice", Name: d.say("track.ice"), Text: text})
	}
	return all
}

func (d *picture) procedures() []*boardv1.Procedure {
	var all []*boardv1.Procedure
	for _, f := range d.frames {
		at := f.base().at
		m := &boardv1.Procedure{Kind: kit.EnumWord(ocsv1.FrameKind(0).Descriptor(), f.kind().Number())}
		m.Text = d.say("procedure."+m.Kind, "at", d.sc.PlaceID(at))
		if at.onMap() {
			m.Spaces = []string{d.sc.PlaceID(at)}
		}
		all = append(all, m)
	}
	return all
}
