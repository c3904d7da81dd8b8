package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Carriers hold two fighters each (AA 15.11.2), own or allied (AA 9.8.6). Outside their owner's turn guests are
// fighters like others; in it they are cargo of the carriers (AA 8.5.2, AA 11.2.2), move with them (AA 12.5.4) and are
// lost with them (AA 9.12.3). Own fighters are never cargo: they launch before the carrier moves, and move by
// themselves (AA 8.5.1, AA 9.12.2).

// deckSize is how many fighters a carrier holds.
const deckSize = 2

// guests counts the guests aboard of carriers of a key.
func guests(k Key) int {
	n := 0
	for _, c := range k.Cargo() {
		if c != 0 {
			n++
		}
	}
	return n
}

// decks is what a zone's carriers hold for a power: places of its own carriers without guests, and what
// allies' carriers can spare.
type decks struct{ own, allied, used int }

// decksAt counts the places in a sea zone for a power's fighters, two a carrier (AA 15.7.2), own or allied (AA
// 11.2.1), wherever the carriers have come to by now (AA 8.5.3); used are its fighters there. Allies that refuse are
// left out if strict.
func (p *Position) decksAt(w Power, z Space, strict bool) decks {
	var d decks
	if t := &p.tallies[z][w.Side()]; t.carriers == 0 {
		return decks{used: int(p.fightersAt(w, z, t))}
	}
	closed, others := 0, 0
	for _, g := range p.at(z) {
		v := g.Power()
		switch {
		case v.Side() != w.Side():
		case g.Unit() == Carrier && v == w:
			d.own += int(g.N) * (deckSize - guests(g.Key))
		case g.Unit() == Carrier && strict && p.closed(v):
			closed += int(g.N) * deckSize
		case g.Unit() == Carrier:
			d.allied += int(g.N) * deckSize
		case g.Unit() == Fighter && v == w:
			d.used += int(g.N)
		case g.Unit() == Fighter:
			others += int(g.N)
		}
	}
	d.allied -= max(0, others-closed)
	d.allied = max(0, d.allied)
	return d
}

// fightersAt counts a power's fighters in a zone.
func (p *Position) fightersAt(w Power, z Space, t *tally) uint16 {
	n := uint16(0)
	if t.fighters == 0 {
		return 0
	}
	for _, g := range p.at(z) {
		if g.Power() == w && g.Unit() == Fighter {
			n += g.N
		}
	}
	return n
}

// closed reports whether a power's carriers are closed to guests.
func (p *Position) closed(w Power) bool {
	return p.ordersOf(w).carriers == Never || p.denied.Has(w.Seat())
}

// freeDecks is how many more fighters of a power a sea zone holds.
func (p *Position) freeDecks(w Power, z Space) int {
	d := p.decksAt(w, z, true)
	return max(0, d.own+d.allied-d.used)
}

// deckOwner is the ally whose consent a landing needs, with its policy: when the own decks don't suffice.
func (p *Position) deckOwner(w Power, z Space, o *plan) (Power, Policy) {
	coming := 0
	for _, c := range o.changes() {
		if c.after.Has(Done) {
			coming += int(c.n)
		}
	}
	d := p.decksAt(w, z, false)
	if coming == 0 {
		if d.allied > 0 && d.own+d.allied > d.used && p.decksAt(w, z, true).allied == 0 {
			return p.carrierOwner(w, z, Never), Never
		}
		return NoPower, Always
	}
	if d.used+coming <= d.own {
		return NoPower, Always
	}
	for _, policy := range [2]Policy{Always, AskFirst} {
		if v := p.carrierOwner(w, z, policy); v != NoPower {
			return v, policy
		}
	}
	return NoPower, Always
}

// carrierOwner is the first ally with a carrier in a zone and a policy.
func (p *Position) carrierOwner(w Power, z Space, policy Policy) Power {
	for _, g := range p.at(z) {
		v := g.Power()
		if v == w || g.Unit() != Carrier || v.Side() != w.Side() {
			continue
		}
		have := p.ordersOf(v).carriers
		if p.denied.Has(v.Seat()) {
			have = Never
		}
		if have == policy {
			return v
		}
	}
	return NoPower
}

// boardGuests turns fighters of allies on a power's carriers into cargo: those that its allies' own carriers in the
// zone don't hold, carrier by carrier.
func (p *Position) boardGuests(w Power) []change {
	var list []change
	for _, g := range p.groups {
		if g.Power() != w || g.Unit() != Carrier {
			continue
		}
		list = append(list, p.guestsAt(w, g)...)
	}
	return list
}

