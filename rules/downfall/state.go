package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
)

// Place is where a unit or beachhead is: a hex, or a box.
type Place uint16

// boxes is the first place that is a box; below are hexes.
const boxes Place = 0xFF00

// Boxes, by the numbers of the contract.
const (
	Unplaced     = boxes + Place(downfallv1.Box_BOX_UNPLACED)
	Holding      = boxes + Place(downfallv1.Box_BOX_HOLDING)
	NotAvailable = boxes + Place(downfallv1.Box_BOX_NOT_AVAILABLE)
	Available    = boxes + Place(downfallv1.Box_BOX_AVAILABLE)
	LandingForce = boxes + Place(downfallv1.Box_BOX_LANDING)
	Fallen       = boxes + Place(downfallv1.Box_BOX_FALLEN)
	Eliminated   = boxes + Place(downfallv1.Box_BOX_ELIMINATED)
	Removed      = boxes + Place(downfallv1.Box_BOX_REMOVED)
	Out          = boxes + Place(downfallv1.Box_BOX_OUT)
)

// Hex is the hex, NoHex for a box.
func (p Place) Hex() Hex {
	if p >= boxes {
		return NoHex
	}
	return Hex(p)
}

// Supply is the supply state of a US unit (DF 9.1-a).
type Supply uint8

// The states, best first.
const (
	NoSupply Supply = iota // off the map, or Japanese
	Line
	Air
	Coast
	OOS
)

// Phase is a phase of the turn or a part of set-up, by the numbers of the contract.
type Phase uint8

// The phases in order.
const (
	PhaseNone = Phase(downfallv1.Phase_PHASE_UNSPECIFIED)

	SetupJapan  = Phase(downfallv1.Phase_PHASE_SETUP_JAPAN)
	SetupOrders = Phase(downfallv1.Phase_PHASE_SETUP_ORDERS)
	SetupPlan   = Phase(downfallv1.Phase_PHASE_SETUP_PLAN)
	SetupMagic  = Phase(downfallv1.Phase_PHASE_SETUP_MAGIC)

	FleetStatus    = Phase(downfallv1.Phase_PHASE_FLEET_STATUS)
	Deployment     = Phase(downfallv1.Phase_PHASE_DEPLOYMENT)
	Kamikaze       = Phase(downfallv1.Phase_PHASE_KAMIKAZE)
	Nuclear        = Phase(downfallv1.Phase_PHASE_NUCLEAR)
	ArmyCheck      = Phase(downfallv1.Phase_PHASE_ARMY_CHECK)
	JapanPoints    = Phase(downfallv1.Phase_PHASE_JAPAN_POINTS)
	JapanActions   = Phase(downfallv1.Phase_PHASE_JAPAN_ACTIONS)
	Reinforcements = Phase(downfallv1.Phase_PHASE_REINFORCEMENTS)
	SupplyCheck    = Phase(downfallv1.Phase_PHASE_SUPPLY)
	USPoints       = Phase(downfallv1.Phase_PHASE_US_POINTS)
	USActions      = Phase(downfallv1.Phase_PHASE_US_ACTIONS)
	VictoryCheck   = Phase(downfallv1.Phase_PHASE_VICTORY)
)

// Bounds of what a position holds.
const (
	maxNaval   = 18 // naval markers: at most nine of each nation
	maxBombs   = 32 // bombs placed in a turn
	maxEntries = 6  // hexes around a target
)

