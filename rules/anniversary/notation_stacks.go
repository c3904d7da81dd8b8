package anniversary

import "strings"

// stack reads the units of a power in a space.
func (ps *parser) stack() {
	p, at, w := ps.p, ps.space(), ps.powerNamed(ps.next())
	if len(ps.words) == 0 {
		ps.fail("expected units")
	}
	for ps.more() {
		n := ps.int(1, 9999)
		k := ps.unit(at, w, ps.next())
		switch {
		case ps.err != nil:
		case p.count(k) > 0:
			ps.fail("a unit is given twice")
		default:
			p.put(k, uint16(n))
		}
	}
}

// key takes a unit with its space and power; 0 for none.
func (ps *parser) key() Key {
	if ps.has("-") {
		return 0
	}
	at, w := ps.space(), ps.powerNamed(ps.next())
	return ps.unit(at, w, ps.next())
}

// become takes two units joined by ">".
func (ps *parser) become() (before, after Key) {
	before = ps.key()
	if !ps.has(">") {
		ps.fail("expected > and what became of the unit")
	}
	return before, ps.key()
}

// unit reads a unit without its space and power.
func (ps *parser) unit(at Space, w Power, word string) Key {
	name := word[:strings.IndexAny(word+"/", "[/+<>")]
	u := Unit(ps.name(name, unitIDs[:]))
	if u == Complex {
		ps.fail("an industrial complex is no unit on the map")
	}
	k := keyOf(at, w, u)
	rest := word[len(name):]
	if list, ok := strings.CutPrefix(rest, "["); ok {
		inside, after, closed := strings.Cut(list, "]")
		if !closed {
			ps.fail("expected ] after what is aboard")
		}
		k, rest = ps.load(k, inside), after
	}
	for rest != "" && ps.err == nil {
		sign := rest[0]
		end := 1 + strings.IndexAny(rest[1:]+"+", "/+<>")
		if k = ps.fact(k, sign, rest[1:end]); end <= len(rest) {
			rest = rest[end:]
		}
	}
	return k
}

// fact adds one thing that is said of a unit.
func (ps *parser) fact(k Key, sign byte, word string) Key {
	switch sign {
	case '/':
		return k.use(uint8(ps.number(word, 1, 15)))
	case '+':
		return k.mark(1 << ps.name(word, markIDs[:]))
	case '<':
		return k.cameFrom(ps.spaceNamed(word))
	case '>':
		return k.aimedAt(ps.spaceNamed(word))
	}
	ps.fail("a unit with %.40q", word)
	return k
}

// load reads what is aboard.
func (ps *parser) load(k Key, list string) Key {
	names := strings.Split(list, ",")
	if len(names) > 2 {
		ps.fail("%d units aboard, expected at most 2", len(names))
		return k
	}
	var load [2]Cargo
	for i, word := range names {
		parts := strings.Split(word, "+")
		name, owner, foreign := strings.Cut(parts[0], ":")
		w := k.Power()
		if foreign {
			w = ps.powerNamed(owner)
		}
		u := Unit(ps.name(name, unitIDs[:]))
		if k.Unit() == Carrier && u != Fighter || k.Unit() != Carrier && u > AAGun || !k.Unit().in(1<<Carrier|1<<Transport|1<<Bomber) {
			ps.fail("%s can't be aboard of %s", u.ID(), k.Unit().ID())
			return k
		}
		if load[i] = cargoOf(u, w); u == Fighter {
			load[i] = guestOf(w)
		}
		for _, m := range parts[1:] {
			load[i] |= [...]Cargo{loaded, lands}[ps.name(m, []string{"loaded", "lands"})]
		}
	}
	return k.carrying(load)
}