func (p *Position) guestsAt(w Power, carriers Group) []change {
	var list []change
	z := carriers.At()
	var homeless [NumPowers]uint16
	spare := 0
	for v := range NumPowers {
		if v == w || v.Side() != w.Side() {
			continue
		}
		f, c := p.count(keyOf(z, v, Fighter)), p.count(keyOf(z, v, Carrier))
		spare += max(0, c*deckSize-f)
		homeless[v] = uint16(max(0, f-c*deckSize))
	}
	left := carriers.N
	var load [2]Cargo
	n := 0
	flush := func() {
		if n > 0 && left > 0 {
			list = append(list, change{carriers.Key, carriers.Key.carrying(load), 1})
			left--
		}
		load, n = [2]Cargo{}, 0
	}
	for v := range NumPowers {
		for range homeless[v] {
			if spare > 0 {
				spare--
				continue
			}
			if left == 0 {
				break
			}
			load[n] = guestOf(v)
			n++
			list = append(list, change{before: keyOf(z, v, Fighter), n: 1})
			if n == deckSize {
				flush()
			}
		}
	}
	flush()
	return list
}

// leaveGuests turns the cargo of carriers into fighters again.
func (p *Position) leaveGuests() []change {
	var list []change
	for _, g := range p.groups {
		if g.Unit() != Carrier || g.Cargo()[0] == 0 {
			continue
		}
		list = append(list, change{g.Key, g.carrying([2]Cargo{}), g.N})
		for _, c := range g.Cargo() {
			if c != 0 {
				list = append(list, change{after: keyOf(g.At(), c.Power(), Fighter), n: g.N})
			}
		}
	}
	return list
}

// checkCarriers: carriers leave no fighter behind that has landed on them (AA 12.5.2), and none that could be saved
// (AA 8.3.8, AA 12.5.3).
func (p *Position) checkCarriers(c *Command, w Power, o *plan) *rules.Refusal {
	moving := false
	for _, it := range c.items() {
		moving = moving || it.Unit == Carrier
	}
	if !moving {
		return nil
	}
	o.proof.asked = true
	// whom no carrier needs to save now, none does wherever carriers are
	if p.savedNow(w, &o.proof); !o.proof.needy[w] {
		return nil
	}
	if p.spared(w, o) {
		return nil
	}
	if p.spoils(w, o.changes(), &o.proof) {
		rule := "AA 12.5.3"
		for _, g := range p.at(c.From) {
			if g.Power() == w && g.Unit() == Fighter && g.Has(Done) {
				rule = "AA 12.5.2"
			}
		}
		return p.no(o, rule, "refuse.carrier-needed", c.From)
	}
	return nil
}

// spared reports whether a single carrier moves whose absence would cost nobody: then it may go anywhere.
func (p *Position) spared(w Power, o *plan) bool {
	known, carrier := &o.proof, Key(0)
	for _, c := range o.changes() {
		if c.before.Unit() == Carrier {
			if carrier != 0 || c.n != 1 {
				return false
			}
			carrier = c.before
		}
	}
	if known.carrier != carrier {
		known.carrier, known.spared = carrier, !p.spoils(w, []change{{before: carrier, n: 1}}, known)
	}
	return known.spared
}

// askConsent asks an ally to take units aboard (AA 8.1.12).
func (p *Position) askConsent(x *exec, w Power, o *plan) {
	e := &anniversaryv1.ConsentAsked{Power: protoPower(w), Ally: protoPower(o.ask), Change: p.change(o.list[0])}
	if o.list[0].after != 0 {
		e.Zone = p.sc.SpaceID(o.list[0].after.At())
	}
	if o.asked.n > 0 {
		e.Carrier = p.change(o.asked)
		e.Zone = p.sc.SpaceID(o.asked.before.At())
	}
	emit(x, e)
}

// answerConsent carries the request out or drops it.
func (p *Position) answerConsent(x *exec, agreed bool) {
	r := p.request
	e := &anniversaryv1.ConsentAnswered{Ally: protoPower(r.ally), Agreed: agreed}
	if agreed {
		list := []change{{r.before, r.after, r.n}}
		if r.ship != 0 {
			list = append(list, change{r.ship, r.laden, 1})
		}
		e.Changes = p.changes(list)
	}
	emit(x, e)
}
