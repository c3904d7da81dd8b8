package downfall

import "strconv"

func (w *writer) procedures() {
	p := w.p
	if d := &p.decl; d.on {
		w.line("consecutive").word(seatIDs[d.seat&1]).hex(d.target).flag(d.declared, "declared").count("begun", int(d.begun), 0)
		w.count("air", int(d.air), 0)
		if d.naval != 0 {
			w.word("naval").naval(uint64(d.naval))
		}
		for i := range d.count {
			w.line("entry").hex(d.from[i]).units(d.units[i])
		}
	}
	if f := &p.fight; f.on {
		w.combat(f)
	}
}

func (w *writer) combat(f *fight) {
	side := US
	if f.byJapan {
		side = Japan
	}
	w.line("combat").word(seatIDs[side]).hex(f.from).hex(f.target).word(stageIDs[f.stage])
	w.flag(f.landing, "landing").flag(f.mixed, "mixed").flag(f.supported, "supported").flag(f.air, "air").count("naval", int(f.naval), 0)
	w.count("chemical", int(f.chemical), 0).count("modifier", int(f.chemMod), 0).flag(f.bonusHit, "bonushit").flag(f.retreat, "retreat")
	if f.shooter != NoUnit {
		w.word("shooter", w.p.id(f.shooter))
	}
	w.count("shots", int(f.shots), 0)
	for _, s := range [...]struct {
		name string
		set  UnitSet
	}{{"attackers", f.attackers}, {"defenders", f.defenders}, {"firing", f.toFire}, {"hurt", f.hurt}, {"hurttwice", f.hurtTwice}} {
		if s.set != 0 {
			w.line(s.name).units(s.set)
		}
	}
}

// places writes the units of every hex and box, hexes first.
func (w *writer) places() {
	p := w.p
	for h := range p.at {
		if p.at[h] != 0 {
			w.line(p.digits(Hex(h)))
			for u := range p.at[h].Each {
				w.unit(u)
			}
		}
	}
	for i := 1; i < len(boxIDs); i++ {
		first := true
		for u := range p.sc.Units {
			if p.place[u] != boxes+Place(i) {
				continue
			}
			if first {
				w.line(boxIDs[i])
				first = false
			}
			w.unit(Unit(u))
		}
	}
}

func (w *writer) unit(u Unit) {
	p := w.p
	w.word(p.id(u))
	if p.steps[u] != p.usualSteps(u, p.place[u]) {
		w.b = append(w.b, ':')
		w.b = strconv.AppendUint(w.b, uint64(p.steps[u]), 10)
	}
	mark := func(word string) { w.b = append(append(w.b, '+'), word...) }
	if p.supply[u] != p.usualSupply(u, p.place[u]) {
		mark(supplyIDs[p.supply[u]])
	}
	for _, m := range p.unitMarks() {
		if m.set.Has(u) {
			mark(m.id)
		}
	}
}

// usualSteps are the steps that the notation leaves out: all, or none in the boxes of those that are gone.
func (p *Position) usualSteps(u Unit, at Place) uint8 {
	if at >= Fallen {
		return 0
	}
	return uint8(p.sc.Units[u].Steps)
}

// usualSupply is the supply state that the notation leaves out.
func (p *Position) usualSupply(u Unit, at Place) Supply {
	if p.tab.us.Has(u) && (at < boxes || at == LandingForce) {
		return Line
	}
	return NoSupply
}

// unitMark is a set of units with its word.
type unitMark struct {
	id  string
	set *UnitSet
}

// Has reports whether a unit has the mark.
func (m *unitMark) Has(u Unit) bool { return m.set.Has(u) }

// unitMarks are the sets that the notation writes as marks of units, in its order.
func (p *Position) unitMarks() [8]unitMark {
	return [...]unitMark{
		{"acted", &p.acted}, {"arrived", &p.arrived}, {"refitted", &p.refitted}, {"boxed", &p.boxed}, {"bombed", &p.bombed},
		{"rebuilt", &p.rebuilt}, {"follows", &p.followers}, {"magic", &p.magicMoved},
	}
}
