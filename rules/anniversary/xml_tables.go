package anniversary

import (
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// players of the format by power, as the maps of this game name them.
var playerNames = [NumPowers]string{"Germans", "Japanese", "Italians", "Russians", "British", "Americans", "Chinese"}

// power is the power of a player; NoPower if it is none, which it reports.
func (im *importer) power(n *node, player string) Power {
	for w, name := range playerNames {
		if name == player {
			return Power(w)
		}
	}
	im.fault(n, "%.40q is none of the players %s", player, strings.Join(playerNames[:], ", "))
	return NoPower
}

// unitNames of the format by type.
var unitNames = [NumUnits]string{
	"infantry", "artillery", "armour", "aaGun", "factory", "fighter", "bomber", "battleship", "carrier", "cruiser", "destroyer", "submarine", "transport",
}

// unit is the type of a name; NoUnit if it is none.
func xmlUnit(name string) Unit {
	for u, x := range unitNames {
		if x == name {
			return Unit(u)
		}
	}
	return NoUnit
}

func (im *importer) unitNames(n *node) {
	for _, c := range n.each("unit") {
		if name := c.get("name"); xmlUnit(name) == NoUnit {
			im.warn(c, "the unit %.40q is not one of this game", name)
		}
	}
}

// rule is a price: of a unit, or of removing damage.
type rule struct {
	unit           Unit
	cost, quantity uint32
}

// production reads prices: those of the frontier that players begin with, and those of improved shipyards.
func (im *importer) production(n *node) {
	im.costs = map[string]rule{}
	for _, c := range n.each("productionRule", "repairRule") {
		r := rule{unit: NoUnit}
		for _, x := range c.each("cost") {
			if res := x.get("resource"); !isMoney(res) {
				im.fault(x, "a price in %.40q, expected PUs", res)
			}
			r.cost = im.number(x, "quantity")
		}
		for _, x := range c.each("result") {
			if r.unit = xmlUnit(x.get("resourceOrUnit")); r.unit == NoUnit {
				im.warn(x, "%.40q is no unit of this game", x.get("resourceOrUnit"))
			}
			r.quantity = im.number(x, "quantity")
		}
		im.costs[c.get("name")] = r
	}
	frontiers := map[string]*node{}
	for _, c := range n.each("productionFrontier", "repairFrontier") {
		frontiers[c.get("name")] = c
	}
	used := map[string]bool{}
	for _, c := range n.each("playerProduction", "playerRepair") {
		w, name := im.power(c, c.get("player")), c.get("frontier")
		if frontiers[name] == nil {
			im.fault(c, "there is no frontier %.40q", name)
		} else if w != China { // China buys nothing (AA 5.1.2)
			used[name] = true
		}
	}
	priced := map[Unit]uint32{}
	repair := uint32(0)
	for _, c := range n.each("productionFrontier", "repairFrontier") {
		switch name := c.get("name"); {
		case used[name] && c.name == "productionFrontier":
			im.frontier(c, func(x *node, r rule) {
				if r.quantity != 1 || priced[r.unit] != 0 && priced[r.unit] != r.cost {
					im.fault(x, "%s has two prices", unitNames[r.unit])
				}
				priced[r.unit] = r.cost
				im.unitRow(r.unit).Cost = r.cost
			})
		case used[name]:
			im.frontier(c, func(x *node, r rule) {
				if r.quantity != 1 || r.unit != Complex || repair != 0 && repair != r.cost {
					im.fault(x, "expected one price of removing one damage of a factory")
				}
				repair = r.cost
				im.sc.Tables.Numbers.RepairCost = r.cost
			})
		case name == "productionShipyards":
			im.shipyards(c)
		case name == "repairIndustrialTechnology":
			im.frontier(c, func(x *node, r rule) {
				if r.cost != 1 || r.unit != Complex {
					im.fault(x, "expected how much damage of a factory 1 PU removes")
				}
				im.effect(IncreasedProduction, anniversaryv1.EffectKind_EFFECT_KIND_REPAIR).Value = r.quantity
			})
		default:
			c.read = name == "production" || name == "repair"
		}
	}
	for u := range Unit(NumUnits) {
		if priced[u] == 0 {
			im.warn(n, "no player may buy %s; it keeps the price of the rulebook", unitNames[u])
		}
	}
}

// frontier reads the rules that a frontier has.
func (im *importer) frontier(n *node, use func(*node, rule)) {
	for _, x := range n.each("frontierRules", "repairRules") {
		r, ok := im.costs[x.get("name")]
		switch {
		case !ok:
			im.fault(x, "there is no rule %.40q", x.get("name"))
		case r.unit != NoUnit:
			use(x, r)
		}
	}
}

func (im *importer) shipyards(n *node) {
	for _, t := range im.sc.Tables.GetTechnologies() {
		if t.GetId() != ImprovedShipyards.ID() {
			continue
		}
		t.Effects = nil
		im.frontier(n, func(_ *node, r rule) {
			t.Effects = append(t.Effects, &anniversaryv1.Effect{Kind: anniversaryv1.EffectKind_EFFECT_KIND_COST, Unit: r.unit.ID(), Value: r.cost})
		})
	}
}

func (im *importer) unitRow(u Unit) *anniversaryv1.UnitRow {
	for _, row := range im.sc.Tables.GetUnits() {
		if row.GetId() == u.ID() {
			return row
		}
	}
	return &anniversaryv1.UnitRow{}
}

func (im *importer) effect(t Tech, k anniversaryv1.EffectKind) *anniversaryv1.Effect {
	for _, row := range im.sc.Tables.GetTechnologies() {
		for _, e := range row.GetEffects() {
			if row.GetId() == t.ID() && e.GetKind() == k {
				return e
			}
		}
	}
	return &anniversaryv1.Effect{}
}

// unitOptions are the options that a type must have besides its numbers, so that it is what the rules take it for.
var unitOptions = [NumUnits]string{
	Infantry:   "transportCost=2 isInfantry=true isAirTransportable=true artillerySupportable=true",
	Artillery:  "transportCost=3 artillery=true",
	Tank:       "transportCost=3 canBlitz=true isLandTransport=true",
	AAGun:      "transportCost=3 isAA=true",
	Complex:    "isFactory=true",
	Fighter:    "carrierCost=1 isAir=true canIntercept=true canEscort=true airDefense=1 airAttack=1",
	Bomber:     "isAir=true isStrategicBomber=true transportCapacity=2 isAirTransport=true airAttack=1",
	Battleship: "isSea=true canBombard=true hitPoints=2",
	Carrier:    "isSea=true carrierCapacity=2",
	Cruiser:    "isSea=true canBombard=true",
	Destroyer:  "isSea=true isDestroyer=true",
	Submarine:  "isSea=true isSub=true",
	Transport:  "isSea=true transportCapacity=5",
}

// optionalOptions may be left out: they are of rules that this game has not, or say what is so anyway.
const optionalOptions = " canIntercept canEscort airDefense airAttack isLandTransport isAirTransportable isAirTransport hitPoints "

// unitAttachment reads the numbers of a type. The rest must be as the rules have it.
func (im *importer) unitAttachment(n *node, to string) {
	u := xmlUnit(to)
	if u == NoUnit {
		n.skipAll()
		im.warn(n, "the unit %.40q is not one of this game", to)
		return
	}
	row := im.unitRow(u)
	row.Attack, row.Defence, row.Move = 0, 0, 0
	want := map[string]string{}
	for pair := range strings.SplitSeq(unitOptions[u], " ") {
		k, v, _ := strings.Cut(pair, "=")
		want[k] = v
	}
	for _, o := range n.each("option") {
		o.skip("count")
		name, v := o.get("name"), o.get("value")
		switch expected, known := want[name]; {
		case name == "movement":
			row.Move = im.number(o, "value")
		case name == "attack":
			row.Attack = im.number(o, "value")
		case name == "defense":
			row.Defence = im.number(o, "value")
		case known && v == expected, name == "hitPoints" && v == "1" && u != Battleship:
			delete(want, name)
		case known:
			im.warn(o, "%.40s=%.40q; the rules have %s", name, v, expected)
			delete(want, name)
		default:
			im.warn(o, "the option %.40s=%.40q is not understood", name, v)
		}
	}
	for pair := range strings.SplitSeq(unitOptions[u], " ") { // in a fixed order
		name, v, _ := strings.Cut(pair, "=")
		_, missing := want[name]
		if missing && (!strings.Contains(optionalOptions, " "+name+" ") || u == Battleship) {
			im.warn(n, "%s has no option %s=%s, which the rules give it", to, name, v)
		}
	}
}

// techNames of the format by technology.
var techNames = [NumTechs]string{
	"improvedArtillerySupport", "rocket", "paratroopers", "increasedFactoryProduction", "warBonds", "mechanizedInfantry",
	"superSub", "jetPower", "shipyards", "aARadar", "longRangeAir", "heavyBomber",
}

// tech is the technology of a name; NoTech if it is none of this game.
func xmlTech(name string) Tech {
	for t, x := range techNames {
		if strings.EqualFold(x, name) || strings.EqualFold(name, "rockets") && t == int(Rockets) || strings.EqualFold(name, "improvedShipyards") && t == int(ImprovedShipyards) {
			return Tech(t)
		}
	}
	return NoTech
}

// techAttachment checks that nobody begins with a technology (AA 1.3.10).
func (im *importer) techAttachment(n *node, to string) {
	im.power(n, to)
	for _, o := range n.each("option") {
		o.skip("count")
		switch name, v := o.get("name"), o.get("value"); {
		case xmlTech(name) == NoTech && v != "false":
			im.warn(o, "the technology %.40s is not one of this game", name)
		case v == "true":
			im.warn(o, "%.40s begins with %.40s: no scenario gives technologies (AA 1.3.10)", to, name)
		}
	}
}

// technology checks that the breakthrough charts are those of the rulebook.
func (im *importer) technology(n *node) {
	for _, c := range n.each("technologies") {
		for _, x := range c.each("techname") {
			x.skip("tech")
			if name := x.get("name"); xmlTech(name) == NoTech {
				im.warn(x, "the technology %.40q is not one of this game", name)
			}
		}
	}
	for _, c := range n.each("playerTech") {
		im.power(c, c.get("player"))
		for _, category := range c.each("category") {
			category.skip("name")
			var charts [2]int
			for _, x := range category.each("tech") {
				t := xmlTech(x.get("name"))
				if t == NoTech {
					im.warn(x, "the technology %.40q is not one of this game", x.get("name"))
					continue
				}
				charts[t/6]++
			}
			if charts != [2]int{6, 0} && charts != [2]int{0, 6} {
				im.warn(category, "%d technologies of chart 1 and %d of chart 2, expected all six of one", charts[0], charts[1])
			}
		}
	}
}
