package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Supply and replacements of the tables of a scenario (OCS 13.5, OCS 13.6). Each table in force is a procedure: its
// first step rolls, then its owner places what came. The amounts are in registers, which only the owner sees.

// tableStep is a step of the procedure of a table.
type tableStep uint8

// The steps, by the numbers of the notation.
const (
	tableRoll tableStep = iota
	tablePlace
)

// supplyTable is the procedure of a table of supply.
type supplyTable struct {
	head
	step  tableStep
	index int // of the scenario's tables of the seat
}

func (*supplyTable) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_SUPPLY_TABLE }

func (f *supplyTable) wire(w *framing) {
	wireStep(w, &f.step)
	w.index(&f.index, func() int { return len(w.p.sc.Seats[f.seat].Doc.GetSupply()) })
}

// replacementTable is the procedure of a table of replacements.
type replacementTable struct {
	head
	step  tableStep
	index int // of the scenario's tables of the seat
}

func (*replacementTable) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_REPLACEMENT_TABLE }

func (f *replacementTable) wire(w *framing) {
	wireStep(w, &f.step)
	w.index(&f.index, func() int { return len(w.p.sc.Seats[f.seat].Doc.GetReplacements()) })
}

// The registers of what is to be placed.
const (
	supplyLeft = ocsv1.Register_REGISTER_SUPPLY_TO_PLACE
	paxLeft    = ocsv1.Register_REGISTER_PAX_TO_PLACE
	eqLeft     = ocsv1.Register_REGISTER_EQ_TO_PLACE
	trucksLeft = ocsv1.Register_REGISTER_TRUCKS_TO_PLACE
)

// beginTables begins the tables that are in force, the last one first: supply is asked before replacements.
func (p *Position) beginTables(x *exec, seat rules.Seat) {
	doc, turn := p.sc.Seats[seat].Doc, uint32(p.turn)
	c := p.changed()
	c.register(seat, ocsv1.Register_REGISTER_RAIL_SUPPLY, 0)
	c.register(seat, ocsv1.Register_REGISTER_SPECIAL_PAX, 0)
	c.register(seat, ocsv1.Register_REGISTER_PAX_RECEIVED, 0)
	c.register(seat, ocsv1.Register_REGISTER_EQ_RECEIVED, 0)
	c.register(seat, ocsv1.Register_REGISTER_PAX_USED, 0)
	c.register(seat, ocsv1.Register_REGISTER_EQ_USED, 0)
	for i, t := range slices.Backward(doc.GetReplacements()) {
		if turn >= t.GetFrom() && turn <= t.GetTo() && (turn-t.GetFrom())%max(t.GetEvery(), 1) == 0 {
			f := newFrame[replacementTable](seat, Nowhere)
			f.index = i
			c.push(f)
		}
	}
	for i, t := range slices.Backward(doc.GetSupply()) {
		if turn >= t.GetFrom() && turn <= t.GetTo() {
			f := newFrame[supplyTable](seat, Nowhere)
			f.index = i
			c.push(f)
		}
	}
	tell(x, &event{Changes: c.list})
}

// table is the table of the procedure.
func (f *supplyTable) table(p *Position) *ocsv1.SupplyTable {
	return p.sc.Seats[f.seat].Doc.GetSupply()[f.index]
}

// table is the table of the procedure.
func (f *replacementTable) table(p *Position) *ocsv1.ReplacementTable {
	return p.sc.Seats[f.seat].Doc.GetReplacements()[f.index]
}

// faster doubles what 21.6 doubles.
func (p *Position) faster(n uint32) uint32 {
	if p.opt.fasterPace {
		return 2 * n // OCS 21.6a, OCS 21.6b
	}
	return n
}

// more adds half to supply that arrives, rounded to tokens, with the faster pace (OCS 21.6c).
func (p *Position) more(tokens int) int {
	if p.opt.fasterPace {
		return share(tokens, 150)
	}
	return tokens
}

// organicSize is the points of an organic truck at full strength, in tokens (OCS 21.6b).
func (p *Position) organicSize(u Unit) int { return int(p.faster(uint32(p.counter(u).Capacity))) }

// rollSupply rolls on the table, or takes its fixed amount (OCS 13.6, OCS 21.6c).
func (p *Position) rollSupply(x *exec, f *supplyTable) {
	t := f.table(p)
	roll, tokens := 0, int(t.GetFixedT())
	if tokens == 0 {
		roll = x.Roll(6, "supply") + x.Roll(6, "supply")
		tokens = int(t.GetRowsT()[roll-2])
	}
	tokens = p.more(tokens)
	c := p.changed()
	c.register(f.seat, supplyLeft, tokens)
	tell(x, &event{Changes: c.list})
	c = p.changed()
	next := *f
	next.step = tablePlace
	c.frame(&next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TableRolled{TableRolled: &ocsv1.TableRolled{
		Seat: seatIDs[f.seat], Table: t.GetId(), Roll: uint32(roll), Tokens: uint32(tokens),
	}}})
}

