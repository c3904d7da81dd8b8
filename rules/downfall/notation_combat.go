package downfall

import (
	"strconv"
	"strings"
)

// attack reads an attack. If the hex that it comes from is left out, it is the one that the first unit is in.
func (s *speller) attack(c Command) Command {
	c.Hex = s.hex()
	if len(s.words) > 0 {
		if h, ok := hexByDigits(s.p, s.words[0]); ok {
			s.next()
			c.From, c.Hex = c.Hex, h
		}
	}
	c.Units = s.units()
	if c.From == NoHex && s.refusal == nil {
		if c.Units == 0 || s.p.place[c.Units.First()].Hex() == NoHex {
			s.expected("the hex that the attack comes from, or a unit on the map")
			return c
		}
		c.From = s.p.place[c.Units.First()].Hex()
	}
	return s.supports(c)
}

// supports reads "+air", "+air2" and "+naval3".
func (s *speller) supports(c Command) Command {
	var markers []uint32
	for len(s.words) > 0 && s.refusal == nil {
		w := strings.ToLower(strings.TrimPrefix(s.words[0], "+"))
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
				s.expected("+naval and the number of a marker")
				return c
			}
			markers = append(markers, uint32(n))
		default:
			s.expected("+air or +naval and the number of a marker")
			return c
		}
		s.next()
		if c.Count > maxEntries {
			s.malformed("more than %d air markers", maxEntries)
		}
	}
	if s.refusal == nil {
		c.Detail = s.markers(markers)
	}
	return c
}

// withdraw reads a hex for all, none for all, or each unit with its own.
func (s *speller) withdraw(c Command) Command {
	if len(s.words) == 1 {
		if !s.none() {
			c.Hex = s.hex()
		}
		return c
	}
	var routes []Route
	for first := true; (first || len(s.words) > 0) && s.refusal == nil; first = false {
		r := Route{Unit: s.unit()}
		if !s.none() {
			r.Path = []Hex{s.hex()}
		}
		routes = append(routes, r)
	}
	if s.refusal != nil {
		return c
	}
	return s.withdrawal(routes)
}
