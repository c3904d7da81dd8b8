package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// captureStep is a step of a capture (OCS 9.14b, OCS 9.14c, OCS 12.11b): the extenders of the hex collapse, each column
// of the capture table is rolled for its transports, then that of the dump, and what was not captured is placed
// elsewhere.
type captureStep uint8

// The steps, by the numbers of the notation.
const (
	captureExtenders captureStep = iota
	captureTransports
	captureDump
	captureLeftovers
	capturePlaceExtender // asks
	captureYield         // asks
	capturePlace         // asks
)

// capture is a procedure of the side that owns what is in the hex.
type capture struct {
	head
	step   captureStep
	unit   Unit // that is placed
	column int  // of the capture table that is rolled next
	asked  bool // the owner was asked once which points it yields
	points int  // that are captured, while it is asked
	tokens int  // that are captured, while it is asked
}

func (*capture) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_DISPLACEMENT }

func (f *capture) wire(w *framing) {
	wireStep(w, &f.step)
	w.unit(&f.unit)
	wireNumber(w, &f.column)
	if w.more(&f.asked) {
		wireNumber(w, &f.points)
		wireNumber(w, &f.tokens)
		w.keep()
	}
}

func (f *capture) stepped(to captureStep) *capture {
	next := *f
	next.step = to
	return &next
}

// capture is called when units of a seat have entered a hex. If one of them is attack-capable (OCS 12.11b) and the
// enemy has supply or transports there, and no combat unit any more, the procedure begins.
func (p *Position) capture(x *exec, captor rules.Seat, at Place) {
	foe := enemy(captor)
	if at.Hex() != NoHex && !p.combatIn(foe, at) && p.attackCapableIn(captor, at) {
		p.captureBase(x, captor, at)
		p.boardShips(x, captor, at)
	}
	if at.Hex() == NoHex || p.combatIn(foe, at) || p.cell(at).ground[foe] == 0 && p.cell(at).pieces[foe] == 0 {
		return
	}
	for u := range p.of(captor, at) {
		if p.attackCapable(u) {
			c := p.changed()
			c.push(newFrame[capture](foe, at))
			tell(x, &event{Changes: c.list})
			return
		}
	}
}

// attackCapableIn reports whether a seat has an attack-capable unit in a hex.
func (p *Position) attackCapableIn(seat rules.Seat, at Place) bool {
	for u := range p.of(seat, at) {
		if p.attackCapable(u) {
			return true
		}
	}
	return false
}

