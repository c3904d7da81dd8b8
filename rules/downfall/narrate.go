package downfall

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// teller tells events: by the catalogue, and as said here where the fields alone do not say it.
var teller = kit.NewTeller(catalogue, &event{}, kit.Tellings[*Scenario]{
	Name:  func(sc *Scenario, id string) any { return sc.called(id) },
	Names: func(sc *Scenario, ids []string) any { return sc.listed(ids) },
	Fields: map[string]func(*Scenario, protoreflect.Value) any{
		"hex": tellHex, "drop_hex": tellHex, "from": tellHex, "target": tellHex,
		"award":   func(sc *Scenario, v protoreflect.Value) any { return sc.awardName(v.String()) },
		"markers": tellNumbers, "naval": tellNumbers,
		"seat":     func(_ *Scenario, v protoreflect.Value) any { return tellSeat(v.String()) },
		"phase":    func(_ *Scenario, v protoreflect.Value) any { return phaseText(Phase(v.Enum())) },
		"supply":   func(_ *Scenario, v protoreflect.Value) any { return supplyText(Supply(v.Enum())) },
		"modifier": func(_ *Scenario, v protoreflect.Value) any { return signed(int(v.Int())) },
	},
	Facts: map[string]func(*Scenario, proto.Message, *rules.Text){
		"deployed": tellDeployed, "orders_given": tellOrders, "naval_deployed": tellZones,
		"kamikaze_rolled": tellKamikaze,
		"unit_eliminated": tellEliminated, "points_given": tellPoints,
		"bomb_targeted": tellTarget, "bomb_rolled": tellTarget, "bomb_losses": tellBombLosses,
		"unit_moved": tellPath, "unit_entered": tellPath, "consecutive_declared": tellCommitted,
		"shot_fired": tellBonus, "losses_settled": tellCasualties, "withdrew": tellWithdrawal,
		"standing_given": tellStanding,
		"game_ended": func(_ *Scenario, m proto.Message, t *rules.Text) {
			e := m.(*downfallv1.GameEnded)
			*t = endText(e.GetWinner(), e.GetLevel(), int(e.GetPoints()))
		},
	},
})

// called is the name of a unit or beachhead; what the scenario does not have is called by its id.
func (sc *Scenario) called(id string) rules.Words {
	if u, ok := sc.UnitByID(id); ok {
		return words(sc.Units[u].Name)
	}
	if f, ok := sc.BeachheadByID(id); ok {
		return words(sc.Beachheads[f].Name)
	}
	return plain(id)
}

func (sc *Scenario) awardName(id string) rules.Words {
	if i := sc.AwardByID(id); i >= 0 {
		return words(sc.Chart.Awards[i].Name)
	}
	return plain(id)
}

// listed are the names of a list of ids.
func (sc *Scenario) listed(ids []string) rules.Words { return kit.Enumerate(ids, sc.called) }

// tellSeat is a reference to the name of a seat, or the id of an unknown one.
func tellSeat(id string) any {
	for i := range seatIDs {
		if seatIDs[i] == id {
			return seatText(rules.Seat(i))
		}
	}
	return plain(id)
}

// tellHex tells the number of a hex, or the id of a unit that is in its place.
func tellHex(sc *Scenario, v protoreflect.Value) any {
	if id, ok := v.Interface().(string); ok {
		return sc.called(id)
	}
	return sc.numbered(uint32(v.Uint()))
}

// numbered is what texts call the hex with a printed number; one that the map does not have is called by the number.
func (sc *Scenario) numbered(n uint32) rules.Words {
	text := hexText(n)
	if h, ok := sc.HexByID(text); ok {
		return sc.HexName(h)
	}
	return plain(text)
}

// hexText writes a printed hex number with its leading zeros.
func hexText(n uint32) string {
	s := strconv.FormatUint(uint64(n), 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}

// seatText is a reference to the name of a seat, for texts.
func seatText(seat rules.Seat) string { return "@seat." + seatIDs[seat] }

// signed writes a change of strength.
func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}

// added writes what is added to a die or taken from it, as a part of a sum.
func added(n int) string {
	text := signed(n)
	sign, size := utf8.DecodeRuneInString(text)
	return string(sign) + " " + text[size:]
}

// tellNumbers tells the numbers of markers, or a number of them.
func tellNumbers(_ *Scenario, v protoreflect.Value) any {
	if n, ok := v.Interface().(uint32); ok {
		return n
	}
	return numbers(kit.ListOf[uint32](v))
}

