package downfall

import (
	"math/bits"
	"strconv"
	"strings"
)

// The notation of a command is its kind and what it names, on one line. Hexes are their numbers, units their ids, "-" is none; a way is its hexes
// joined by "-", a single one being a destination; a unit that loses two steps to a bomb has ":2"; support is "+air" and "+naval" with the number
// of the marker.
//
//	place jp-36a-81-div 3013            orders airborne 2514 22           plan 2417 5
//	zones limousine limousine roadstar town-car                           remove 1 3
//	bombs 2                             target 2819                       losses jp-5-tk jp-25-div:2
//	supply 2621                         supply -
//	move us-i-25 2619                   move us-i-25 2621-2620 us-i-33 2620
//	follow us-i-33 2620                 enter jp-56a-57-div 3610-3510
//	attack 2621 2721 us-i-25 us-i-art +air +naval2
//	consecutive 2819 2719 us-i-25       also 2820 us-i-33                 declare +air1 +naval2 +naval3
//	land +naval1                        support -                         bombard jp-25-div
//	shot jp-25-div us-i-25              retreat us-i-25                   withdraw 2620
//	withdraw us-i-25 2620 us-i-33 -     advance us-i-25 us-i-33           advance -

// shape says what follows the kind in the notation.
type shape uint8

const (
	shapeBare        shape = iota // nothing
	shapeUnit                     // a unit
	shapeUnitHex                  // a unit and a hex
	shapeOrders                   // nothing, a mode, or a mode with a hex and a turn
	shapePlan                     // a hex and a turn
	shapeZones                    // zones
	shapeMarkers                  // numbers of naval markers
	shapeCount                    // a number
	shapeAim                      // a hex or a unit
	shapeLosses                   // units with losses
	shapeHex                      // a hex or none
	shapeWays                     // units with ways
	shapeAttack                   // from, target, units, support
	shapeConsecutive              // target, from, units
	shapeAlso                     // from, units
	shapeSupport                  // support or none
	shapeTarget                   // a unit or none
	shapeShot                     // shooter and target
	shapeWithdraw                 // a hex for all, none for all, or units with hexes
	shapeUnits                    // units or none
)

// shapes are the shapes of the kinds; those that are not listed are bare.
var shapes = [numKinds]shape{
	KindPlace: shapeUnitHex, KindOrders: shapeOrders, KindPlan: shapePlan, KindZones: shapeZones, KindRemove: shapeMarkers, KindBombs: shapeCount,
	KindTarget: shapeAim, KindBomb: shapeAim, KindLosses: shapeLosses, KindSupply: shapeHex, KindMove: shapeWays, KindFollow: shapeWays,
	KindEnter: shapeWays, KindAttack: shapeAttack, KindConsecutive: shapeConsecutive, KindAlso: shapeAlso, KindDeclare: shapeSupport,
	KindLand: shapeSupport, KindRecover: shapeUnit, KindRebuild: shapeUnit, KindStepUp: shapeUnit, KindSupport: shapeSupport,
	KindBombard: shapeTarget, KindShot: shapeShot, KindRetreat: shapeUnit, KindAbort: shapeUnit, KindWithdraw: shapeWithdraw,
	KindAdvance: shapeUnits, KindEliminate: shapeUnit,
}

// formatCommand writes a command in the notation.
func (p *Position) formatCommand(c Command) string {
	if c.Kind == KindNone || c.Kind >= numKinds {
		return "?"
	}
	w := &writer{p: p, b: make([]byte, 0, 64)}
	w.line(kinds[c.Kind].id)
	w.command(c)
	return string(w.b)
}

func (w *writer) command(c Command) {
	switch shapes[c.Kind] {
	case shapeUnit, shapeTarget:
		w.name(c.Unit)
	case shapeUnitHex:
		w.name(c.Unit).hex(c.Hex)
	case shapeOrders:
		w.orders(c)
	case shapePlan:
		w.hex(c.Hex).number(c.turn())
	case shapeZones:
		for i := range int(c.Count) {
			w.word(zoneID(w.p.sc, Zone(c.Detail>>(zoneBits*i)&zoneMask)))
		}
	case shapeMarkers:
		w.naval(c.Detail)
	case shapeCount:
		w.number(int(c.Count))
	case shapeAim:
		if c.Hex != NoHex {
			w.hex(c.Hex)
		} else {
			w.name(c.Unit)
		}
	case shapeLosses:
		for u := range c.Units.Each {
			w.name(u)
			if c.twice().Has(u) {
				w.b = append(w.b, ":2"...)
			}
		}
	case shapeHex:
		w.hex(c.Hex)
	case shapeShot:
		w.name(c.Unit).name(c.Other)
	default:
		w.maneuver(c)
	}
}

// maneuver writes the commands of movement and combat.
func (w *writer) maneuver(c Command) {
	switch shapes[c.Kind] {
	case shapeWays:
		for _, r := range c.ways() {
			w.name(r.Unit).way(r.Path)
		}
	case shapeAttack:
		w.hex(c.From).hex(c.Hex).units(c.Units).support(c)
	case shapeConsecutive:
		w.hex(c.Hex).hex(c.From).units(c.Units)
	case shapeAlso:
		w.hex(c.From).units(c.Units)
	case shapeSupport:
		w.support(c)
		if c.Kind == KindSupport && c.Count == 0 && c.Detail == 0 {
			w.word("-")
		}
	case shapeWithdraw:
		if c.Routes == nil {
			w.hex(c.Hex)
			return
		}
		for _, r := range *c.Routes {
			w.name(r.Unit).way(r.Path)
		}
	case shapeUnits:
		if c.Units == 0 {
			w.word("-")
		}
		w.units(c.Units)
	}
}

func (w *writer) name(u Unit) *writer {
	if u == NoUnit {
		return w.word("-")
	}
	return w.word(w.p.id(u))
}

func (w *writer) way(path []Hex) *writer {
	if len(path) == 0 {
		return w.word("-")
	}
	names := make([]string, len(path))
	for i, h := range path {
		names[i] = w.p.digits(h)
	}
	return w.word(strings.Join(names, "-"))
}

// support writes the markers; of one air marker the number only for a commitment.
func (w *writer) support(c Command) *writer {
	switch {
	case c.Count == 1 && c.Kind != KindDeclare:
		w.word("+air")
	case c.Count > 0:
		w.word("+air" + strconv.Itoa(int(c.Count)))
	}
	for rest := c.Detail; rest != 0; rest &= rest - 1 {
		w.word("+naval" + strconv.Itoa(bits.TrailingZeros64(rest)+1))
	}
	return w
}

// orders writes orders to the 11th Division.
func (w *writer) orders(c Command) {
	if mode := c.arrival(); mode != 0 {
		w.word(modeIDs[min(int(mode), len(modeIDs)-1)])
	}
	if c.Hex != NoHex {
		w.hex(c.Hex).number(c.turn())
	}
}
