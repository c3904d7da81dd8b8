package anniversary

import (
	"strings"
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
