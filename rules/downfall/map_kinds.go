package downfall

import (
	"github.com/warledger/warledger/rules/kit"
	"github.com/warledger/warledger/rules/silhouette"
)

// featureShapes are the silhouettes of what is printed on the map.
var featureShapes = map[string]string{
	"coastal": silhouette.Waves, "airbase": silhouette.Fighter, "entry": silhouette.Arrow, "objective": silhouette.Star,
	"mountain": silhouette.Mountain, "beach": silhouette.Flag,
}

// kindShapes are those of what is no unit.
var kindShapes = map[string]string{
	"beachhead": silhouette.Flag, "naval": silhouette.Battleship, "air": silhouette.Bomber,
	"air-supply": silhouette.Parachute, "bomb": silhouette.Bomb, "plan": silhouette.Letter,
}

var kindLooks = kit.Looks(`
	infantry
	marine
	cavalry
	armor
	airborne
	artillery
	coastal
	service
	division
	beachhead
	naval
	air
	air-supply
	bomb
	plan
`)

var markLooks = kit.Looks(`
	reduced ½
	air ✈
	coast ≈
	oos !
	mixed ±
	acted ✓
	arrived ↓
	refitted +
	bombed ✹
	follows ↷
	attacks ⚔
	defends ⛨
	fires ✸
	placed •
	plan-infantry P
	plan-airborne P
	committed →
	supports ✸
	used ✓
`)

var numberLooks = kit.Looks(`
	strength
	movement
`)
