package downfall

import (
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// kinds of unit, by the types of the contract.
var unitKinds = map[downfallv1.UnitType]string{
	downfallv1.UnitType_UNIT_TYPE_INFANTRY: "infantry", downfallv1.UnitType_UNIT_TYPE_MARINE: "marine",
	downfallv1.UnitType_UNIT_TYPE_CAVALRY: "cavalry", downfallv1.UnitType_UNIT_TYPE_ARMOR: "armor",
	downfallv1.UnitType_UNIT_TYPE_AIRBORNE: "airborne", downfallv1.UnitType_UNIT_TYPE_CORPS_ARTILLERY: "artillery",
	downfallv1.UnitType_UNIT_TYPE_COASTAL: "coastal", downfallv1.UnitType_UNIT_TYPE_SERVICE_COMMAND: "service",
}

// functions are the function ids of MIL-STD-2525C by type of unit.
var functions = map[downfallv1.UnitType]string{
	downfallv1.UnitType_UNIT_TYPE_INFANTRY: "UCI---", downfallv1.UnitType_UNIT_TYPE_MARINE: "UCIN--",
	downfallv1.UnitType_UNIT_TYPE_CAVALRY: "UCRC--", downfallv1.UnitType_UNIT_TYPE_ARMOR: "UCA---",
	downfallv1.UnitType_UNIT_TYPE_AIRBORNE: "UCIA--", downfallv1.UnitType_UNIT_TYPE_CORPS_ARTILLERY: "UCF---",
	downfallv1.UnitType_UNIT_TYPE_COASTAL: "UCI---", downfallv1.UnitType_UNIT_TYPE_SERVICE_COMMAND: "USS---",
}

// symbol is the symbol of a unit: friend for the US, hostile for Japan, and its size.
func symbol(info *scenario.UnitInfo) string {
	side, size := "F", "-"
	if info.Owner == Japan {
		side = "H"
	}
	switch info.Size {
	case downfallv1.UnitSize_UNIT_SIZE_DIVISION:
		size = "I"
	case downfallv1.UnitSize_UNIT_SIZE_BRIGADE:
		size = "H"
	}
	return "S" + side + "GP" + functions[info.Type] + "-" + size + "---"
}

// units draws the units, each stack from the bottom.
func (d *picture) units() []*boardv1.Piece {
	var all []*boardv1.Piece
	for u := range d.sc.Units {
		if piece := d.unit(Unit(u)); piece != nil {
			all = append(all, piece)
		}
	}
	return all
}

// unit draws a unit; nil for a counter that is not in the game (DF 3.4).
func (d *picture) unit(u Unit) *boardv1.Piece {
	info, at := &d.sc.Units[u], d.place[u]
	if at == Out {
		return nil
	}
	piece := &boardv1.Piece{
		Id: info.ID, Name: kit.InLang(info.Name, d.lang), ShortName: info.Short, Owner: seatIDs[info.Owner],
		Kind:      unitKinds[info.Type],
		Formation: info.Formation.String(), Place: d.pieceAt(at), Count: 1, Steps: int32(d.steps[u]),
		MaxSteps: int32(info.Steps),
		Symbol:   symbol(info),
	}
	if h := at.Hex(); h != NoHex {
		piece.Order = int32((d.at[h] & (bit(u) - 1)).Len())
	}
	if d.neutral(u, d.v) {
		piece.Name, piece.ShortName, piece.Kind, piece.Symbol = d.say("piece.11th"), "11", "division", ""
		return piece
	}
	piece.Numbers = []*boardv1.Number{
		{Key: "strength", Value: strconv.Itoa(info.Strength[min(int(d.steps[u]), 2)])},
		{Key: "movement", Value: strconv.Itoa(d.movement(u))},
	}
	piece.Marks = d.unitStates(u)
	return piece
}

// pieceAt is the id of a place on the board.
func (d *picture) pieceAt(at Place) string {
	if h := at.Hex(); h != NoHex {
		return d.sc.HexID(h)
	}
	return d.where(at)
}

// movement are the MF that a unit would have if it moved now (DF 12.1-a); in a box those that it has in supply.
func (p *Position) movement(u Unit) int {
	switch h := p.place[u].Hex(); {
	case p.tab.asco.Has(u):
		return 0
	case p.tab.japan.Has(u) && !p.kamikaze && !p.tab.coastal.Has(u):
		return p.sc.Chart.Kamikaze[1].JPMF
	case p.tab.us.Has(u) && h == NoHex:
		return p.sc.Chart.USMF
	default:
		m := p.mover(u, h != NoHex && p.tab.us.Has(u) && p.mixed(h))
		return m.mf
	}
}

// unitStates are the marks of a unit.
func (d *picture) unitStates(u Unit) []string {
	info, onMap := &d.sc.Units[u], d.place[u].Hex() != NoHex
	f := &d.fight
	var marks []string
	for _, m := range [...]struct {
		holds bool
		id    string
	}{
		{d.steps[u] > 0 && int(d.steps[u]) < info.Steps, "reduced"}, {d.supply[u] == Air, "air"},
		{d.supply[u] == Coast, "coast"},
		{d.supply[u] == OOS, "oos"}, {onMap && d.tab.us.Has(u) && d.mixed(d.place[u].Hex()), "mixed"},
		{d.acted.Has(u), "acted"}, {d.arrived.Has(u), "arrived"}, {d.refitted.Has(u) || d.boxed.Has(u), "refitted"},
		{d.bombed.Has(u), "bombed"},
		{d.followers.Has(u), "follows"}, {f.on && f.attackers.Has(u), "attacks"},
		{f.on && f.defenders.Has(u), "defends"},
		{f.on && (f.toFire.Has(u) || f.shooter == u), "fires"},
		{d.magicMoved.Has(u) && d.phase == SetupMagic, "placed"},
		{d.on(Airborne11) && u == d.sc.Infantry11 && d.secrets(d.v) && d.mode > 0 && !onMap,
			"plan-" + modeIDs[min(d.mode, 2)]},
	} {
		if m.holds {
			marks = append(marks, m.id)
		}
	}
	return marks
}

// markers draws what is no unit: beachheads, naval, air and air supply markers, bombs, and the plans of the US
// for those who know them.
func (d *picture) markers() []*boardv1.Piece {
	var all []*boardv1.Piece
	for f, at := range d.beachhead {
		if at == Out {
			continue
		}
		b := &d.sc.Beachheads[f]
		all = append(all, &boardv1.Piece{
			Id: b.ID, Name: kit.InLang(b.Name, d.lang), ShortName: "BH", Owner: seatIDs[US], Kind: "beachhead",
			Formation: scenario.Formation(f).String(),
			Place:     d.pieceAt(at), Count: 1,
		})
	}
	for m := range maxNaval {
		if piece := d.naval(m); piece != nil {
			all = append(all, piece)
		}
	}
	if d.air > 0 {
		all = append(all, d.marker("air", d.say("piece.air"), "AIR", "air", boxAir, int32(d.air)))
	}
	if h := d.airSupply.Hex(); h != NoHex {
		all = append(all, d.marker("air-supply", d.say("piece.air-supply"), "SUP", "air-supply", d.sc.HexID(h), 1))
	}
	for i, at := range d.bombTargets[:d.bombCount] {
		all = append(all, d.bomb(i+1, at))
	}
	if d.bombStage != bombNone {
		all = append(all, d.bomb(0, d.bombAt))
	}
	return append(all, d.plans()...)
}

func (d *picture) marker(id, name, short, kind, place string, count int32) *boardv1.Piece {
	return &boardv1.Piece{Id: id, Name: name, ShortName: short, Owner: seatIDs[US], Kind: kind, Place: place,
		Count: count}
}

// naval draws a naval marker of the turn in its zone; British ones come after those of the US (D-11).
func (d *picture) naval(m int) *boardv1.Piece {
	if d.navalHere&(1<<m) == 0 {
		return nil
	}
	n, key, formation := m+1, "piece.naval", ""
	if m >= d.sc.Chart.Markers.USNaval {
		key, formation = "piece.naval-british", "bpf"
	}
	place := boxNaval
	if z := d.navalZone[m]; z != NoZone {
		place = zoneBox + zoneID(d.sc, z)
	}
	piece := d.marker("naval-"+strconv.Itoa(n), d.say(key, "n", n), "N"+strconv.Itoa(n), "naval", place, 1)
	piece.Formation = formation
	switch {
	case d.decl.on && d.decl.naval&(1<<m) != 0:
		piece.Marks = []string{"committed"}
	case d.fight.on && int(d.fight.naval) == n:
		piece.Marks = []string{"supports"}
	case d.navalReady&(1<<m) == 0 && d.navalZone[m] != NoZone:
		piece.Marks = []string{"used"}
	}
	return piece
}

// bomb draws a bomb that is placed or being resolved; one aimed at a unit in the AV Box names it.
func (d *picture) bomb(n int, at Place) *boardv1.Piece {
	piece := d.marker("bomb-"+strconv.Itoa(n), d.say("piece.bomb"), "A", "bomb", boxAV, 1)
	if at < bombUnit {
		piece.Place = d.sc.HexID(Hex(at))
		return piece
	}
	piece.Name = d.say("piece.bomb-unit", "unit", words(d.sc.Units[at-bombUnit].Name))
	return piece
}

// plans draws the secret plans (DF 8.6-a, DF 15.6-b).
func (d *picture) plans() []*boardv1.Piece {
	if !d.secrets(d.v) {
		return nil
	}
	var all []*boardv1.Piece
	if d.ixTurn > 0 {
		all = append(all,
			d.marker("plan-ix", d.say("piece.plan-ix", "turn", int(d.ixTurn)), "IX", "plan", d.sc.HexID(d.ixHex), 1))
	}
	if d.dropTurn > 0 {
		all = append(all, d.marker("plan-drop", d.say("piece.plan-drop", "turn", int(d.dropTurn)), "DROP",
			"plan", d.sc.HexID(d.dropHex), 1))
	}
	return all
}

// track makes a track of the board.
func (d *picture) track(id, key string, value int, owner rules.Seat) *boardv1.Track {
	t := &boardv1.Track{Id: id, Name: d.say(key), Value: int64(value)}
	if owner != rules.NoSeat {
		t.Owner = seatIDs[owner]
	}
	return t
}
