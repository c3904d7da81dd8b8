package downfall

import (
	"math/bits"
	"strconv"
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/kit"
)

// attack is an attack: from, target, units and support. If the hex that it comes from is left out of the notation, it
// is the one that the first unit is in.
func (x *phrase) attack(c *Command) {
	switch x.Shape {
	case kit.Read:
		x.readAttack(c)
	case kit.Encode, kit.Decode:
		x.hex("target", &c.Hex)
		x.attackers(c)
	default:
		x.hex("from", &c.From)
		x.hex("target", &c.Hex)
		x.units("units", &c.Units)
	}
	x.support(c)
}

func (x *phrase) readAttack(c *Command) {
	x.hex("target", &c.Hex)
	if x.More() {
		if h, ok := hexByDigits(x.p, x.Words[0]); ok {
			x.Next("a hex")
			c.From, c.Hex = c.Hex, h
		}
	}
	x.units("units", &c.Units)
	if c.From != NoHex || x.Refusal != nil {
		return
	}
	if c.Units != 0 {
		c.From = x.p.place[c.Units.First()].Hex()
	}
	if c.From == NoHex {
		x.Expected("the hex that the attack comes from, or a unit on the map")
	}
}

// attackers are units and the hex that they attack from.
func (x *phrase) attackers(c *Command) {
	x.hex("from", &c.From)
	x.units("units", &c.Units)
}

// consecutive is the target of a consecutive attack and its first attack.
func (x *phrase) consecutive(c *Command) {
	x.hex("target", &c.Hex)
	x.attackers(c)
}

// advance are the units that advance; none may.
func (x *phrase) advance(c *Command) {
	if x.maybe("units", func() { x.units("units", &c.Units) }); x.Shape == kit.Write && c.Units == 0 {
		x.Word("-")
	}
}

// support is what supports a combat.
func (x *phrase) support(c *Command) {
	switch x.Shape {
	case kit.Encode:
		if c.Count > 0 || c.Detail != 0 {
			x.Put("support", &downfallv1.Support{Air: c.Count > 0, Naval: uint32(navalNumber(c))})
		}
	case kit.Decode:
		s := x.Get("support").Message().Interface().(*downfallv1.Support)
		if s.GetAir() {
			c.Count = 1
		}
		if n := s.GetNaval(); n > 0 {
			c.Detail = x.marker(n)
		}
	case kit.Tell:
		x.Arg("support", supportText(c))
		x.Arg("naval", navalNumber(c))
	default:
		x.supports(c)
	}
}

// maybeSupport is optional support. That a question for support is answered with none is said.
func (x *phrase) maybeSupport(c *Command) {
	x.maybe("support", func() { x.support(c) })
	if x.Shape == kit.Write && c.Kind == KindSupport && c.Count == 0 && c.Detail == 0 {
		x.Word("-")
	}
}

// committed are the markers that a consecutive attack is given.
func (x *phrase) committed(c *Command) {
	switch x.Shape {
	case kit.Encode, kit.Decode:
		number(x, "air", &c.Count, maxEntries, "the number of air markers")
		x.markers("naval", &c.Detail)
	case kit.Tell:
		x.Arg("air", int(c.Count))
		x.markers("naval", &c.Detail)
		x.Arg("support", part(c.Count > 0 || c.Detail != 0, "do.declare-support"))
	default:
		x.maybe("", func() { x.supports(c) })
	}
}

// supports are markers in text: "+air", "+air2" and "+naval3"; of one air marker the number only for a commitment.
func (x *phrase) supports(c *Command) {
	switch x.Shape {
	case kit.Read:
		x.readSupports(c)
	case kit.Usage:
		x.Word("[+air] [+navalN]")
	case kit.Write:
		switch {
		case c.Count == 1 && c.Kind != KindDeclare:
			x.Word("+air")
		case c.Count > 0:
			x.Word("+air" + strconv.Itoa(int(c.Count)))
		}
		for rest := c.Detail; rest != 0; rest &= rest - 1 {
			x.Word("+naval" + strconv.Itoa(bits.TrailingZeros64(rest)+1))
		}
	}
}

func (x *phrase) readSupports(c *Command) {
	var markers []uint32
	for x.Going() {
		w := strings.ToLower(strings.TrimPrefix(x.Words[0], "+"))
		air, isAir := strings.CutPrefix(w, "air")
		naval, isNaval := strings.CutPrefix(w, "naval")
		n, err := strconv.ParseUint(air, 10, 8)
		switch {
		case isAir && air == "":
			c.Count++
		case isAir && err == nil && n <= maxEntries:
			c.Count += uint8(n)
		case isNaval:
			n, err := strconv.ParseUint(naval, 10, 8)
			if err != nil {
				x.Expected("+naval and the number of a marker")
				return
			}
			markers = append(markers, uint32(n))
		default:
			x.Expected("+air or +naval and the number of a marker")
			return
		}
		if x.Next("support"); c.Count > maxEntries {
			x.Malformed("more than %d air markers", maxEntries)
		}
	}
	if x.Refusal == nil {
		c.Detail = x.markerSet(markers)
	}
}

// supportText refers to what supports a combat.
func supportText(c *Command) string {
	switch {
	case c.Count > 0 && c.Detail != 0:
		return "@support.both"
	case c.Detail != 0:
		return "@support.naval"
	case c.Count > 0:
		return "@support.air"
	}
	return "@support.none"
}

// navalNumber is the number of the first naval marker in support; 0 for none.
func navalNumber(c *Command) int {
	if c.Detail == 0 {
		return 0
	}
	return bits.TrailingZeros64(c.Detail) + 1
}