// Position is the whole state of a game, secrets included. It is small integers in arrays and three slices; only the
// scenario and the tables made from it, which never change, are shared between copies.
type Position struct {
	sc  *Scenario
	tab *tables
	opt OptionSet

	// Units: where, how many steps, which supply (US units on the map).
	place  [MaxUnits]Place
	steps  [MaxUnits]uint8
	supply [MaxUnits]Supply
	// onMap are the units in hexes.
	onMap UnitSet
	// Marks of the player turn or turn: acted (DF 7.6-a), arrived on the map (DF 8.4-d), refitted by a replacement (DF
	// 7.6-b), treated in the box (DF 8.9-c, -f), bombed (DF 6.10-a, -b). rebuilt units have been eliminated and
	// rebuilt once, for good.
	acted, arrived, refitted, boxed, bombed, rebuilt UnitSet
	// beachhead of each corps: a hex, Holding or Removed.
	beachhead [scenario.NumCorps]Place

	// By hex: the units in it, and how many units exert ZOC into it, by seat. The counts of Japan follow
	// those of the US in memory.
	at  []UnitSet
	zoc [2][]uint8
	// Hexes in which bombs exploded, and hexes attacked in this player turn, which follow in memory.
	exploded, attacked hex.Set
	// sides are sets that follow from the units, by seat; they are behind the attacked hexes in memory, and
	// put keeps them right.
	sides [2]sideSets

	turn  uint8
	phase Phase
	step  uint8 // within a phase, as the phase counts
	ended bool  // the player has ended the phase
	cp    int8

	vp           int16
	earned, lost uint32 // awards, by index

	// The kamikaze row of the turn.
	kamikaze        bool // rolled
	usCP, airCap    uint8
	navalCap, jpMF  uint8
	jpCP            uint8
	ban             bool
	air             uint8           // air markers ready
	navalHere       uint32          // naval markers of the turn: bit n is marker n
	navalReady      uint32          // of them, those in a zone and not used
	navalZone       [maxNaval]Zone  // NoZone if not placed
	airSupply       Place           // hex of the air supply unit, or Out
	airPlaced       bool            // in III.B of this turn
	consecutiveUsed bool            // in this player turn (DF 7.8-e)
	followers       UnitSet         // may move under the CP paid last (DF 7.4-a)
	followMixed     bool            // ... with one MF (D-43)
	bombsLeft       uint8           // secret with option 15.7
	bombsUsed       uint8           //
	bombDie         uint8           // secret die of option 15.7
	bombsDeclared   int8            // this turn; -1 before
	bombStage       uint8           // of the bomb that is resolved
	bombSteps       uint8           // that it takes
	bombAt          Place           // its target
	bombTargets     [maxBombs]Place // placed and not resolved; hexes, or bombUnit + unit
	bombCount       uint8           // how many of them
	magicLeft       uint8           // 36th Army units that may still be placed anywhere
	magicMoved      UnitSet         // those that were
	ixHex           Hex             // secret: plan of the IX Corps landing
	ixTurn          uint8           // secret; 0: no plan
	ixMade          uint8           // turn in which it was made
	replan          bool            // a new IX Corps plan must be made now
	mode            uint8           // secret: how the 11th Division comes
	dropHex         Hex             // secret: its drop plan
	dropTurn        uint8           // secret; 0: no plan
	ordersGiven     bool            // in this turn, or in set-up
	offer           uint8           // 1 + seat that offers to give up
	excess          Hex             // a hex whose stack breaks the limits, of a position that was read (DF 10.8)
	level           uint8           // how the game ended; 0 while it goes on
	winner          rules.Seat      // NoSeat for a draw
	orders          [2][]standing   // by seat, secret, sorted; lists are replaced, never written to

	decl  declaration
	fight fight
}

// bombUnit is added to a unit to make it the target of a bomb.
const bombUnit Place = 0xFE00

// Stages of a bomb that is resolved.
const (
	bombNone    = iota
	bombRolled  // losses have to be distributed
	bombSettled // losses are taken
)