// asks asks the owner at the steps that ask.
func (f *capture) asks(*Position) (Ask, rules.Seats) {
	switch f.step {
	case capturePlaceExtender, capturePlace:
		return AskDisplace, rules.SeatsOf(f.seat)
	case captureYield:
		return AskYield, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

func (f *capture) proceed(p *Position, x *exec) {
	switch f.step {
	case captureExtenders:
		p.stepExtenders(x, f)
	case captureTransports:
		p.stepTransports(x, f)
	case captureDump:
		p.stepDump(x, f)
	default:
		p.stepLeftovers(x, f)
	}
}

// stepExtenders collapses the extenders of the hex (OCS 12.7h): each is placed by its owner, or flipped where it stands
// if it has nowhere to go.
func (p *Position) stepExtenders(x *exec, f *capture) {
	for u := range p.of(f.seat, f.at) {
		if !p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) {
			continue
		}
		if len(p.survey(f.seat).havens(u)) > 0 {
			next := f.stepped(capturePlaceExtender)
			next.unit = u
			p.goOn(x, next)
			return
		}
		c := p.changed()
		p.collapse(c, u, f.at)
		p.displaced(x, c, f.seat, u, f.at)
		return
	}
	p.goOn(x, f.stepped(captureTransports))
}

// column is the column of the capture table for a transport.
func (p *Position) column(u Unit) string {
	if p.organic(u) {
		return organicColumn
	}
	return p.kindOfTransport(p.counter(u)).GetCapture()
}

// displacement is how far transports of a column are placed.
func (p *Position) displacement(u Unit) int {
	for _, col := range p.sc.Charts.GetCapture().GetColumns() {
		if col.GetId() == p.column(u) {
			return int(col.GetDisplacement())
		}
	}
	return 0
}

// stepTransports rolls for the transports of the next column, if there are any. The result holds for them and for what
// they carry.
func (p *Position) stepTransports(x *exec, f *capture) {
	columns := p.sc.Charts.GetCapture().GetColumns()
	if f.column >= len(columns) {
		p.goOn(x, f.stepped(captureDump))
		return
	}
	next := f.stepped(captureTransports)
	next.column++
	pools := p.pools(f, columns[f.column].GetId())
	if len(pools) == 0 {
		p.goOn(x, next)
		return
	}
	percent := p.rollCapture(x, f, columns[f.column])
	for _, pool := range pools {
		p.takePool(x, f, pool, percent, next)
	}
	p.goOn(x, next)
}

// rollCapture rolls on a column of the capture table.
func (p *Position) rollCapture(x *exec, f *capture, col *ocsv1.CaptureColumn) int {
	die := x.Roll(6, "capture")
	percent := int(col.GetPercent()[die-1])
	tell(x, &event{Fact: &ocsv1.Event_CaptureRolled{CaptureRolled: &ocsv1.CaptureRolled{
		Seat: seatIDs[enemy(f.seat)], Hex: p.sc.PlaceID(f.at), Column: col.GetId(), Die: uint32(die),
		Percent: uint32(percent),
	}}})
	return percent
}

// pool is transports of a hex that become the same kind of transport when they are captured: organic trucks are
// ordinary ones then (OCS 13.2g-F).
type pool struct {
	into              uint16 // counter of the captor; noCounter if it has none, so that what is captured is destroyed
	ordinary, organic []Unit
}

// pools are the transports of a column in the hex.
func (p *Position) pools(f *capture, column string) (list []pool) {
	for u := range p.of(f.seat, f.at) {
		if p.isCombat(u) || p.column(u) != column {
			continue
		}
		into, i := p.counterpart(u), 0
		for i < len(list) && list[i].into != into {
			i++
		}
		if i == len(list) {
			list = append(list, pool{into: into})
		}
		if p.organic(u) {
			list[i].organic = append(list[i].organic, u)
		} else {
			list[i].ordinary = append(list[i].ordinary, u)
		}
	}
	return list
}

// counterpart is the counter of the enemy for a captured transport.
func (p *Position) counterpart(u Unit) uint16 {
	foe := enemy(p.units[u].seat)
	if p.organic(u) || p.dukwOf(u) != noCounter { // OCS 18.4e-C
		return p.truckOf(foe)
	}
	for i := range p.sc.Counters {
		if c := &p.sc.Counters[i]; c.Seat == foe && c.Transport == p.counter(u).Transport {
			return uint16(i)
		}
	}
	return noCounter
}

// carry is points and load of transports.
func (p *Position) carry(units []Unit) (points, load int) {
	for _, u := range units {
		points, load = points+int(p.units[u].points), load+int(p.units[u].load)
	}
	return points, load
}

// smallest is the smallest piece of transports of a pool, to which captured points are rounded (OCS 9.14c).
func (p *Position) smallest(o pool) int {
	if len(o.ordinary) > 0 {
		return int(p.kindOfTransport(p.counter(o.ordinary[0])).GetSmallestT())
	}
	return 1
}

// takePool captures a share of a pool: points rounded to the smallest piece, supply to tokens. The owner says which if
// both organic and ordinary trucks are there (OCS 9.14c).
func (p *Position) takePool(x *exec, f *capture, o pool, percent int, next *capture) {
	ordinary, loaded := p.carry(o.ordinary)
	organic, load := p.carry(o.organic)
	small := p.smallest(o)
	points := min(fraction(int64((ordinary+organic)*percent), int64(100*small)).Round()*small, ordinary+organic)
	tokens := share(loaded+load, percent)
	if len(o.ordinary) > 0 && len(o.organic) > 0 && points > 0 && points < ordinary+organic {
		next.step, next.asked, next.points, next.tokens = captureYield, true, points, tokens
		return
	}
	p.takePoints(x, f, o, points, max(0, points-ordinary), tokens)
}

// takePoints takes points and tokens of a pool, so many points of them from organic trucks. What is left fits what
// carries it. The captor has them at once; it moves them from its next Movement Phase on, or now if this is it (OCS
// 13.2i).
func (p *Position) takePoints(x *exec, f *capture, o pool, points, fromOrganic, tokens int) {
	if points == 0 && tokens == 0 {
		return
	}
	c := p.changed()
	ordinary, loaded := p.carry(o.ordinary)
	organic, load := p.carry(o.organic)
	least := max(0, load-(organic-fromOrganic))
	taken := min(max(max(0, loaded-(ordinary-points+fromOrganic)), tokens-least), loaded)
	tokens = max(tokens, taken+least)
	p.shrink(c, o.ordinary, points-fromOrganic, loaded-taken)
	p.shrink(c, o.organic, fromOrganic, load-(tokens-taken))
	if p.countsLost(o) {
		lost := ocsv1.Register_REGISTER_TRUCKS_LOST
		c.register(f.seat, lost, p.register(f.seat, lost)+points)
	}
	tell(x, &event{Changes: c.list})
	p.receive(x, f, o.into, points, tokens)
}

// countsLost reports whether points of a pool may be rebuilt later (OCS 13.5e).
func (p *Position) countsLost(o pool) bool {
	return len(o.organic) > 0 || p.kindOfTransport(p.counter(o.ordinary[0])).GetRebuildable()
}

// shrink takes points of transports, in order, and spreads the load that is left.
func (p *Position) shrink(c *changes, units []Unit, points, load int) {
	for _, u := range units {
		s := &p.units[u]
		n := min(points, int(s.points))
		points -= n
		left := int(s.points) - n
		if left == 0 {
			c.eliminate(u)
			continue
		}
		carried := min(load, left)
		load -= carried
		m := c.unit(u)
		m.PointsT, m.LoadT = proto.Uint32(uint32(left)), proto.Uint32(uint32(carried))
	}
}

// receive gives the captor what it captured. Supply that its new transports can't carry lies on the ground; it was not
// moved by the captor in this phase, and may be loaded.
func (p *Position) receive(x *exec, f *capture, into uint16, points, tokens int) {
	captor := enemy(f.seat)
	x.Reveal() // what was there becomes known
	c := p.changed()
	carried := 0
	if points > 0 && into != noCounter {
		carried = min(points, tokens)
		m := c.create(into, f.at)
		m.PointsT, m.LoadT = proto.Uint32(uint32(points)), proto.Uint32(uint32(carried))
		if p.segment != SegMovement || p.phasing != captor {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	if tokens > carried {
		c.ground(f.at, captor, int(p.cell(f.at).ground[captor])+tokens-carried)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Captured{Captured: &ocsv1.Captured{
		Seat: seatIDs[captor], Hex: p.sc.PlaceID(f.at), Tokens: uint32(tokens), Points: uint32(points),
	}}})
}

// stepDump rolls for the supply on the ground: a share is the captor's, the rest is destroyed (OCS 9.14b).
func (p *Position) stepDump(x *exec, f *capture) {
	lies := int(p.cell(f.at).ground[f.seat])
	next := f.stepped(captureLeftovers)
	if lies == 0 {
		p.goOn(x, next)
		return
	}
	percent := 0
	for _, col := range p.sc.Charts.GetCapture().GetColumns() {
		if col.GetId() == dumpColumn {
			percent = p.rollCapture(x, f, col)
		}
	}
	c := p.changed()
	p.spendSupply(c, f.seat, []means{{f.at, NoUnit, lies}})
	c.frame(next)
	tell(x, &event{Changes: c.list})
	p.receive(x, f, noCounter, 0, share(lies, percent))
}

// checkYield says how many of the captured points may be organic ones (OCS 9.14c).
func (p *Position) checkYield(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*capture](p)
	ordinary, organic := p.mixed(f)
	least, most := max(0, f.points-ordinary), min(f.points, organic)
	if c.M < least || c.M > most {
		return rules.Refuse("OCS 9.14c", "refuse.yield", "n", least, "m", most)
	}
	return nil
}

// mixed is the points of ordinary and organic trucks in the hex of a capture.
func (p *Position) mixed(f *capture) (ordinary, organic int) {
	for _, o := range p.pools(f, organicColumn) {
		if len(o.organic) > 0 {
			ordinary, _ = p.carry(o.ordinary)
			organic, _ = p.carry(o.organic)
		}
	}
	return ordinary, organic
}

// playYield takes the points.
func (p *Position) playYield(x *exec, _ rules.Seat, cmd *Command) {
	f := inner[*capture](p)
	for _, o := range p.pools(f, organicColumn) {
		if len(o.organic) > 0 {
			p.takePoints(x, f, o, f.points, cmd.M, f.tokens)
		}
	}
	next := f.stepped(captureTransports)
	next.points, next.tokens = 0, 0
	p.goOn(x, next)
}

func listYield(l *lister) {
	f := inner[*capture](l.p)
	for n := range f.points + 1 {
		c := only(KindYield)
		c.M = n
		l.checked(c)
	}
}
