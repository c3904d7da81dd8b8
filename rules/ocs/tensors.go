package ocs

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Planes of an observation that come in pairs, in the order of pairColumns: the seat's own and then the enemy's.
const (
	planeUnits = 2 * iota
	planeSteps
	planeStrength
	planeRating
	planeBarrage
	planeHQ
	planeTransport
	planeLoad
	planeSupply
	planeAir
	planeShips
	planeZOC
	planeCombatMode
	planeReserve
	planeStrat
	planeDG
	planeExploitation
	planeOutOfSupply
	planePairs
)

// The planes after the pairs.
const (
	planeOwner = planePairs + iota
	planeMoved
	planeDone
	planeFuelled
	planeHedgehog
	planeBase
	planePortHits
	planeGauge
	planeMarks
)

// pairColumns say what the planes of a side are.
var pairColumns = kit.Columns(`
	units combat units
	steps steps that these have left
	strength combat strength of what is up
	rating highest Action Rating
	barrage barrage strength
	hqs headquarters
	transport transport units
	load supply that is loaded, in tokens
	supply supply on the ground, in tokens
	air air units
	ships ships and landing craft
	zoc units that exert a ZOC into the hex
	combat_mode combat units in Combat mode
	reserve units in Reserve mode
	strat units in Strategic mode
	dg units that are disorganized
	exploitation units in Exploitation mode
	out_of_supply units that are out of supply
`)

var commonPlanes = kit.Columns(`
	owner 1 if the seat controls the hex, 2 if the enemy does
	moved units of the seat that began to move in this phase
	done units of the seat that may not move any more in this phase
	fuelled units of the seat that have fuel
	hedgehog level of the hedgehog
	air_base level of the air base
	port_hits hits of the port
	gauge gauge of the railway, by its place in the scenario, from 1
	marks bits for the marks of the hex: bit n is the value n of the enum HexMark of the position
`)

var groundColumns = kit.Columns(`
	box 1 for a box beside the map
	terrain terrain of the ground, by its place in the scenario
	land 0 for an all-sea hex
	coastal 1 for a land hex that touches the sea
	port capacity of the port, in tokens
	rail 1 for a hex with a railway
	points victory points of the hex
`)

var scalarColumns = append(append(rules.CommonScalars(), kit.Columns(`
	turn turn of the game
	segment part of the sequence of play, a value of the enum Segment of the position
	stage how far the segment has come, a value of the enum Stage of the position
	step automatic steps of the stage that are done
	phasing 1 if the player turn is the seat's, 2 if it is the enemy's
	first 1 if the seat plays first in the turn, 2 if the enemy does
	together 1 if the turn is played simultaneously
	ground ground condition, by its place in the scenario
	flight flight condition
	rough 1 if the sea is rough
	procedures procedures under way that the seat began
	points victory points
`)...), registerColumns()...)

var rowColumns = append(rules.CommonColumns(), kit.Columns(`
	points the second number that the command names
	yes 1 for a yes
	marker mode marker, a value of the enum Marker of the position
	face face of the counter, a value of the enum Face of the position
	choice number of any other choice
	name formation, kind of counter or entry that the command names, numbered in this order from 1
	units how many pieces act
	piece_1 second piece that acts
	piece_2 third piece that acts
	piece_3 fourth piece that acts
	copy number of the first piece among those that were made in play, 0 for a unique one
	copy_1 the same for the second piece
	copy_target the same for the target
	steps steps of the pieces that act
	strength combat strength of the pieces that act
	path how many places are entered
	via first place that is entered
	lines how many lines the command has
	line_0_piece piece of the first line
	line_0_at place of the first line
	line_0_count count of the first line
	line_0_by piece that pays or carries it
	line_0_choice 1 + terrain of the first line, or how its piece flies
	line_1_piece piece of the second line
	line_1_at place of the second line
	line_1_count count of the second line
	line_1_by piece that pays or carries it
	line_1_choice 1 + terrain of the second line, or how its piece flies
`)...)

