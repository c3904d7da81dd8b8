package ocs

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/silhouette"
)

// functions are the function ids of MIL-STD-2525C by the words in which a document says what is on a counter.
var functions = map[string]string{
	"infantry": "UCI---", "motorised": "UCIM--", "mechanized_infantry": "UCIZ--", "mountain": "UCIO--",
	"marine": "UCIN--", "naval": "UCIN--",
	"parachute": "UCIA--", "militia": "UCI---", "machine_gun": "UCI---", "commando": "UCI---", "penal": "UCI---",
	"security": "UCS---",
	"police":   "UULM--", "cavalry": "UCRC--", "reconnaissance": "UCR---", "motorcycle": "UCR---",
	"armored_car": "UCRVA-",
	"armor":       "UCA---", "anti_tank_gun": "UCAA--", "assault_gun": "UCAA--", "artillery_towed": "UCF---",
	"horse_artillery":  "UCF---",
	"rocket_artillery": "UCFR--", "coastal_battery": "UCF---", "mortar": "UCFM--", "anti_aircraft": "UCD---",
	"engineer":        "UCE---",
	"combat_engineer": "UCEC--", "railroad_repair": "UCE---", "headquarters": "UH----",
}

// echelons are the letters of the sizes.
var echelons = map[string]string{
	"company": "E", "battalion": "F", "battle_group": "F", "regiment": "G", "brigade": "H", "division": "I",
	"corps": "J", "army": "K",
}

// symbol is the symbol of a unit on the ground; empty for what has none.
func symbol(c *Counter) string {
	function := ""
	for _, s := range c.Symbols {
		if id := functions[s]; id != "" && (function == "" || s == "motorised") {
			function = id
		}
	}
	if function == "" {
		return ""
	}
	size := echelons[c.Size]
	if size == "" {
		size = "-"
	}
	return "SFGP" + function + "-" + size + "---"
}

// shortName is what a counter has room for: the number of a unit, or the beginning of its name.
func shortName(name string) string {
	first, _, _ := strings.Cut(name, " ")
	if r := []rune(first); len(r) > 6 {
		return string(r[:6])
	}
	return first
}

// looks are colours by id of a terrain or a road, where rows of the CRT alone would let woods and hills look alike.
var looks = map[string]string{
	"light_woods": "#bccb94", "forest": "#94b27c", "hills": "#d3bf95", "rough": "#c7ab82", "mountain": "#ae9070",
	"very_high_mountain": "#8d745b",
	"marsh":              "#b6cbb4", "swamp": "#97b59f", "village": "#8a4f3a", "minor_city": "#8a4f3a",
	"major_city": "#6d3326", "all_sea": "#9cc4d9",
	"primary": "#8c2f1b", "secondary": "#a0603d", "track": "#8a7a5c", "rail": "#2a2723",
}

// look is the colour of a terrain or a road; otherwise if it has none of its own.
func look(id, otherwise string) string {
	if c := looks[id]; c != "" {
		return c
	}
	return otherwise
}

// sideLooks are how hexsides are drawn, by id. All eyes tell their colours apart, from each other and from the land.
var sideLooks = map[string]sideInfo{
	"minor_river": {"#257aaf", 0.06}, "major_river": {"#012284", 0.12},
	"lake": {"#11d2ea", 0.1}, "salt_lake": {"#8147d1", 0.08},
	"all_sea_side": {"#0b1021", 0.08}, "coast": {"#b55411", 0.05}, "beach_assault": {"#eaad01", 0.08},
	"escarpment": {"#6c1b01", 0.09},
}

// sideInfo is the colour of a line along hexsides, and its width as a part of the distance of two hexes.
type sideInfo struct {
	color string
	width float64
}

// sideLook is how a hexside is drawn. One that only an uploaded scenario has is drawn by what it does.
func sideLook(f *FeatureInfo) sideInfo {
	switch l, known := sideLooks[f.ID]; {
	case known:
		return l
	case f.Sea && f.Land:
		return sideLooks["coast"]
	case f.Sea:
		return sideLooks["all_sea_side"]
	case f.Covers && f.Bridged != -2: // what can be bridged is a river
		return sideLooks["minor_river"]
	case f.Covers:
		return sideLooks["escarpment"]
	}
	return sideLooks["lake"]
}

// featureShapes are the silhouettes of what is printed in a hex.
var featureShapes = map[string]string{
	"village": silhouette.Village, "minor_city": silhouette.Town, "major_city": silhouette.City,
	"port":   silhouette.Anchor,
	"forest": silhouette.Wood, "light_woods": silhouette.Wood, "mountain": silhouette.Mountain,
}

// kindWords are what is no unit of a branch, with its silhouette.
var kindWords = [...]struct{ key, shape, en, ja string }{
	{"air-unit", silhouette.Fighter, "air unit", "航空ユニット"}, {"ship", silhouette.Battleship, "ship", "艦船"},
	{"landing-craft", silhouette.Transport, "landing craft", "上陸用舟艇"},
	{"transport", silhouette.Truck, "transport", "輸送ユニット"},
	{"replacement", silhouette.Infantry, "replacement", "補充ユニット"},
	{"dump", silhouette.Crates, "dump", "補給集積所"}, {"hedgehog", silhouette.Hedgehog, "hedgehog", "陣地"},
	{"air-base", silhouette.Runway, "air base", "航空基地"}, {"airstrip", silhouette.Runway, "airstrip", "滑走路"},
	{"formation-marker", silhouette.Flag, "formation marker", "フォーメーションマーカー"},
}

// markWords are what marks are called, with what a counter has room for.
var markWords = [...]struct{ key, glyph, en, ja string }{
	{"move", "→", "Move mode", "移動モード"}, {"reserve", "R", "Reserve mode", "予備モード"},
	{"strat", "S", "Strat mode", "戦略移動モード"},
	{"dg", "DG", "disorganized", "混乱モード"}, {"exploitation", "E", "Exploitation mode", "突破モード"},
	{"oos", "!", "out of supply", "補給切れ"},
	{"aboard", "▾", "aboard", "積載中"}, {"hidden", "?", "not all of it is known", "詳細不明"},
	{"low", "L", "low stocks", "弾薬減少"}, {"exhausted", "X", "exhausted stocks", "弾薬欠乏"},
	{"fuel", "F", "fuelled", "給油状態"}, {"extender", "+", "extender", "エクステンダー"}, {"done", "✓", "done", "行動終了"},
	{"released", "↑", "released", "予備モードを解除"},
	{"zoc-blue", "z", "zone of control of blue", "青軍のZOC"}, {"zoc-red", "z", "zone of control of red", "赤軍のZOC"},
}

// zoneColor tells the zones of control of the two sides apart; empty for other marks.
func zoneColor(mark string) string {
	for seat, id := range seatIDs {
		if mark == "zoc-"+id {
			return about.Seats[seat].Color
		}
	}
	return ""
}

// wordsOf puts names, signs and silhouettes into a map.
func wordsOf(m *boardv1.Map, lang rules.Lang) {
	pick := func(en, ja string) string { return rules.Words{En: en, Ja: ja}.In(lang) }
	for _, w := range kindWords {
		m.Kinds = append(m.Kinds, &boardv1.Legend{Key: w.key, Name: pick(w.en, w.ja), Shape: w.shape})
	}
	for _, w := range markWords {
		m.Marks = append(m.Marks,
			&boardv1.Legend{Key: w.key, Name: pick(w.en, w.ja), Glyph: w.glyph, Color: zoneColor(w.key)})
	}
	for _, l := range m.Legend {
		l.Shape = featureShapes[l.GetKey()]
	}
}