// rollReplacements rolls on the Variable Reinforcement Table (OCS 13.5), twice with the faster pace (OCS 21.6d).
func (p *Position) rollReplacements(x *exec, f *replacementTable) {
	t := f.table(p)
	pax, eq, trucks := 0, 0, 0
	rolls := 1
	if p.opt.fasterPace && t.GetFixed() == nil {
		rolls = 2
	}
	for range rolls {
		row, roll := t.GetFixed(), 0
		if row == nil {
			roll = x.Roll(6, "replacements") + x.Roll(6, "replacements")
			row = t.GetRows()[roll-2]
		}
		pax, eq, trucks = pax+int(row.GetPax()), eq+int(row.GetEq()), trucks+int(p.faster(row.GetTrucksT()))
		tell(x, &event{Fact: &ocsv1.Event_TableRolled{TableRolled: &ocsv1.TableRolled{
			Seat: seatIDs[f.seat], Table: t.GetId(), Roll: uint32(roll), Pax: row.GetPax(), Eq: row.GetEq(),
			TrucksT: p.faster(row.GetTrucksT()),
		}}})
	}
	c := p.changed()
	c.register(f.seat, paxLeft, pax)
	c.register(f.seat, eqLeft, eq)
	c.register(f.seat, trucksLeft, min(trucks, p.truckDeficit(f.seat)))
	add := func(r ocsv1.Register, n int) { c.register(f.seat, r, p.register(f.seat, r)+2*n) } // OCS 21.7-i
	add(ocsv1.Register_REGISTER_PAX_RECEIVED, pax)
	add(ocsv1.Register_REGISTER_EQ_RECEIVED, eq)
	tell(x, &event{Changes: c.list})
	c = p.changed()
	next := *f
	next.step = tablePlace
	c.frame(&next)
	tell(x, &event{Changes: c.list})
}

// truckDeficit is how many truck points a side may get back, in tokens: those that the enemy removed and that were not
// rebuilt (OCS 13.5e).
func (p *Position) truckDeficit(seat rules.Seat) int {
	return max(0, p.register(seat, ocsv1.Register_REGISTER_TRUCKS_LOST))
}

// asks asks the owner while supply can be placed.
func (f *supplyTable) asks(p *Position) (Ask, rules.Seats) {
	if f.step == tablePlace && p.register(f.seat, supplyLeft) > 0 && p.anySupply(f) {
		return AskPlace, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed rolls, and at the end drops what can't be placed.
func (f *supplyTable) proceed(p *Position, x *exec) {
	if f.step == tableRoll {
		p.rollSupply(x, f)
		return
	}
	p.endTable(x, f.seat)
}

// asks asks the owner while a replacement can be placed.
func (f *replacementTable) asks(p *Position) (Ask, rules.Seats) {
	if f.step != tablePlace {
		return AskNothing, 0
	}
	for _, r := range [...]ocsv1.Register{paxLeft, eqLeft, trucksLeft} {
		if p.register(f.seat, r) > 0 && len(p.replacementDoors(f, r == paxLeft)) > 0 {
			return AskPlace, rules.SeatsOf(f.seat)
		}
	}
	return AskNothing, 0
}

// proceed rolls, and at the end drops what can't be placed.
func (f *replacementTable) proceed(p *Position, x *exec) {
	if f.step == tableRoll {
		p.rollReplacements(x, f)
		return
	}
	p.endTable(x, f.seat)
}

// endTable ends a table: what is left is lost.
func (p *Position) endTable(x *exec, seat rules.Seat) {
	c := p.changed()
	for _, r := range [...]ocsv1.Register{supplyLeft, paxLeft, eqLeft, trucksLeft} {
		c.register(seat, r, 0)
	}
	tell(x, &event{Changes: c.list})
	c = p.changed()
	c.pop()
	tell(x,
		&event{Changes: c.list,
			Fact: &ocsv1.Event_ArrivalsEnded{ArrivalsEnded: &ocsv1.ArrivalsEnded{Seat: seatIDs[seat]}}})
}

// supplyDoors are the places for the supply of the table, each with its entry.
func (p *Position) supplyDoors(f *supplyTable) (list []Place, by []*EntryInfo) {
	side := &p.sc.Seats[f.seat]
	for _, id := range f.table(p).GetAt() {
		e := &side.Entries[side.entry(id)]
		for _, at := range p.doors(f.seat, e) {
			list, by = append(list, at), append(by, e)
		}
	}
	return list, by
}

func (p *Position) anySupply(f *supplyTable) bool {
	list, by := p.supplyDoors(f)
	for i, at := range list {
		if p.roomAt(f.seat, by[i], at, 1) {
			return true
		}
	}
	return false
}

// checkPlaceSupply says why supply may not be put down (OCS 13.6): at an entry of the table, at a port up to its
// capacity (OCS 13.6a), on a transport only if that arrived there in this phase (OCS 13.6c).
func (p *Position) checkPlaceSupply(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*supplyTable](p)
	if f == nil || !c.At.onMap() || c.N == 0 {
		return rules.Malformed("no supply is to be placed, or the command names no place or no tokens")
	}
	at, left := p.sc.PlaceID(c.At), p.register(seat, supplyLeft)
	if c.N > left {
		return rules.Refuse("OCS 13.6", "refuse.supply-left", "need", c.N, "left", left)
	}
	list, by := p.supplyDoors(f)
	i := slices.Index(list, c.At)
	switch {
	case i < 0:
		return rules.Refuse("OCS 13.6", "refuse.no-entry", "hex", at).At(at)
	case !p.roomAt(seat, by[i], c.At, c.N):
		return rules.Refuse("OCS 13.6a", "refuse.port-full", "hex", at, "n", p.portLeft(c.At)).At(at)
	case c.Unit == NoUnit:
		return nil
	}
	s := &p.units[c.Unit]
	switch {
	case s.seat != seat || s.place != c.At || !p.isTransport(c.Unit) || !s.marks.has(ocsv1.UnitMark_UNIT_MARK_ARRIVED):
		return rules.Refuse("OCS 13.6c", "refuse.did-not-arrive", "unit", p.unitName(c.Unit),
			"hex", at).About(p.id(c.Unit)).At(at)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER) || int(s.load)+c.N > int(s.points):
		return rules.Refuse("OCS 13.2c", "refuse.room", "unit", p.unitName(c.Unit),
			"n", int(s.points)-int(s.load)).About(p.id(c.Unit))
	}
	return nil
}

