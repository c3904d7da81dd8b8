package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase is a phase of a turn (AA 4.2.1), by the numbers of the contract.
type Phase uint8

// The phases in order.
const (
	PhaseNone      = Phase(anniversaryv1.Phase_PHASE_UNSPECIFIED)
	PhaseResearch  = Phase(anniversaryv1.Phase_PHASE_RESEARCH)
	PhasePurchase  = Phase(anniversaryv1.Phase_PHASE_PURCHASE)
	PhaseMove      = Phase(anniversaryv1.Phase_PHASE_COMBAT_MOVE)
	PhaseCombat    = Phase(anniversaryv1.Phase_PHASE_COMBAT)
	PhaseNoncombat = Phase(anniversaryv1.Phase_PHASE_NONCOMBAT_MOVE)
	PhaseMobilize  = Phase(anniversaryv1.Phase_PHASE_MOBILIZE)
	PhaseIncome    = Phase(anniversaryv1.Phase_PHASE_INCOME)
)

// Position is the whole state of a game. Only Evolve changes it. Copies share the scenario and the tables made from
// it, which never change.
type Position struct {
	sc  *Scenario
	tab *tables
	setting

	// Units by kind, sorted by key; head is where those of a space begin, tallies count them by space and side.
	groups  []Group
	head    [MaxSpaces + 1]uint16
	tallies [MaxSpaces][2]tally

	plan    []planned // combat moves of this phase, for taking back
	entries uint8     // how many commands they come from
	battle  battle
	request request
}

// setting is what a position holds besides units, the moves planned and the procedure under way.
// It is compared with ==.
type setting struct {
	opt options

	owner     [MaxSpaces]Power // NoPower for neutral territories and sea zones
	complexes SpaceSet         // industrial complexes; each belongs to the controller of its territory
	damage    [MaxSpaces]uint8

	ipc    [NumSeats]uint16
	tokens [NumSeats]uint16
	tech   [NumSeats]scenario.Techs
	pool   [NumPowers][NumUnits]uint16

	round  uint16
	turn   uint8 // place in the turn order
	power  Power // whose turn it is; NoPower between turns
	acting Power // China in its part of the turn of the United States (AA 5.4.1)
	phase  Phase
	step   uint8 // within the phase

	// The start-of-turn state (AA 4.2.6).
	startOwner   [MaxSpaces]Power
	startHostile SpaceSet // sea zones
	startComplex SpaceSet
	canals       uint8            // open to the side, by bit
	home         [MaxSpaces]uint8 // steps of flight to the nearest territory that was friendly

	chinaFirst bool     // AA 5.4.1
	swapped    bool     // the second of the two powers acts
	fought     SpaceSet // spaces in which a combat took place this turn
	ignored    SpaceSet // sea zones in which the attacker leaves submarines and transports alone
	rocketFrom SpaceSet // territories that launched, and complexes that were targets (AA 16.3.1)
	rocketAt   SpaceSet
	placed     [MaxSpaces]uint8 // units brought in through each complex this turn
	unnamed    [MaxSpaces]uint8 // units in each sea zone that may have come in through several (AA 13.2.3)
	denied     rules.Seats      // seats that refused their consent this turn

	orders   [NumSeats]standing
	conceded rules.Seats
	winner   Side // NoSide while the game goes on
	level    uint8
}

// planned is a part of a combat move that can be taken back: units that became others.
type planned struct {
	before, after Key
	n             uint16
	entry         uint8
	via           Space // a territory that was blitzed on the way
}

// Levels of the result.
const (
	levelNone = iota
	levelCities
	levelConcession
)

// newPosition is a position without units.
func newPosition(sc *Scenario, opt options) *Position {
	p := &Position{sc: sc, tab: newTables(sc),
		setting: setting{opt: opt, power: NoPower, acting: NoPower, winner: NoSide}}
	for s := range p.owner {
		p.owner[s] = NoPower
	}
	p.startOwner = p.owner
	p.battle.at, p.battle.chooser, p.request.power = NoSpace, NoPower, NoPower
	p.groups = make([]Group, 0, 256)
	return p
}

// Clone is an independent copy: one struct and three slices.
func (p *Position) Clone() *Position {
	c := new(Position)
	*c = *p
	c.groups = append(make([]Group, 0, len(p.groups)+24), p.groups...)
	c.plan = append([]planned(nil), p.plan...)
	c.battle.picks = append([]pick(nil), p.battle.picks...)
	return c
}

// over reports whether the game has ended.
func (p *Position) over() bool { return p.level != levelNone }

// side is the side of the power that acts.
func (p *Position) side() Side { return p.acting.Side() }

// techs are the technologies of a power (AA 6.2.10). China has none.
func (p *Position) techs(w Power) scenario.Techs {
	if w >= NumSeats {
		return 0
	}
	return p.tech[w]
}

// has reports whether a power has a technology.
func (p *Position) has(w Power, t Tech) bool { return p.techs(w).Has(t) }

// friendly reports whether a territory is friendly to the acting power now (AA 2.6.1).
func (p *Position) friendly(s Space) bool { return p.owner[s].Side() == p.side() }

// wasFriendly reports whether a territory was friendly when the turn began (AA 4.2.6).
func (p *Position) wasFriendly(s Space) bool { return p.startOwner[s].Side() == p.side() }

// wasHostile reports whether a territory was hostile when the turn began.
func (p *Position) wasHostile(s Space) bool { return p.startOwner[s].Side() == p.side().Enemy() }

// hostileSea reports whether a sea zone is hostile now: an enemy surface warship is there (AA 2.7.1, AA 2.7.2). Beside
// other enemy units, both sides may be in it (AA 2.7.3).
func (p *Position) hostileSea(z Space) bool { return p.tallies[z][p.side().Enemy()].surface > 0 }

// hostileNow are the sea zones that are hostile to a side.
func (p *Position) hostileNow(to Side) (set SpaceSet) {
	for _, z := range p.sc.Zones {
		if p.tallies[z][to.Enemy()].surface > 0 {
			set.Add(z)
		}
	}
	return set
}

// enemies reports whether enemy units are in a space.
func (p *Position) enemies(s Space) bool { return p.tallies[s][p.side().Enemy()].any > 0 }

// capitalLost reports whether a power's capital is in enemy hands (AA 10.3.3). China has none (AA 2.8.3).
func (p *Position) capitalLost(w Power) bool {
	if w >= NumSeats {
		return false
	}
	holder := p.owner[p.sc.Powers[w].Capital]
	return holder != NoPower && holder.Side() != w.Side()
}
