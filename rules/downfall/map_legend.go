package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// mapWords are what the map itself says. What a scenario names has its words in the document.
var mapWords = [...]struct{ key, en, ja string }{
	{seaKind, "Sea", "海"},
	{riverKind, "River", "河川"},
	{lineKind, "Linked Beachheads Line", "橋頭堡連結線"},
	{"coastal", "Coastal hex", "沿岸ヘックス"},
	{"airbase", "Air base", "航空基地"},
	{"entry", "Entry hex of the 56th Army", "第56軍登場ヘックス"},
	{"objective", "Objective", "勝利目標"},
	{"mountain", "Mountain", "山"},
	{"beach", "Landing beach", "上陸海岸"},
	{"south-of-line", "South of the Linked Beachheads Line", "橋頭堡連結線の南"},
	{"setup-36", "Set-up area of the 36th Army", "第36軍配置区域"},
	{"entry-56", "Entry of the 56th Army", "第56軍登場地点"},
	{boxUnplaced, "To be set up", "未配置"},
	{boxHolding, "US Reinforcements Holding Box", "アメリカ軍増援ボックス"},
	{boxNA, "Japanese 56th Army Not Available", "日本第56軍使用不可"},
	{boxAV, "Japanese 56th Army Available", "日本第56軍使用可能"},
	{boxLanding, "Landing", "上陸中"},
	{boxFallen, "Lost in this combat", "この戦闘での損失"},
	{boxEliminated, "Eliminated", "除去"},
	{boxRemoved, "Eliminated for good", "永久除去"},
	{boxOut, "Not in this game", "使用しないカウンター"},
	{boxAir, "Air markers", "航空攻撃マーカー"},
	{boxNaval, "Naval markers", "艦砲射撃マーカー"},
}

func mapWord(key string, lang rules.Lang) string {
	for _, w := range mapWords {
		if w.key == key {
			if lang == rules.Japanese {
				return w.ja
			}
			return w.en
		}
	}
	return key
}

// looks are colours and glyphs of what a scenario doesn't colour itself: paper tones for land, so that counters stand out.
var looks = [...]struct{ key, color, glyph string }{
	{"clear", "#e9e3c3", "."},
	{"broken", "#d9c99a", ":"},
	{"forest", "#a9c08d", "f"},
	{"rough", "#b59a78", "^"},
	{"town", "#e6b98a", "t"},
	{"city", "#cf7f6b", "C"},
	{"fortification", "#a8a3ad", "#"},
	{seaKind, "#9cc4d9", "~"},
	{riverKind, "#3f7fb0", "="},
	{lineKind, "#c0392b", "-"},
	{"coastal", "#7fb0c9", "c"},
	{"airbase", "#4a4a4a", "+"},
	{"entry", "#7a4b8c", "v"},
	{"objective", "#c0392b", "*"},
	{"mountain", "#6b4f35", "A"},
	{"beach", "#e3cf6a", "b"},
}

func look(key string) (color, glyph string) {
	for _, l := range looks {
		if l.key == key {
			return l.color, l.glyph
		}
	}
	return "#d8d2bd", "?"
}

// legend lists the terrains of the scenario and everything else that the map shows.
func (d *drawing) legend() []*boardv1.Legend {
	var all []*boardv1.Legend
	for _, t := range d.sc.Doc.GetTerrains() {
		color, glyph := look(t.GetId())
		if t.GetColor() != "" {
			color = t.GetColor()
		}
		all = append(all, &boardv1.Legend{Key: t.GetId(), Name: inLang(t.GetName(), d.lang), Color: color, Glyph: glyph})
	}
	for _, key := range [...]string{seaKind, riverKind, lineKind, "coastal", "airbase", "entry", "objective", "mountain", "beach"} {
		color, glyph := look(key)
		all = append(all, &boardv1.Legend{Key: key, Name: mapWord(key, d.lang), Color: color, Glyph: glyph, Shape: featureShapes[key]})
	}
	return all
}