// numbers writes the numbers of markers.
func numbers(ns []uint32) rules.Words {
	return kit.Enumerate(ns, func(n uint32) rules.Words { return plain(strconv.FormatUint(uint64(n), 10)) })
}

// part is a part of a sentence that is left out if it does not hold.
func part(holds bool, key string) string {
	if holds {
		return "@" + key
	}
	return ""
}

func tellDeployed(_ *Scenario, m proto.Message, t *rules.Text) {
	units, onMap := m.(*downfallv1.Deployed).GetUnits(), 0
	for _, u := range units {
		if u.GetHex() != 0 {
			onMap++
		}
	}
	kit.Add(t, "map", onMap, "boxes", len(units)-onMap)
}

func tellOrders(_ *Scenario, m proto.Message, t *rules.Text) {
	switch e := m.(*downfallv1.OrdersGiven); {
	case !e.GetChanged():
		t.Key = "told.orders_given"
	case e.GetDropTurn() != 0:
		t.Key = "told.orders_given-drop"
	case e.GetMode() == downfallv1.Mode_MODE_AIRBORNE:
		t.Key = "told.orders_given-airborne"
	default:
		t.Key = "told.orders_given-infantry"
	}
}

func tellZones(sc *Scenario, m proto.Message, t *rules.Text) {
	count := func(zone rules.Words, numbers []string) rules.Words { return counted(zone, len(numbers)) }
	kit.Add(t, "where", sc.byZone(m.(*downfallv1.NavalDeployed).GetZones(), count))
}

// byZone tells the zones of a deployment, in the order in which they are first named, each with its markers' numbers.
func (sc *Scenario) byZone(ids []string, tell func(zone rules.Words, numbers []string) rules.Words) rules.Words {
	var names []rules.Words
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		var numbers []string
		for j, other := range ids {
			if other == id {
				numbers = append(numbers, strconv.Itoa(j+1))
			}
		}
		names = append(names, tell(sc.zoneName(id), numbers))
	}
	return enumerate(names)
}

// zoneMarkers names the zones of a deployment with the numbers of the markers in each, which are not all alike.
func (sc *Scenario) zoneMarkers(ids []string) rules.Words {
	return sc.byZone(ids, func(zone rules.Words, numbers []string) rules.Words {
		in := rules.Words{En: " (" + strings.Join(numbers, ", ") + ")", Ja: "（" + strings.Join(numbers, "、") + "）"}
		return rules.Join([]rules.Words{zone, in}, "", "")
	})
}

func (sc *Scenario) zoneName(id string) rules.Words {
	if z := sc.ZoneByID(id); z != NoZone {
		return words(sc.Zones[z].Name)
	}
	return plain(id)
}

func tellKamikaze(_ *Scenario, m proto.Message, t *rules.Text) {
	e := m.(*downfallv1.KamikazeRolled)
	limit := func(n *uint32) any {
		if n == nil {
			return "@told.uncapped"
		}
		return *n
	}
	sum, rolled := int(e.Die)+int(e.TurnModifier), "@told.kamikaze-sum"
	switch {
	case kamikazeRow(sum) != int(e.Modified): // as in records of older rules, which do not name the modifier
		rolled = "@told.kamikaze-modified"
	case e.TurnModifier == 0:
		rolled = "@told.kamikaze-die"
	case sum != int(e.Modified):
		rolled = "@told.kamikaze-end"
	}
	kit.Add(t, "rolled", rolled, "by_turn", added(int(e.TurnModifier)), "sum", sum,
		"air", limit(e.AirCap), "naval", limit(e.NavalCap),
		"caps", part(e.AirCap != nil || e.NavalCap != nil, "told.kamikaze_rolled-caps"))
}

// tellTarget tells what a bomb is aimed at: a hex, or a unit in the AV Box.
func tellTarget(sc *Scenario, m proto.Message, t *rules.Text) {
	bomb := m.(interface {
		GetHex() uint32
		GetUnit() string
	})
	if unit := bomb.GetUnit(); unit != "" {
		kit.Add(t, "target", sc.called(unit))
	} else {
		kit.Add(t, "target", sc.numbered(bomb.GetHex()))
	}
}

