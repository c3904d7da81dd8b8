package downfall

import (
	"strconv"
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// orders are orders to the 11th Division. A drop plan without a mode means airborne (DF 15.6-b).
func (x *phrase) orders(c *Command) {
	switch x.Shape {
	case kit.Encode:
		x.Put("mode", int(c.arrival()))
		x.Put("drop_hex", x.p.num(c.Hex))
		x.Put("drop_turn", c.turn())
	case kit.Decode:
		x.maybe("drop_hex", func() { x.hex("drop_hex", &c.Hex) })
		c.Count = x.upTo(uint32(x.Get("mode").Enum()), int(modeAirborne), "the mode")
		number(x, "drop_turn", &c.Detail, scenario.MaxTurns, "the turn")
		if c.Count = c.arrival(); (c.Hex == NoHex) != (c.turn() == 0) {
			x.Malformed("a drop plan has a hex and a turn, or neither")
		}
	case kit.Write:
		if mode := c.arrival(); mode != 0 {
			x.Word(modeIDs[min(int(mode), len(modeIDs)-1)])
		}
		if c.Hex != NoHex {
			x.drop(c)
		}
	case kit.Read:
		x.readOrders(c)
	case kit.Usage:
		x.Word("[infantry | airborne [HEX TURN]]")
	case kit.Tell:
		x.Pieces(x.p.unitIDs(x.p.sc.Infantry11)...)
		x.drop(c)
	}
}

// drop is where and when the 11th Division drops.
func (x *phrase) drop(c *Command) {
	x.hex("hex", &c.Hex)
	number(x, "turn", &c.Detail, scenario.MaxTurns, "the turn")
}

func (x *phrase) readOrders(c *Command) {
	if !x.More() || x.none() {
		return
	}
	for _, mode := range [...]uint8{modeInfantry, modeAirborne} {
		if c.Count == 0 && x.Has(modeIDs[mode]) {
			c.Count = mode
		}
	}
	if !x.More() && c.Count != 0 {
		return
	}
	if x.drop(c); x.Refusal == nil && c.turn() == 0 {
		x.Malformed("a drop plan has a turn from 1")
	}
	if c.Count == 0 {
		c.Count = modeAirborne
	}
}

// arrival is the mode that orders name; a drop plan means airborne (DF 15.6-b).
func (c *Command) arrival() uint8 {
	if c.Hex != NoHex && c.Count == 0 {
		return modeAirborne
	}
	return c.Count
}

// zones are the zones that naval markers go to, in the order of the markers.
func (x *phrase) zones(c *Command) {
	ids := x.p.zoneIDs(c)
	switch x.Shape {
	case kit.Encode:
		kit.PutAll(&x.Phrase, "zones", ids)
	case kit.Decode:
		x.deploy(c, kit.All[string](&x.Phrase, "zones"))
	case kit.Write:
		for _, id := range ids {
			x.Word(id)
		}
	case kit.Read:
		for x.More() {
			ids = append(ids, x.zoneLike(x.Next("a zone")))
		}
		x.deploy(c, ids)
	case kit.Usage:
		x.Word("ZONE...")
	case kit.Tell:
		x.Arg("zones", x.p.sc.zoneMarkers(ids))
		for _, z := range x.p.sc.Zones { // the box of each zone once
			for i := range ids {
				if ids[i] == z.ID {
					x.Spaces(zoneBox + z.ID)
					break
				}
			}
		}
	}
}

// zoneIDs are the zones of a deployment.
func (p *Position) zoneIDs(c *Command) []string {
	var ids []string
	for i := range min(int(c.Count), maxNaval) {
		ids = append(ids, zoneID(p.sc, Zone(c.Detail>>(zoneBits*i)&zoneMask)))
	}
	return ids
}

// deploy reads the zones of a deployment.
func (x *phrase) deploy(c *Command, ids []string) {
	if len(ids) > maxNaval {
		x.Malformed("%d zones, expected at most %d", len(ids), maxNaval)
		return
	}
	c.Count = uint8(len(ids))
	for i, id := range ids {
		c.Detail |= uint64(x.zone(id)) << (zoneBits * i)
	}
}

// zone reads the id of a zone.
func (x *phrase) zone(id string) Zone {
	if z := x.p.sc.ZoneByID(id); z != NoZone {
		return z
	}
	var ids []string
	for _, z := range x.p.sc.Zones {
		ids = append(ids, z.ID)
	}
	x.Malformed("there is no zone %.40q; the zones are %s", id, strings.Join(ids, ", "))
	return 0
}

// zoneLike is the id of a zone by its beginning, if that fits one alone.
func (x *phrase) zoneLike(w string) string {
	w = strings.ToLower(w)
	found, n := w, 0
	for _, z := range x.p.sc.Zones {
		if z.ID == w {
			return w
		}
		if strings.HasPrefix(z.ID, w) {
			found = z.ID
			n++
		}
	}
	if n != 1 {
		return w
	}
	return found
}

// markers are numbers of naval markers, none twice.
func (x *phrase) markers(field string, set *uint64) {
	numbersOf := markerNumbers(uint32(*set))
	switch x.Shape {
	case kit.Encode:
		kit.PutAll(&x.Phrase, field, numbersOf)
	case kit.Decode:
		*set = x.markerSet(kit.All[uint32](&x.Phrase, field))
	case kit.Write:
		for _, n := range numbersOf {
			x.Word(strconv.Itoa(int(n)))
		}
	case kit.Read:
		var ns []uint32
		for x.Going() {
			ns = append(ns, uint32(x.int(maxNaval, "the number of a naval marker")))
		}
		if x.Refusal == nil {
			*set = x.markerSet(ns)
		}
	case kit.Usage:
		x.Word("NUMBER...")
	case kit.Tell:
		x.Arg(field, numbers(numbersOf))
		x.Pieces(navalPieces(*set)...)
	}
}

func (x *phrase) markerSet(ns []uint32) uint64 {
	var s uint64
	for _, n := range ns {
		m := x.marker(n)
		if x.Refusal == nil && s&m != 0 {
			x.Malformed("the naval marker %d is named twice", n)
		}
		s |= m
	}
	return s
}

// marker reads the number of a naval marker.
func (x *phrase) marker(n uint32) uint64 {
	most := x.p.sc.Chart.Markers.USNaval + x.p.sc.Chart.Markers.BPFNaval
	if n < 1 || n > uint32(min(most, maxNaval)) {
		x.Refuse(rules.Malformed("there is no naval marker %d; they are numbered from 1 to %d",
			n, most).For(rules.ReasonUnknownPiece))
		return 0
	}
	return 1 << (n - 1)
}

// bombs is a number of atomic bombs.
func (x *phrase) bombs(c *Command) {
	what := "the number of bombs"
	if x.Shape == kit.Read {
		what = "a number"
	}
	number(x, x.Called("count", "number"), &c.Count, maxBombs, what)
}

// aim is the target of a bomb: a hex, or a unit in the AV Box.
func (x *phrase) aim(c *Command) {
	switch x.Shape {
	case kit.Decode:
		if x.Absent("hex") == x.Absent("unit") {
			x.Malformed("a bomb has a hex or a unit for its target, one of the two")
		}
		x.maybe("unit", func() { x.unit("unit", &c.Unit) })
		x.maybe("hex", func() { x.hex("hex", &c.Hex) })
		return
	case kit.Read:
		if !x.More() {
			x.Expected("a hex or a unit")
			return
		}
		if _, ok := hexByDigits(x.p, x.Words[0]); ok {
			x.hex("hex", &c.Hex)
			return
		}
		x.unit("unit", &c.Unit)
		return
	case kit.Tell:
		x.Arg("target", x.p.aimedAt(c))
	}
	if c.Hex != NoHex || x.Shape != kit.Write {
		x.hex("hex", &c.Hex)
	}
	x.Suffix(" or")
	if c.Hex == NoHex || x.Shape != kit.Write {
		x.unit("unit", &c.Unit)
	}
}

// aimedAt is what a bomb is aimed at, in words.
func (p *Position) aimedAt(c *Command) rules.Words {
	if c.Hex == NoHex {
		return p.name(c.Unit)
	}
	return p.hexName(c.Hex)
}

// losses are the units that lose a step or two to a bomb.
func (x *phrase) losses(c *Command) {
	if x.Shape == kit.Usage {
		x.Word("UNIT[:2]...")
	}
	if x.Shape == kit.Decode {
		for _, l := range kit.All[*downfallv1.UnitLoss](&x.Phrase, "losses") {
			u := x.unitID(l.GetUnit())
			if n := l.GetSteps(); n < 1 || n > 2 {
				x.Malformed("%.40q loses %d steps, expected 1 or 2", l.GetUnit(), n)
			}
			x.lose(c, u, l.GetSteps() == 2)
		}
	}
	for x.Shape == kit.Read && x.Going() {
		id, steps, _ := strings.Cut(x.Words[0], ":")
		x.Words[0] = id
		u := x.unitWord()
		x.lose(c, u, steps == "2")
		if steps != "" && steps != "1" && steps != "2" {
			x.Malformed("%.40q loses %.20q steps, expected 1 or 2", id, steps)
		}
	}
	x.sayLosses(c)
}

// lose puts a unit among those that lose steps.
func (x *phrase) lose(c *Command, u Unit, twice bool) {
	if x.add(&c.Units, u); twice {
		c.Detail |= uint64(bit(u))
	}
}

func (x *phrase) sayLosses(c *Command) {
	var names []rules.Words
	for u := range c.Units.Each {
		steps := c.loss(u)
		switch x.Shape {
		case kit.Encode:
			x.Put("losses", &downfallv1.UnitLoss{Unit: x.p.id(u), Steps: uint32(steps)})
		case kit.Write:
			if x.Word(x.p.id(u)); steps == 2 {
				x.Text = append(x.Text, ":2"...)
			}
		case kit.Tell:
			names = append(names, counted(x.p.name(u), steps))
		}
	}
	if x.Shape == kit.Tell {
		x.Arg("losses", enumerate(names))
		x.Pieces(x.p.ids(c.Units)...)
	}
}

// loss is how many steps a unit loses to a bomb.
func (c *Command) loss(u Unit) int {
	if c.twice().Has(u) {
		return 2
	}
	return 1
}
