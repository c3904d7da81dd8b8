package anniversary

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// key is a unit with its space and power; "-" for none.
func (n *notes) key(k *Key) {
	switch {
	case !n.Reading && *k == 0:
		n.Word("-")
	case !n.Reading:
		n.Word(n.p.sc.SpaceID(k.At()), orNone(k.Power().ID()), n.p.unitText(*k))
	case n.Has("-"):
		*k = 0
	default:
		at := n.spaceNamed(n.Next())
		w := Power(n.Index(n.Next(), scenario.PowerIDs[:]))
		*k = n.readUnit(at, w, n.Next())
	}
}

// become are two units joined by ">".
func (n *notes) become(before, after *Key) {
	n.key(before)
	if !n.Option(">", true) {
		n.Fail("expected > and what became of the unit")
	}
	n.key(after)
}

// unitText writes a unit without its space and power.
func (p *Position) unitText(k Key) string {
	b := append(make([]byte, 0, 48), k.Unit().ID()...)
	for i, c := range k.Cargo() {
		if c == 0 {
			break
		}
		b = append(append(b, "[,"[i]), k.cargoText(c)...)
	}
	if k.Cargo()[0] != 0 {
		b = append(b, ']')
	}
	if k.Used() > 0 {
		b = strconv.AppendUint(append(b, '/'), uint64(k.Used()), 10)
	}
	for i, id := range markIDs {
		if k.Has(1 << i) {
			b = append(append(b, '+'), id...)
		}
	}
	if k.From() != NoSpace {
		b = append(append(b, '<'), p.sc.SpaceID(k.From())...)
	}
	if k.Target() != NoSpace {
		b = append(append(b, '>'), p.sc.SpaceID(k.Target())...)
	}
	return string(b)
}

// cargoText writes a unit aboard; its power if it is another than the ship's.
func (k Key) cargoText(c Cargo) string {
	text := k.aboard(c).ID()
	if c.Power() != k.Power() {
		text += ":" + c.Power().ID()
	}
	if c&loaded != 0 {
		text += "+loaded"
	}
	if c&lands != 0 {
		text += "+lands"
	}
	return text
}

// aboard is the type of a unit aboard of units of a key: fighters on carriers, land units elsewhere.
func (k Key) aboard(c Cargo) Unit {
	if k.Unit() == Carrier {
		return Fighter
	}
	return c.Unit()
}

// readUnit reads a unit without its space and power.
func (n *notes) readUnit(at Space, w Power, word string) Key {
	name := word[:strings.IndexAny(word+"/", "[/+<>")]
	u := Unit(n.Index(name, scenario.UnitIDs[:]))
	if u == Complex {
		n.Fail("an industrial complex is no unit on the map")
	}
	k := keyOf(at, w, u)
	rest := word[len(name):]
	if list, ok := strings.CutPrefix(rest, "["); ok {
		inside, after, closed := strings.Cut(list, "]")
		if !closed {
			n.Fail("expected ] after what is aboard")
		}
		k, rest = n.load(k, inside), after
	}
	for rest != "" && n.Err == nil {
		sign := rest[0]
		end := 1 + strings.IndexAny(rest[1:]+"+", "/+<>")
		if k = n.fact(k, sign, rest[1:end]); end <= len(rest) {
			rest = rest[end:]
		}
	}
	return k
}

// fact adds one thing that is said of a unit.
func (n *notes) fact(k Key, sign byte, word string) Key {
	switch sign {
	case '/':
		return k.use(uint8(n.Number(word, 1, 15)))
	case '+':
		return k.mark(1 << n.Index(word, markIDs[:]))
	case '<':
		return k.cameFrom(n.spaceNamed(word))
	case '>':
		return k.aimedAt(n.spaceNamed(word))
	}
	n.Fail("a unit with %.40q", word)
	return k
}

// load reads what is aboard.
func (n *notes) load(k Key, list string) Key {
	names := strings.Split(list, ",")
	if len(names) > 2 {
		n.Fail("%d units aboard, expected at most 2", len(names))
		return k
	}
	var load [2]Cargo
	for i, word := range names {
		parts := strings.Split(word, "+")
		name, owner, foreign := strings.Cut(parts[0], ":")
		w := k.Power()
		if foreign {
			w = Power(n.Index(owner, scenario.PowerIDs[:]))
		}
		u := Unit(n.Index(name, scenario.UnitIDs[:]))
		if k.Unit() == Carrier && u != Fighter || k.Unit() != Carrier && u > AAGun ||
			!k.Unit().In(1<<Carrier|1<<Transport|1<<Bomber) {
			n.Fail("%s can't be aboard of %s", u.ID(), k.Unit().ID())
			return k
		}
		if load[i] = cargoOf(u, w); u == Fighter {
			load[i] = guestOf(w)
		}
		for _, m := range parts[1:] {
			load[i] |= [...]Cargo{loaded, lands}[n.Index(m, []string{"loaded", "lands"})]
		}
	}
	return k.carrying(load)
}