// playPlaceSupply puts supply down. That at an entry on a railway may entrain there in this turn (OCS 13.3c-1); that at
// a port counts against its capacity.
func (p *Position) playPlaceSupply(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*supplyTable](p)
	list, by := p.supplyDoors(f)
	e := by[slices.Index(list, cmd.At)]
	c := p.changed()
	c.register(seat, supplyLeft, p.register(seat, supplyLeft)-cmd.N)
	if cmd.Unit != NoUnit {
		c.unit(cmd.Unit).LoadT = proto.Uint32(uint32(int(p.units[cmd.Unit].load) + cmd.N))
	} else {
		c.ground(cmd.At, seat, int(p.cell(cmd.At).ground[seat])+cmd.N)
		if e.Rail && e.At == cmd.At {
			c.register(seat, ocsv1.Register_REGISTER_RAIL_SUPPLY,
				p.register(seat, ocsv1.Register_REGISTER_RAIL_SUPPLY)+cmd.N)
		}
	}
	if e.Port {
		sum := cmd.N
		for _, t := range p.taint {
			if t.at == cmd.At && t.seat == seat && t.carriage == uint8(ocsv1.Carriage_CARRIAGE_SEA) {
				sum += int(t.tokens)
			}
		}
		c.taint(cmd.At, seat, ocsv1.Carriage_CARRIAGE_SEA, sum)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SupplyArrived{SupplyArrived: &ocsv1.SupplyArrived{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At), Tokens: uint32(cmd.N),
	}}})
}

// listPlaceSupply lists all that there is room for, and one token, on the ground and on each transport that arrived.
func listPlaceSupply(l *lister) {
	p := l.p
	f := inner[*supplyTable](p)
	if f == nil {
		return
	}
	list, by := p.supplyDoors(f)
	for i, at := range list {
		most := p.register(l.seat, supplyLeft)
		for most > 0 && !p.roomAt(l.seat, by[i], at, most) {
			most--
		}
		l.supplyOn(at, NoUnit, most)
		for u := range p.of(l.seat, at) {
			if p.isTransport(u) && p.has(u, ocsv1.UnitMark_UNIT_MARK_ARRIVED) {
				l.supplyOn(at, u, min(most, int(p.units[u].points)-int(p.units[u].load)))
			}
		}
	}
}

func (l *lister) supplyOn(at Place, u Unit, most int) {
	for _, n := range [...]int{most, 1} {
		if n < 1 || n > most {
			return
		}
		c := only(KindPlaceSupply)
		c.At, c.Unit, c.N = at, u, n
		l.checked(c)
		if most == 1 {
			return
		}
	}
}
