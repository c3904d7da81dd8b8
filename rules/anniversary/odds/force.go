package odds

import "github.com/warledger/warledger/rules/anniversary/scenario"

// Classes of hits (AA 9.8.2).
const (
	BySubmarine = iota // sea units only (AA 9.7.8)
	ByAir              // not submarines (AA 9.7.9)
	ByAny
	NumClasses
)

// MaxValue bounds combat values: a die has six sides (AA 1.2.8).
const MaxValue = 6

// Class is the class of a unit's hits.
func Class(u scenario.Unit, destroyer, sea bool) int {
	switch {
	case u == scenario.Submarine:
		return BySubmarine
	case u.In(scenario.AirUnits) && sea && !destroyer:
		return ByAir
	}
	return ByAny
}

// Force is what a side has in a combat, counted.
type Force struct {
	// Fighting are all units but transports.
	Fighting, Transports int
	// Subs, Air, Land and Destroyers are those among them; Hurt are battleships that were hit once.
	Subs, Air, Land, Destroyers, Hurt int
	surface                           int
}

// CanHit reports whether a unit of the force can hit a unit of the other (AA 9.8.2).
func (f *Force) CanHit(o *Force) bool {
	if f.surface > 0 || f.Land > 0 || f.Air > 0 && f.Destroyers > 0 {
		return o.Fighting+o.Transports > 0
	}
	if f.Subs > 0 && o.Subs+o.surface+o.Transports > 0 {
		return true
	}
	return f.Air > 0 && o.Air+o.surface+o.Transports+o.Land > 0
}

// Add counts units of a type.
func (f *Force) Add(u scenario.Unit, n int) {
	if u == scenario.Transport {
		f.Transports += n
		return
	}
	f.Fighting += n
	switch {
	case u == scenario.Submarine:
		f.Subs += n
	case u.In(scenario.AirUnits):
		f.Air += n
	case u.In(scenario.SurfaceShip):
		f.surface += n
		if u == scenario.Destroyer {
			f.Destroyers += n
		}
	default:
		f.Land += n
	}
}

// Defenceless reports whether the defender's transports are lost without dice: nothing else is left and the attacker
// can attack (AA 9.10.1), or nothing but submarines, and the attacker has only air units (AA 9.10.2). The attacker's
// transports never are (AA 9.10.4).
func Defenceless(att, def *Force) bool {
	if def.Transports == 0 || att.Fighting == 0 {
		return false
	}
	return def.Fighting == 0 || def.Fighting == def.Subs && att.Fighting == att.Air && att.Transports == 0
}

// DefaultLosses is the order in which units are lost when nobody says otherwise.
var DefaultLosses = [...]scenario.Unit{scenario.Hull, scenario.Infantry, scenario.Artillery, scenario.Tank,
	scenario.Submarine, scenario.Destroyer, scenario.Fighter, scenario.Cruiser, scenario.Bomber, scenario.Carrier,
	scenario.Battleship, scenario.Transport}
