package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/silhouette"
)

// unitShapes are the silhouettes of the types.
var unitShapes = map[string]string{
	"infantry": silhouette.Infantry, "artillery": silhouette.Artillery, "tank": silhouette.Tank, "antiaircraft-gun": silhouette.AntiAircraft,
	"fighter": silhouette.Fighter, "bomber": silhouette.Bomber, "submarine": silhouette.Submarine, "transport": silhouette.Transport,
	"destroyer": silhouette.Destroyer, "cruiser": silhouette.Cruiser, "aircraft-carrier": silhouette.Carrier, "battleship": silhouette.Battleship,
	"industrial-complex": silhouette.Factory,
}

// featureShapes are those of what is printed on the map.
var featureShapes = map[string]string{featureCapital: silhouette.Capital, featureCity: silhouette.Star}

// said is what a mark or a number of a counter is called; glyph is what a counter has room for.
type said struct{ key, glyph, en, ja string }

var markWords = [...]said{
	{"moved", "→", "has moved", "移動済み"}, {"done", "✓", "is done", "行動終了"}, {"attack", "⚔", "attacks", "攻撃中"}, {"raid", "✸", "raids", "爆撃中"},
	{"dropped", "▽", "dropped", "降下"}, {"seaborne", "≈", "comes from the sea", "海上から上陸"}, {"hit", "✕", "hit", "命中"}, {"damaged", "½", "damaged", "損傷"},
	{"submerged", "▼", "submerged", "潜航"}, {"bombarded", "✹", "damaged or has bombarded", "損害または砲撃済み"}, {"struck", "✓", "has fired", "射撃済み"},
	{"captured", "⚑", "captured this turn", "このターンに占領"}, {"waiting", "…", "waits", "待機"}, {"aboard", "⛴", "aboard", "乗艦中"},
	{"loaded", "↑", "loaded this turn", "このターンに搭載"}, {"lands", "↓", "is to land", "上陸予定"},
}

var numberWords = [...]said{
	{"attack", "", "attack", "攻撃力"}, {"defence", "", "defence", "防御力"}, {"movement", "", "movement", "移動力"}, {"used", "", "movement used", "使用移動力"},
	{"from", "", "from", "出発地"}, {"target", "", "target", "目標"}, {"capacity", "", "capacity", "生産力"}, {"damage", "", "damage", "損害"},
}

func saying(all []said, lang rules.Lang) []*boardv1.Legend {
	out := make([]*boardv1.Legend, len(all))
	for i, w := range all {
		out[i] = &boardv1.Legend{Key: w.key, Name: w.en, Glyph: w.glyph}
		if lang == rules.Japanese {
			out[i].Name = w.ja
		}
	}
	return out
}

// typeWords are the types of units, and what is no unit.
func typeWords(lang rules.Lang) []*boardv1.Legend {
	var all []*boardv1.Legend
	for u, id := range unitIDs {
		all = append(all, &boardv1.Legend{
			Key: id, Name: catalogue.Format(lang, rules.Say(unitName(Unit(u))[1:])), Shape: unitShapes[id],
		})
	}
	return all
}
