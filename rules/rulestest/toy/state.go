package toy

import (
	"slices"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Unit is a unit of the scenario, by its place in the document.
type Unit uint8

// noUnit is no unit.
const noUnit Unit = 255

// Outpost is an outpost of the scenario, by the order of the hexes.
type Outpost uint8

// Phase is a part of the game.
type Phase uint8

// The phases.
const (
	PhasePlan Phase = iota // both seats record their plans (TY 2.1)
	PhaseAct               // the active seat takes its player turn
	PhaseOver              // the game has ended
)

var phaseNames = [...]string{PhasePlan: "plan", PhaseAct: "act", PhaseOver: "over"}

// State is a position. Only Evolve changes it.
type State struct {
	sc      *Scenario
	options rules.Options

	phase  Phase
	first  rules.Seat // who moves first in every turn; NoSeat before the die
	active rules.Seat // whose player turn it is, or the next to have one; NoSeat between turns
	begun  bool       // the active seat's player turn has begun
	scored bool       // this turn has been scored
	turn   uint8

	seats   [numSeats]seatState
	units   []unitState  // by Unit
	holders []rules.Seat // by Outpost; NoSeat if nobody holds it
	stack   []frame      // procedures in progress, outermost first
	end     ending
}

// seatState is what a seat has. plan and found are secrets of the seat.
type seatState struct {
	supply, score uint8
	plan          hex.Index // None before it is made
	bared         bool      // the plan lies face up
	scouted       bool
	found         hex.Index // None if the scouts found nothing
	offersDraw    bool
}

// unitState is a unit as it is now. Without steps it is off the map, at None.
type unitState struct {
	at            hex.Index
	steps         uint8
	moved, fought bool
}

// ending says how the game ended; level is empty while it goes on.
type ending struct {
	winners rules.Seats
	level   string
}

// frame is an attack in progress. A ruleset with several procedures gives a frame a kind.
type frame struct {
	step         step
	unit, target Unit
	vacated      hex.Index // where the target retreated from; None before it does
}

// step is how far an attack has come.
type step uint8

// The steps of an attack, the results of the die by the numbers of the contract.
const (
	stepDeclared  step = iota // the die has not fallen
	stepRepulsed              // the attacker is to lose a step
	stepNoEffect              // nothing is to happen
	stepHit                   // the defender is to lose a step or retreat (TY 5.3)
	stepRetreated             // the attacker may advance (TY 5.5)
	stepDone                  // the attack is over
)

// Clone is an independent copy; the scenario and the options never change and are shared.
func (p *State) Clone() *State {
	c := *p
	c.units = slices.Clone(p.units)
	c.holders = slices.Clone(p.holders)
	c.stack = slices.Clone(p.stack)
	return &c
}

// newState is the position before the first event: units in their hexes (TY 1.2), nobody's turn.
func newState(sc *Scenario, o rules.Options) *State {
	p := &State{sc: sc, options: o, first: rules.NoSeat, active: rules.NoSeat}
	for seat := range p.seats {
		p.seats[seat] = seatState{supply: sc.Supply, plan: hex.None, found: hex.None}
	}
	for _, u := range sc.units {
		p.units = append(p.units, unitState{at: u.at, steps: u.Steps})
	}
	for _, at := range sc.outposts {
		holder := rules.NoSeat
		if u := p.unitAt(at); u != noUnit {
			holder = sc.units[u].seat
		}
		p.holders = append(p.holders, holder)
	}
	return p
}

// hexID is the id of a hex; empty for None.
func (p *State) hexID(at hex.Index) string {
	if at == hex.None {
		return ""
	}
	return p.sc.board.ID(at)
}

// id and name are those of a unit.
func (p *State) id(u Unit) string   { return p.sc.units[u].ID }
func (p *State) name(u Unit) string { return p.sc.units[u].Name }

// lastTurn is the number of the last turn (TY 3.1, TY 3.2).
func (p *State) lastTurn() uint8 {
	if p.options.Value(optionLength) != lengthShort {
		return p.sc.Turns
	}
	return max(1, p.sc.Turns-min(p.sc.Turns, 2))
}

// unitAt is the unit in a hex.
func (p *State) unitAt(at hex.Index) Unit {
	for u := range p.units {
		if p.units[u].at == at {
			return Unit(u)
		}
	}
	return noUnit
}

// owns reports whether the unit is on the map and the seat's.
func (p *State) owns(seat rules.Seat, u Unit) bool {
	return int(u) < len(p.units) && p.units[u].steps > 0 && p.sc.units[u].seat == seat
}

// alive reports whether a seat has a unit left.
func (p *State) alive(seat rules.Seat) bool {
	for u := range p.units {
		if p.owns(seat, Unit(u)) {
			return true
		}
	}
	return false
}

// attack is the attack in progress; nil if none exists.
func (p *State) attack() *frame {
	if len(p.stack) == 0 {
		return nil
	}
	return &p.stack[len(p.stack)-1]
}