func tellBombLosses(sc *Scenario, m proto.Message, t *rules.Text) {
	var names []rules.Words
	var gone []string
	for _, l := range m.(*downfallv1.BombLosses).GetLosses() {
		if l.GetSteps() > 0 {
			names = append(names, counted(sc.called(l.GetUnit()), int(l.GetSteps())))
		}
		if l.GetEliminated() {
			gone = append(gone, l.GetUnit())
		}
	}
	kit.Add(t, "units", enumerate(names), "gone", sc.listed(gone), "out", part(gone != nil, "told.bomb_losses+gone"))
	if names == nil {
		t.Key = "told.bomb_losses"
	}
}

// causes are the parts of a sentence that say why a unit is eliminated, by rule.
var causes = map[string]string{
	"DF 13.10-7": "told.cause-no-retreat", "DF 10.3-b": "told.cause-stack", "DF 10.8": "told.cause-stack",
	"DF 8.8-e": "told.cause-supply", "DF 13.7": "told.cause-unguarded", "DF 12.6-b": "told.cause-entered",
}

func tellEliminated(_ *Scenario, m proto.Message, t *rules.Text) {
	cause, ok := causes[m.(*downfallv1.UnitEliminated).GetRule()]
	kit.Add(t, "cause", part(ok, cause))
}

// tellPoints says where command points come from that no die gave: Japan has a fixed number on turn 1 (DF 7.2-a).
func tellPoints(_ *Scenario, m proto.Message, t *rules.Text) {
	e := m.(*downfallv1.PointsGiven)
	switch {
	case e.GetDie() != 0 || e.GetSeat() != seatIDs[Japan]:
	case e.GetBonus() > 0:
		t.Key = "told.points_given-fixed-more"
		kit.Add(t, "fixed", e.GetPoints()-e.GetBonus())
	default:
		t.Key = "told.points_given-fixed"
	}
}

// tellPath names the first and the last hex of a way, and those between if there are any.
func tellPath(sc *Scenario, m proto.Message, t *rules.Text) {
	path := m.(interface{ GetPath() []uint32 }).GetPath()
	n := len(path)
	if n == 0 {
		return
	}
	kit.Add(t, "from", sc.numbered(path[0]), "to", sc.numbered(path[n-1]))
	if n > 1 {
		t.Key += "-on"
	}
	if _, moved := m.(*downfallv1.UnitMoved); moved && n > 2 {
		t.Key += "-by"
		kit.Add(t, "way", kit.Enumerate(path[1:n-1], sc.numbered))
	}
}

func tellCommitted(_ *Scenario, m proto.Message, t *rules.Text) {
	e := m.(*downfallv1.ConsecutiveDeclared)
	kit.Add(t, "support", part(e.GetAir() > 0 || len(e.GetNaval()) > 0, "told.consecutive_declared-support"))
}

// tellBonus tells a bonus shot, which has no target (DF 13.12).
func tellBonus(_ *Scenario, m proto.Message, t *rules.Text) {
	switch e := m.(*downfallv1.ShotFired); {
	case e.GetBonus() && e.GetHit():
		t.Key = "told.shot_fired-hit-bonus"
	case e.GetBonus():
		t.Key = "told.shot_fired-bonus"
	}
}

// tellCasualties names those that can be rebuilt and those that can't (DF 8.10).
func tellCasualties(sc *Scenario, m proto.Message, t *rules.Text) {
	var back, gone []string
	for _, c := range m.(*downfallv1.LossesSettled).GetEliminated() {
		if c.GetFinal() {
			gone = append(gone, c.GetUnit())
		} else {
			back = append(back, c.GetUnit())
		}
	}
	kit.Add(t, "back", sc.listed(back), "gone", sc.listed(gone))
	if back != nil {
		t.Key += "-back"
	}
	if gone != nil {
		t.Key += "-gone"
	}
}

func tellWithdrawal(sc *Scenario, m proto.Message, t *rules.Text) {
	kit.Add(t, "moves", kit.Enumerate(m.(*downfallv1.Withdrew).GetUnits(), func(u *downfallv1.PlacedUnit) rules.Words {
		return going(sc.called(u.GetUnit()), sc.numbered(u.GetHex()))
	}))
}

// endText says how the game ended.
func endText(winner string, level downfallv1.EndLevel, points int) rules.Text {
	key := "end.final"
	switch {
	case winner == "":
		key = "end.draw"
	case level == downfallv1.EndLevel_END_LEVEL_SUDDEN:
		key = "end.sudden"
	case level == downfallv1.EndLevel_END_LEVEL_CONCEDED:
		key = "end.conceded"
	}
	return rules.Say(key, "seat", tellSeat(winner), "points", points)
}