// registerColumns are the registers of the seat, in the order of their numbers.
func registerColumns() []rules.Column {
	return kit.Columns(`
	register_rail_used rail capacity used in this phase, in eighths of a token
	register_sea_used sea capacity used in this phase, in eighths of a token
	register_trucks_owned truck points that the side has had at most, in tokens
	register_trucks_lost truck points removed by the enemy, in tokens
	register_supply_to_place supply that arrived in this turn and is not placed yet, in tokens
	register_pax_to_place Pax that arrived and are not placed yet
	register_eq_to_place Eq that arrived and are not placed yet
	register_pax_received Pax received in this turn, in half Repls
	register_eq_received Eq received in this turn, in half Repls
	register_pax_used Pax used in this turn, in half Repls
	register_eq_used Eq used in this turn, in half Repls
	register_owed Pax or Eq owed for units that could not be withdrawn
	register_points victory points counted so far
	register_ships_sunk always 0: ships that were sunk are in the dead pile
	register_supply_table the supply table that is being placed, from 1; 0 for none
	register_replacement_table the replacement table that is being placed, from 1; 0 for none
	register_trucks_to_place truck points that arrived and are not placed yet, in tokens
	register_rail_supply supply of this turn that arrived at an entry on a railway and may entrain there, in tokens
	register_special_pax Pax of this turn that were placed at entries for one Pax a turn
	register_conditions conditions of victory that have come true, by bit
	register_landing 1 when a roll for an amphibious landing was made in this phase, 2 when landed units have moved since
	register_crossed_out what crossed a frozen strait in this turn from its first hex to its second, in quarters of an RE
	register_crossed_back what crossed a frozen strait in this turn from its second hex to its first, in quarters of an RE
	`)
}

func pairedColumns() []rules.Column {
	var list []rules.Column
	for _, c := range pairColumns {
		list = append(list, rules.Column{ID: "own_" + c.ID, Note: "of the seat: " + c.Note},
			rules.Column{ID: "enemy_" + c.ID, Note: "of the enemy, as far as the seat knows: " + c.Note})
	}
	return append(list, commonPlanes...)
}

// newTensors says what the numbers of a scenario mean: hexes, boxes and the dead pile are the spaces, counters the
// pieces.
func newTensors(sc *Scenario) *rules.Tensors {
	cells := len(sc.Hexes) + len(sc.Boxes)
	t := &rules.Tensors{Ground: groundColumns, GroundValues: make([]int16, len(groundColumns)*(cells+1)),
		Planes: pairedColumns(), Scalars: scalarColumns, Row: rowColumns}
	ground := kit.NewPlanes(t.GroundValues, cells+1)
	for i := range sc.Hexes {
		h := &sc.Hexes[i]
		t.Spaces = append(t.Spaces, sc.Map.ID(Hex(i)))
		for plane, n := range [...]int{0, int(h.Terrains[0]), oneIf(h.Land), oneIf(h.Coastal), int(h.Port),
			oneIf(h.Rail)} {
			ground.Set(plane, i, n)
		}
	}
	for _, v := range sc.Doc.GetVictory().GetHexes() {
		if at, ok := sc.names[v.GetHex()]; ok && at.Hex() != NoHex {
			ground.Add(len(groundColumns)-1, int(at), int(v.GetPoints()))
		}
	}
	for i := range sc.Boxes {
		t.Spaces = append(t.Spaces, sc.Boxes[i].ID)
		ground.Set(0, len(sc.Hexes)+i, 1)
	}
	t.Spaces = append(t.Spaces, sc.PlaceID(Dead))
	ground.Set(0, cells, 1)
	for i := range sc.Counters {
		t.Pieces = append(t.Pieces, sc.Counters[i].ID)
	}
	return t
}

func oneIf(b bool) int { return int(rules.OneIf(b)) }
