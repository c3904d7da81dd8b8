package downfall

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// folder reads an event's ids against a position; the first thing that does not fit stays in err.
type folder struct {
	p   *Position
	err error
}

func (f *folder) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("downfall: "+format, args...)
	}
}

func (f *folder) unit(id string) Unit {
	u, ok := f.p.tab.unit[id]
	if !ok {
		f.fail("no unit %q in the scenario", id)
		return 0
	}
	return u
}

func (f *folder) units(ids []string) UnitSet {
	var s UnitSet
	for _, id := range ids {
		s |= bit(f.unit(id))
	}
	return s
}

func (f *folder) hex(number uint32) Hex {
	h := f.p.tab.hexOf(number)
	if h == NoHex {
		f.fail("no hex %d on the map", number)
		return 0
	}
	return h
}

// end is the last hex of a path.
func (f *folder) end(path []uint32) Place {
	if len(path) == 0 {
		f.fail("a path without hexes")
		return Out
	}
	return Place(f.hex(path[len(path)-1]))
}

func (f *folder) corps(id string) scenario.Formation {
	c, ok := f.p.tab.corps[id]
	if !ok {
		f.fail("no beachhead %q in the scenario", id)
		return scenario.CorpsI
	}
	return c
}

// steps checks a number of steps.
func (f *folder) steps(n uint32) uint8 {
	if n > 2 {
		f.fail("%d steps, expected at most 2", n)
		return 0
	}
	return uint8(n)
}

// upTo checks a number of the contract against the largest that there is.
func (f *folder) upTo(n int32, most uint8, what string) uint8 {
	if n < 0 || n > int32(most) {
		f.fail("%s %d, expected at most %d", what, n, most)
		return 0
	}
	return uint8(n)
}

// small checks a number that a byte holds.
func (f *folder) small(n uint32, what string) uint8 {
	if n > 127 {
		f.fail("%s is %d, expected at most 127", what, n)
		return 0
	}
	return uint8(n)
}

func (f *folder) seat(id string) rules.Seat {
	switch id {
	case seatIDs[US]:
		return US
	case seatIDs[Japan]:
		return Japan
	}
	f.fail("no seat %q", id)
	return US
}

func (f *folder) pay(cp uint32) {
	if cp > uint32(max(f.p.cp, 0)) {
		f.fail("%d CP paid of %d", cp, f.p.cp)
		return
	}
	f.p.cp -= int8(cp)
}

// evolve folds an event. It decides nothing: the event states the outcome.
func (p *Position) evolve(e *downfallv1.Event) error {
	f, m := folder{p: p}, factOf(e)
	if !f.arrivals(m) && !f.combat(m) && !f.turn(m) && !f.weapons(m) {
		f.fail("an event of unknown kind %T", e.GetKind())
	}
	return f.err
}

// turn folds set-up, the sequence of play, points, offers and the end; false if the fact is of another kind.
func (f *folder) turn(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *downfallv1.Deployed:
		f.deployed(e)
	case *downfallv1.UnitPlaced:
		f.unitPlaced(e)
	case *downfallv1.MagicRolled:
		p.magicLeft, p.step = f.small(e.Units, "units"), 1
	case *downfallv1.BombCountRolled:
		p.bombDie, p.bombsLeft = f.small(e.Die, "die"), f.small(e.Bombs, "bombs")
	case *downfallv1.OrdersGiven:
		f.orders(e)
	case *downfallv1.PlanMade:
		p.ixMade, p.replan = f.small(e.Turn, "turn"), false
	case *downfallv1.PlanRecorded:
		p.ixHex, p.ixTurn = f.hex(e.Hex), f.small(e.Turn, "turn")
	case *downfallv1.PhaseBegan:
		f.phaseBegan(e)
	case *downfallv1.PhaseEnded:
		p.ended, p.followers = true, 0
	case *downfallv1.PointsLost:
		p.vp = int16(e.Total)
	case *downfallv1.AwardEarned:
		p.earned |= 1 << f.award(e.Award)
		p.vp = int16(e.Total)
	case *downfallv1.AwardLost:
		p.lost |= 1 << f.award(e.Award)
	case *downfallv1.ForcedAnswer, *downfallv1.StandingFollowed: // what follows says it
	case *downfallv1.StandingGiven:
		f.standingGiven(e)
	case *downfallv1.ConcessionOffered:
		p.offer = 1 + uint8(f.seat(e.Seat))
	case *downfallv1.ConcessionAnswered:
		p.offer = 0
	case *downfallv1.GameEnded:
		p.level, p.winner = f.upTo(int32(e.Level), uint8(downfallv1.EndLevel_END_LEVEL_CONCEDED), "level"), rules.NoSeat
		if e.Winner != "" {
			p.winner = f.seat(e.Winner)
		}
	default:
		return false
	}
	return true
}

func (f *folder) deployed(e *downfallv1.Deployed) {
	p := f.p
	for _, d := range e.Units {
		u := f.unit(d.Unit)
		p.steps[u] = f.steps(d.Steps)
		if d.Hex == 0 {
			p.put(u, boxes+Place(f.upTo(int32(d.Box), uint8(Out-boxes), "box")))
			continue
		}
		p.put(u, Place(f.hex(d.Hex)))
		if p.tab.us.Has(u) {
			p.supply[u] = Line
		}
	}
	for _, d := range e.Beachheads {
		if d.Hex == 0 {
			p.beachhead[f.corps(d.Beachhead)] = Holding
		} else {
			p.beachhead[f.corps(d.Beachhead)] = Place(f.hex(d.Hex))
		}
	}
	if e.Bombs > 0 {
		p.bombsLeft = f.small(e.Bombs, "bombs")
	}
	p.step++
}

func (f *folder) unitPlaced(e *downfallv1.UnitPlaced) {
	p, u := f.p, f.unit(e.Unit)
	p.put(u, Place(f.hex(e.Hex)))
	if e.Magic {
		p.magicMoved |= bit(u)
		p.magicLeft -= min(p.magicLeft, 1)
	}
}

func (f *folder) orders(e *downfallv1.OrdersGiven) {
	p := f.p
	p.mode, p.ordersGiven = f.upTo(int32(e.Mode), modeAirborne, "mode"), true
	p.dropHex, p.dropTurn = NoHex, f.small(e.DropTurn, "turn")
	if e.DropHex != 0 {
		p.dropHex = f.hex(e.DropHex)
	}
}

func (f *folder) phaseBegan(e *downfallv1.PhaseBegan) {
	p := f.p
	p.turn, p.phase = f.small(e.Turn, "turn"), Phase(f.upTo(int32(e.Phase), uint8(VictoryCheck), "phase"))
	if int(p.turn) > p.sc.Chart.LastTurn() {
		f.fail("turn %d, the last is %d", p.turn, p.sc.Chart.LastTurn())
		p.turn = 0
	}
	p.step, p.ended, p.followers = 0, false, 0
	switch p.phase {
	case FleetStatus:
		p.clearTurn()
	case ArmyCheck, Reinforcements:
		p.clearPlayerTurn()
	}
}

func (f *folder) award(id string) int {
	i := f.p.sc.AwardByID(id)
	if i < 0 {
		f.fail("no award %q in the scenario", id)
	}
	return i & 31
}
