package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/silhouette"
)

// featureShapes are the silhouettes of what is printed on the map.
var featureShapes = map[string]string{
	"coastal": silhouette.Waves, "airbase": silhouette.Fighter, "entry": silhouette.Arrow, "objective": silhouette.Star, "mountain": silhouette.Mountain, "beach": silhouette.Flag,
}

// said is what a kind, a mark or a number of a counter is called; sign is a glyph that a counter has room for, or a kind's silhouette.
type said struct{ key, sign, en, ja string }

var kindWords = [...]said{
	{"infantry", "", "infantry", "歩兵"}, {"marine", "", "marines", "海兵"}, {"cavalry", "", "cavalry", "騎兵"}, {"armor", "", "armor", "機甲"},
	{"airborne", "", "airborne", "空挺"}, {"artillery", "", "corps artillery", "軍団砲兵"}, {"coastal", "", "coastal unit", "沿岸防御部隊"},
	{"service", "", "service command", "補給司令部"}, {"division", "", "division", "師団"}, {"beachhead", silhouette.Flag, "beachhead", "橋頭堡"},
	{"naval", silhouette.Battleship, "naval marker", "艦砲射撃マーカー"}, {"air", silhouette.Bomber, "air marker", "航空攻撃マーカー"},
	{"air-supply", silhouette.Parachute, "air supply", "空中補給"}, {"bomb", silhouette.Bomb, "atomic bomb", "原子爆弾"}, {"plan", silhouette.Letter, "secret plan", "秘密計画"},
}

var markWords = [...]said{
	{"reduced", "½", "reduced", "減少戦力"}, {"air", "✈", "supplied by air", "空中補給"}, {"coast", "≈", "supplied from the coast", "沿岸補給"},
	{"oos", "!", "out of supply", "補給切れ"}, {"mixed", "±", "mixed stack", "混成スタック"}, {"acted", "✓", "has acted", "行動済み"},
	{"arrived", "↓", "has arrived", "到着"}, {"refitted", "+", "refitted", "再編成済み"}, {"bombed", "✹", "bombed", "被爆"}, {"follows", "↷", "may follow", "追随"},
	{"attacks", "⚔", "attacks", "攻撃中"}, {"defends", "⛨", "defends", "防御中"}, {"fires", "✸", "fires", "射撃"}, {"placed", "•", "placed", "配置済み"},
	{"plan-infantry", "P", "to come as infantry", "歩兵として投入予定"}, {"plan-airborne", "P", "to drop", "降下予定"}, {"committed", "→", "committed", "投入"}, {"supports", "✸", "supports", "支援"},
	{"used", "✓", "used", "使用済み"},
}

var numberWords = [...]said{{"strength", "", "strength", "戦力"}, {"movement", "", "movement", "移動力"}}

// saying puts words into the legend; pictured is true if their signs are silhouettes.
func saying(all []said, lang rules.Lang, pictured bool) []*boardv1.Legend {
	out := make([]*boardv1.Legend, len(all))
	for i, w := range all {
		out[i] = &boardv1.Legend{Key: w.key, Name: w.en}
		if lang == rules.Japanese {
			out[i].Name = w.ja
		}
		if pictured {
			out[i].Shape = w.sign
		} else {
			out[i].Glyph = w.sign
		}
	}
	return out
}
