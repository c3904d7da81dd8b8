package downfall

import (
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// ways are the units of a move, each with its way.
func (x *phrase) ways(c *Command) {
	switch x.Shape {
	case kit.Encode:
		x.putWays(c.ways(), c.Kind)
	case kit.Decode:
		x.takeWays(c)
	case kit.Read:
		x.readWays(c)
	case kit.Usage:
		x.Word("UNIT HEX or UNIT HEX-HEX-...")
	default:
		x.sayWays(c.ways())
	}
}

// putWays fills in the message of a move of several units, of one that follows, or of one that enters.
func (x *phrase) putWays(ways []Route, k Kind) {
	for _, r := range ways {
		m := &downfallv1.UnitMove{Unit: x.p.id(r.Unit), Path: x.p.nums(r.Path)}
		switch k {
		case KindMove:
			x.Put("units", m)
		case KindFollow:
			x.Put("unit", m)
		default:
			x.Put("unit", m.Unit)
			kit.PutAll(&x.Phrase, "path", m.Path)
		}
	}
}

// takeWays reads the ways of a message.
func (x *phrase) takeWays(c *Command) {
	var moves []*downfallv1.UnitMove
	switch c.Kind {
	case KindMove:
		if moves = kit.All[*downfallv1.UnitMove](&x.Phrase, "units"); len(moves) == 0 {
			x.Malformed("the move names no unit")
		}
	case KindFollow:
		moves = append(moves, x.Get("unit").Message().Interface().(*downfallv1.UnitMove))
	default:
		moves = append(moves,
			&downfallv1.UnitMove{Unit: x.Get("unit").String(), Path: kit.All[uint32](&x.Phrase, "path")})
	}
	var seen UnitSet
	var routes []Route
	for _, m := range moves {
		r := Route{Unit: x.unitID(m.GetUnit())}
		if n := len(m.GetPath()); n == 0 || n > maxPath {
			x.Malformed("a path has %d hexes, expected 1 to %d", n, maxPath)
		}
		for _, n := range m.GetPath() {
			r.Path = append(r.Path, x.hexNumber(n))
		}
		x.add(&seen, r.Unit)
		routes = append(routes, r)
	}
	c.routed(routes)
}

// readWays takes units with their ways: hexes joined by "-", ">" or ",".
func (x *phrase) readWays(c *Command) {
	var seen UnitSet
	var routes []Route
	for first := true; (first || x.More() && c.Kind == KindMove) && x.Refusal == nil; first = false {
		r := Route{Unit: x.unitWord()}
		parts := strings.FieldsFunc(x.Next("a hex or a way"),
			func(r rune) bool { return strings.ContainsRune("->,→", r) })
		if len(parts) == 0 || len(parts) > maxPath {
			x.Malformed("a way has %d hexes, expected 1 to %d", len(parts), maxPath)
		}
		for _, w := range parts {
			r.Path = append(r.Path, x.hexWord(w))
		}
		x.add(&seen, r.Unit)
		routes = append(routes, r)
	}
	c.routed(routes)
}

// sayWays writes units with their ways, or says where they end.
func (x *phrase) sayWays(ways []Route) {
	var moves []rules.Words
	for _, r := range ways {
		if x.Shape == kit.Write {
			x.Word(x.p.idOrNone(r.Unit))
			x.Word(x.p.wayText(r.Path))
			continue
		}
		x.Pieces(x.p.unitIDs(r.Unit)...)
		x.Spaces(x.p.hexIDs(r.end())...)
		moves = append(moves, going(x.p.name(r.Unit), x.p.hexName(r.end())))
	}
	if x.Shape == kit.Tell {
		x.Arg("moves", enumerate(moves))
	}
}

// wayText writes the hexes of a way; "-" for none.
func (p *Position) wayText(path []Hex) string {
	if len(path) == 0 {
		return "-"
	}
	names := make([]string, len(path))
	for i, h := range path {
		names[i] = p.digits(h)
	}
	return strings.Join(names, "-")
}

// ways are the routes of a command, at least one, in the shape of a list.
func (c *Command) ways() []Route {
	if rs := c.routes(); len(rs) > 0 {
		return rs
	}
	return []Route{{Unit: c.Unit, Path: toHex(c.Hex)}}
}

// toHex is the path to a hex; none for NoHex.
func toHex(h Hex) []Hex {
	if h == NoHex {
		return nil
	}
	return []Hex{h}
}

// end is where a way ends; NoHex if it has no hex.
func (r *Route) end() Hex {
	if len(r.Path) == 0 {
		return NoHex
	}
	return r.Path[len(r.Path)-1]
}

// routed gives a command its ways: in the short shape if it is one unit with a destination.
func (c *Command) routed(routes []Route) {
	if len(routes) == 1 && len(routes[0].Path) == 1 {
		c.Unit, c.Hex = routes[0].Unit, routes[0].Path[0]
		return
	}
	c.Routes = &routes
}

// withdraw is where retreating units go: a hex for all, none for all, or each unit with its own.
func (x *phrase) withdraw(c *Command) {
	switch x.Shape {
	case kit.Encode:
		for _, r := range x.p.withdrawals(c) {
			x.Put("units", &downfallv1.UnitPlace{Unit: x.p.id(r.Unit), Hex: x.p.num(r.end())})
		}
	case kit.Decode:
		var routes []Route
		for _, w := range kit.All[*downfallv1.UnitPlace](&x.Phrase, "units") {
			r := Route{Unit: x.unitID(w.GetUnit())}
			if w.GetHex() != 0 {
				r.Path = []Hex{x.hexNumber(w.GetHex())}
			}
			routes = append(routes, r)
		}
		x.withdrawal(c, routes)
	case kit.Read:
		x.readWithdrawal(c)
	case kit.Usage:
		x.Word("HEX or UNIT HEX...")
	default:
		if c.Routes == nil {
			x.hex("hex", &c.Hex)
			if x.Shape == kit.Tell && x.p.fight.on {
				x.Pieces(x.p.ids(x.p.retreating())...)
			}
			return
		}
		x.sayWays(*c.Routes)
	}
}

func (x *phrase) readWithdrawal(c *Command) {
	if len(x.Words) == 1 {
		x.maybe("", func() { x.hex("hex", &c.Hex) })
		return
	}
	var routes []Route
	for first := true; (first || x.More()) && x.Refusal == nil; first = false {
		r := Route{Unit: x.unitWord()}
		if h := NoHex; !x.none() {
			x.hex("hex", &h)
			r.Path = []Hex{h}
		}
		routes = append(routes, r)
	}
	if x.Refusal == nil {
		x.withdrawal(c, routes)
	}
}

// withdrawal gives a withdrawal its ways: in the short shape if all that retreat go to one hex, or none has a place.
func (x *phrase) withdrawal(c *Command, routes []Route) {
	var named UnitSet
	same := true
	for _, r := range routes {
		x.add(&named, r.Unit)
		same = same && r.end() == routes[0].end()
	}
	switch {
	case x.Refusal != nil || len(routes) == 0:
	case same && x.p.fight.on && named == x.p.retreating():
		c.Hex = routes[0].end()
	default:
		c.Routes = &routes
	}
}

// withdrawals are the ways of a withdrawal, unit by unit.
func (p *Position) withdrawals(c *Command) []Route {
	if c.Routes != nil {
		return *c.Routes
	}
	var all []Route
	if p.fight.on {
		for u := range p.retreating().Each {
			all = append(all, Route{Unit: u, Path: toHex(c.Hex)})
		}
	}
	return all
}
