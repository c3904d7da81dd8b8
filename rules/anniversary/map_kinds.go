package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
	"github.com/warledger/warledger/rules/silhouette"
)

// unitShapes are the silhouettes of the types.
var unitShapes = map[string]string{
	"infantry": silhouette.Infantry, "artillery": silhouette.Artillery, "tank": silhouette.Tank,
	"antiaircraft-gun": silhouette.AntiAircraft,
	"fighter":          silhouette.Fighter, "bomber": silhouette.Bomber, "submarine": silhouette.Submarine,
	"transport": silhouette.Transport,
	"destroyer": silhouette.Destroyer, "cruiser": silhouette.Cruiser, "aircraft-carrier": silhouette.Carrier,
	"battleship":         silhouette.Battleship,
	"industrial-complex": silhouette.Factory,
}

// featureShapes are those of what is printed on the map.
var featureShapes = map[string]string{featureCapital: silhouette.Capital, featureCity: silhouette.Star}

var markLooks = kit.Looks(`
	moved →
	done ✓
	attack ⚔
	raid ✸
	dropped ▽
	seaborne ≈
	hit ✕
	damaged ½
	submerged ▼
	bombarded ✹
	struck ✓
	captured ⚑
	waiting …
	aboard ⛴
	loaded ↑
	lands ↓
`)

var numberLooks = kit.Looks(`
	attack
	defence
	movement
	used
	from
	target
	capacity
	damage
`)

// typeWords are the types of units, and what is no unit.
func typeWords(lang rules.Lang) []*boardv1.Legend {
	var all []*boardv1.Legend
	for u, id := range scenario.UnitIDs {
		all = append(all, &boardv1.Legend{
			Key: id, Name: catalogue.Format(lang, rules.Say(unitName(Unit(u))[1:])), Shape: unitShapes[id],
		})
	}
	return all
}
