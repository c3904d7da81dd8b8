package ocs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// Words of documents that the rules look up by name. A word that no rule looks up would silently have no effect, so a
// new document with one is refused. Stored games go on, because earlier programs did not check these words.

// branchSymbols are the symbols that a counter may have (OCS Intro-II-b).
var branchSymbols = strings.Fields(`ad_hoc anti_aircraft anti_tank_gun armor armored_car artillery_self_propelled
	artillery_towed assault_engineer assault_gun bicycle cavalry coastal_battery combat_engineer commando engineer
	equipment_replacement glider headquarters home_guard horse_artillery infantry machine_gun marine mechanized_infantry
	militia mortar motorcycle motorised mountain naval parachute penal personnel_replacement police railroad_repair
	reconnaissance rocket_artillery security ski`)

// Reasons for a modifier of flak (OCS 14.4e).
const (
	flakMany         = "many_units"
	flakHQ           = "hq"
	flakFighter      = "zone_with_fighter"
	flakNoFighter    = "zone_without_fighter"
	flakTrainbusting = "zone_trainbusting"
)

// flakReasons are all of them.
var flakReasons = []string{flakMany, flakHQ, flakFighter, flakNoFighter, flakTrainbusting}

// Reasons for a shift of a barrage, besides the kind of terrain (OCS 10.0a).
const (
	shiftHedgehog   = "hedgehog"
	shiftNoSpotter  = "no_spotter"
	shiftStratMode  = "strat_mode"
	shiftNearBase   = "near_base"
	shiftLongFlight = "long_flight"
)

// shiftReasons are all of them.
var shiftReasons = append(slices.Clone(categoryIDs[:]),
	shiftHedgehog, shiftNoSpotter, shiftStratMode, shiftNearBase, shiftLongFlight)

// Columns of the table for air drops (OCS 14.10d).
const (
	dropClear  = "clear"
	dropClosed = "closed"
)

// dropTerrains are both.
var dropTerrains = []string{dropClear, dropClosed}

// Columns of the capture table: for supply on the ground, for organic and other trucks (OCS 9.14b, OCS 9.14c), and that
// of the series for wagons.
const (
	dumpColumn    = "dump"
	organicColumn = "trucks"
	wagonColumn   = "wagons"
)

// captureColumns are the columns of the series. A game has further ones if its kinds of transport name them.
var captureColumns = []string{dumpColumn, organicColumn, wagonColumn}

// unitSizes are the sizes of units.
var unitSizes = slices.Sorted(maps.Keys(sizes))

// word notes an unknown word.
func (l *loader) word(path, what, id string, known []string) {
	if !slices.Contains(known, id) {
		l.Tolerate(path, "no %s %.40q, expected one of %s", what, id, strings.Join(known, ", "))
	}
}

// repeated notes a word that occurs twice in a list: only the first counts.
func (l *loader) repeated(path, id string, before []string) []string {
	if slices.Contains(before, id) {
		l.Tolerate(path, "%.40q is given twice", id)
	}
	return append(before, id)
}

// vocabulary checks the words of charts, terrains, transports and conditions of victory.
func (l *loader) vocabulary() {
	charts := l.doc.GetCharts()
	flak := charts.GetAir().GetFlak().GetModifiers()
	l.reasons("charts.air.flak.modifiers", "reason for a modifier of flak", flak, flakReasons)
	l.reasons("charts.barrage.shifts", "reason for a shift", charts.GetBarrage().GetShifts(), shiftReasons)
	var rows []string
	for i, r := range charts.GetAir().GetDrops() {
		path := fmt.Sprintf("charts.air.drops[%d]", i)
		l.word(path+".terrain", "terrain of air drops", r.GetTerrain(), dropTerrains)
		rows = l.repeated(path, fmt.Sprintf("%s, friendly %t", r.GetTerrain(), r.GetFriendly()), rows)
	}
	for i, t := range l.doc.GetTerrain().GetHexes() {
		if t.GetAirDrop() != "" {
			l.word(fmt.Sprintf("terrain.hexes[%d].air_drop", i), "terrain of air drops", t.GetAirDrop(), dropTerrains)
		}
	}
	l.captureWords()
	for i, t := range l.doc.GetVictory().GetAdjust() {
		l.victoryWords(fmt.Sprintf("victory.adjust[%d]", i), t)
	}
}

// reasons checks the ids of shifts.
func (l *loader) reasons(path, what string, list []*ocsv1.NamedShift, known []string) {
	var before []string
	for i, s := range list {
		at := fmt.Sprintf("%s[%d].id", path, i)
		l.word(at, what, s.GetId(), known)
		before = l.repeated(at, s.GetId(), before)
	}
}

// captureWords checks that columns of the capture table and kinds of transport name each other, and that there is a
// column for all that can be captured.
func (l *loader) captureWords() {
	named, columns := slices.Clone(captureColumns), []string(nil)
	for _, t := range l.doc.GetCounters().GetTransports() {
		if id := t.GetCapture(); id != "" && !slices.Contains(named, id) {
			named = append(named, id)
		}
	}
	var before []string
	for i, c := range l.doc.GetCharts().GetCapture().GetColumns() {
		path := fmt.Sprintf("charts.capture.columns[%d].id", i)
		l.word(path, "column of the capture table", c.GetId(), named)
		if before = l.repeated(path, c.GetId(), before); c.GetId() != dumpColumn {
			columns = append(columns, c.GetId())
		}
	}
	if !slices.Contains(before, dumpColumn) {
		l.Tolerate("charts.capture.columns", "no column dump, for the supply on the ground (OCS 9.14b)")
	}
	organic := func(c Counter) bool { return c.Kind == OrganicUnit }
	if !slices.Contains(before, organicColumn) && slices.ContainsFunc(l.sc.Counters, organic) {
		l.Tolerate("charts.capture.columns", "no column trucks, for organic trucks (OCS 9.14c)")
	}
	for i, t := range l.doc.GetCounters().GetTransports() {
		path := fmt.Sprintf("counters.transports[%d].capture", i)
		l.word(path, "column of the capture table for transports", t.GetCapture(), columns)
	}
}

// victoryWords checks the size of units and the kinds of ships that a condition counts.
func (l *loader) victoryWords(path string, t *ocsv1.VictoryTest) {
	if t.GetSize() != "" {
		l.word(path+".size", "size", t.GetSize(), unitSizes)
	}
	if t.GetKind() != "ships_sunk" {
		return
	}
	var kinds []string
	for _, s := range l.doc.GetCounters().GetShips() {
		if s.GetSeat() == t.GetSeat() && !slices.Contains(kinds, s.GetKind()) {
			kinds = append(kinds, s.GetKind())
		}
	}
	slices.Sort(kinds)
	if len(t.GetShips()) == 0 {
		l.Tolerate(path+".ships", "no kinds of ship, expected some of %s", strings.Join(kinds, ", "))
	}
	for i, id := range t.GetShips() {
		l.word(fmt.Sprintf("%s.ships[%d]", path, i), "kind of ship of the side", id, kinds)
	}
}