// newPosition is the position before the first event.
func newPosition(sc *Scenario, opt OptionSet) *Position {
	p := &Position{sc: sc, tab: sc.tab, opt: opt}
	n := sc.Map.Len()
	words := p.tab.words
	counts, bits := make([]uint8, 2*n), make(hex.Set, numSets*words)
	p.at, p.zoc[US], p.zoc[Japan] = make([]UnitSet, n), counts[:n], counts[n:]
	p.share(bits)
	for i := range p.place {
		p.place[i] = Out
	}
	for i := range p.beachhead {
		p.beachhead[i] = Out
	}
	for i := range p.navalZone {
		p.navalZone[i] = NoZone
	}
	p.airSupply, p.bombsDeclared, p.winner = Out, -1, rules.NoSeat
	p.ixHex, p.dropHex, p.excess, p.bombAt = NoHex, NoHex, NoHex, Out
	p.clearTurn()
	return p
}

// Clone is an independent copy: one struct and three slices.
func (p *Position) Clone() *Position {
	c := new(Position)
	*c = *p
	n := len(p.at)
	c.at = append([]UnitSet(nil), p.at...)
	counts := append([]uint8(nil), p.zoc[US][:2*n]...)
	c.zoc[US], c.zoc[Japan] = counts[:n], counts[n:]
	c.share(append(hex.Set(nil), p.exploded[:numSets*len(p.exploded)]...))
	return c
}

// over reports whether the game has ended.
func (p *Position) over() bool { return p.level != 0 }

// put moves a unit to a place, and keeps stacks and ZOC counts right.
func (p *Position) put(u Unit, to Place) {
	if h := p.place[u].Hex(); h != NoHex {
		p.at[h] &^= bit(u)
		p.leaveZOC(u, h)
		p.onMap &^= bit(u)
		p.crowd(u, h)
	}
	p.place[u] = to
	if h := to.Hex(); h != NoHex {
		p.at[h] |= bit(u)
		p.exertZOC(u, h)
		p.onMap |= bit(u)
		p.crowd(u, h)
	} else if to != Fallen && to != LandingForce {
		p.supply[u] = NoSupply
	}
}

// clearTurn forgets what lasts for one turn (DF 5.3, DF 6.7-c, step 20 of the turn). Supply states, the air supply
// unit, explosions, plans and awards stay.
func (p *Position) clearTurn() {
	p.clearPlayerTurn()
	p.arrived, p.refitted, p.boxed, p.bombed = 0, 0, 0, 0
	p.kamikaze, p.ban = false, false
	p.usCP, p.jpMF, p.jpCP = 0, 0, 0
	p.airCap, p.navalCap, p.air = scenario.NoCap, scenario.NoCap, 0
	p.navalHere, p.navalReady = 0, 0
	for i := range p.navalZone {
		p.navalZone[i] = NoZone
	}
	p.bombsDeclared, p.bombCount, p.bombStage, p.bombSteps, p.bombAt = -1, 0, bombNone, 0, Out
	p.airPlaced, p.ordersGiven = false, false
}

// clearPlayerTurn forgets what lasts for one player turn.
func (p *Position) clearPlayerTurn() {
	p.acted, p.followers, p.followMixed = 0, 0, false
	p.attacked.Clear()
	p.consecutiveUsed = false
	p.cp = 0
}

// terrain is what a hex is now: a bombed one is Rough for good (DF 6.10-c).
func (p *Position) terrain(h Hex) scenario.Terrain {
	if p.exploded.Has(h) {
		return p.sc.Bombed
	}
	return p.sc.Terrain[h]
}

// groundOf are the ground units of a side in a hex, 6/ASCO included.
func (p *Position) groundOf(seat rules.Seat, h Hex) UnitSet { return p.at[h] & p.tab.side(seat) }

// side is the set of a seat's units.
func (t *tables) side(seat rules.Seat) UnitSet {
	if seat == US {
		return t.us
	}
	return t.japan
}

// beachheadIn is the corps whose beachhead is in a hex; false if none exists.
func (p *Position) beachheadIn(h Hex) (scenario.Formation, bool) {
	for f, place := range p.beachhead {
		if place == Place(h) {
			return scenario.Formation(f), true
		}
	}
	return 0, false
}

// enemy is the other seat.
func enemy(seat rules.Seat) rules.Seat { return 1 - seat }
