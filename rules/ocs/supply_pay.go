package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// On-map supply reaches its user by direct draw or by one HQ that throws it (OCS 12.3). A payment is lines: the place,
// the tokens, the HQ that throws (By), and the transport that carries them (Unit); without that the tokens of the place
// are taken in the order of takeFrom.

// boundless is how much a box gives that supplies what is in it (OCS 12.3e).
const boundless = 0xFFFF

// means is supply that a side could spend: what lies in a place, and on whose transport; NoUnit for the ground.
type means struct {
	at     Place
	on     Unit
	tokens int
}

// dumps are the supply of the side, place by place: on the ground, then on transports (OCS 12.1b); all of a hex is one
// dump, which is split and merged at will (OCS 3.3-A). It belongs to the side that brought it, whoever holds the hex
// (OCS 12.1d).
func (s *survey) dumps() []means {
	if s.means != nil {
		return s.means
	}
	p := s.p
	s.means = []means{}
	for i := range p.cells {
		c, at := &p.cells[i], p.placeOf(i)
		if p.supplied(at) && c.pieces[s.seat] > 0 && p.sc.Boxes[at-boxes].Seat == s.seat {
			s.means = append(s.means, means{at, NoUnit, boundless})
			continue
		}
		if c.ground[s.seat] > 0 {
			s.means = append(s.means, means{at, NoUnit, int(c.ground[s.seat])})
		}
		if c.pieces[s.seat] == c.combat[s.seat] {
			continue
		}
		for u := range p.of(s.seat, at) {
			if p.units[u].load > 0 {
				s.means = append(s.means, means{at, u, int(p.units[u].load)})
			}
		}
	}
	s.cargoes()
	return s.means
}

// cargoes adds the supply that ships of the side carry, on themselves and on transports aboard.
func (s *survey) cargoes() {
	p := s.p
	if !p.sc.Sails {
		return
	}
	for _, on := range p.navy(s.seat) {
		for _, u := range append([]Unit{on}, p.passengers(on)...) {
			if n := int(p.units[u].load); n > 0 {
				s.means = append(s.means, means{p.units[on].place, u, n})
			}
		}
	}
}

// comes reports whether supply comes to all users. What ships carry is for units in the same or an adjacent hex, and
// no HQ throws it (OCS 12.3c-i, OCS 18.4c). Those that assault a beach have nothing else: aboard, they draw no line
// (OCS 18.6a-B).
func (s *survey) comes(on Unit, at Place, by Unit, users []Unit) bool {
	if s.p.afloat(on) {
		return by == NoUnit && s.p.alongside(at, users)
	}
	return s.fetches(at, by, users)
}

// alongside reports whether units are in a place, or in a hex next to it, whatever lies between.
func (p *Position) alongside(at Place, users []Unit) bool {
	for _, u := range users {
		is := p.spot(u)
		if is != at && (is.Hex() == NoHex || at.Hex() == NoHex || p.distance(is.Hex(), at.Hex()) > 1) {
			return false
		}
	}
	return true
}

// organic reports whether supply is loaded on an organic truck.
func (p *Position) organic(on Unit) bool { return on != NoUnit && p.counter(on).Kind == OrganicUnit }

// opens reports whether all users may have what a transport carries: that of an organic truck is for its formation only
// (OCS 13.2g-B), though an HQ may throw it (OCS 13.2g-i).
func (p *Position) opens(on Unit, users []Unit) bool {
	if !p.organic(on) {
		return true
	}
	for _, u := range users {
		if p.counter(u).Formation != p.counter(on).Formation {
			return false
		}
	}
	return true
}

// fetches reports whether supply of a place comes to all users: by direct draw of each, or thrown by one HQ that draws
// it itself (OCS 12.3b), to any number of users (OCS 12.3b-C). At most one HQ stands between (OCS 12.3b-i). An
// extender never does: it only makes places to trace to (OCS 12.7a).
func (s *survey) fetches(at Place, by Unit, users []Unit) bool {
	if by != NoUnit && !s.draws(by, at) {
		return false
	}
	for _, u := range users {
		if by == NoUnit && !s.draws(u, at) || by != NoUnit && !s.reaches(by, u) {
			return false
		}
	}
	return true
}

// options are the ways in which users can be given supply, each with all the tokens that there are: drawn
// before thrown, what lies on the ground before what is loaded, organic trucks last. Withheld leaves organic
// trucks out (OCS 13.2g-G).
func (s *survey) options(users []Unit, withheld bool) []Line {
	var list []Line
	for _, organic := range [...]bool{false, true} {
		if organic && withheld {
			break
		}
		list = s.optionsBy(list, users, NoUnit, organic)
		for _, hq := range s.p.sc.tab.hqs[s.seat] {
			if s.p.units[hq].place.onMap() {
				list = s.optionsBy(list, users, hq, organic)
			}
		}
	}
	return list
}

func (s *survey) optionsBy(list []Line, users []Unit, by Unit, organic bool) []Line {
	for _, m := range s.dumps() {
		if s.p.organic(m.on) == organic && s.p.opens(m.on, users) && s.comes(m.on, m.at, by, users) {
			list = append(list, Line{Unit: m.on, At: m.at, Count: m.tokens, By: by, Terrain: -1})
		}
	}
	return list
}

// afford finds a payment for users: the first options that add up. It gives nothing if they do not.
func (s *survey) afford(users []Unit, tokens int) []Line {
	return gather(s.options(users, false), tokens)
}

// gather takes tokens out of options, each store once.
func gather(options []Line, tokens int) []Line {
	var pay []Line
	for _, o := range options {
		if tokens == 0 {
			break
		}
		if !taken(pay, o) {
			o.Count = min(o.Count, tokens)
			tokens -= o.Count
			pay = append(pay, o)
		}
	}
	if tokens > 0 {
		return nil
	}
	return pay
}

func taken(pay []Line, o Line) bool {
	for _, l := range pay {
		if l.At == o.At && l.Unit == o.Unit {
			return true
		}
	}
	return false
}

// inReach is how many tokens users can be given in all.
func (s *survey) inReach(users []Unit, withheld bool) int {
	n := 0
	var seen []Line
	for _, o := range s.options(users, withheld) {
		if !taken(seen, o) {
			seen, n = append(seen, o), n+o.Count
		}
	}
	return min(n, boundless)
}

// checkPayment says why lines are no payment of a number of tokens to users who share it; rule is the
// paragraph of the price.
func (s *survey) checkPayment(lines []Line, users []Unit, tokens int, rule string) *rules.Refusal {
	sum := 0
	for i := range lines {
		l := &lines[i]
		if l.Unit != NoUnit && l.At == Nowhere {
			l.At = s.p.spot(l.Unit)
		}
		if r := s.checkSource(l, users); r != nil {
			return r
		}
		sum += l.Count
	}
	if sum != tokens {
		return rules.Refuse(rule, "refuse.price", "need", tokens, "paid", sum)
	}
	_, r := s.takeFrom(lines, users)
	return r
}

// checkSource checks that supply of a line comes to its users, and says what stops it.
func (s *survey) checkSource(l *Line, users []Unit) *rules.Refusal {
	p := s.p
	if !l.At.onMap() || l.Count == 0 || l.By != NoUnit && (p.units[l.By].seat != s.seat || !p.counter(l.By).HQ) {
		return rules.Malformed("a line of the payment names no place, no tokens, or no HQ")
	}
	at := p.sc.PlaceID(l.At)
	if p.afloat(l.Unit) {
		if !s.comes(l.Unit, l.At, l.By, users) {
			return rules.Refuse("OCS 12.3c-i", "refuse.not-alongside", "unit", p.unitName(l.Unit)).About(p.id(l.Unit))
		}
		return p.otherFormation(l.Unit, users)
	}
	if l.By != NoUnit {
		switch {
		case p.units[l.By].marker == Strat:
			return rules.Refuse("OCS 12.3b-A", "refuse.throws-in-strat", "unit", p.unitName(l.By)).About(p.id(l.By))
		case !s.draws(l.By, l.At):
			return rules.Refuse("OCS 12.3b", "refuse.no-draw", "unit", p.unitName(l.By),
				"hex", at).About(p.id(l.By)).At(at)
		}
	}
	for _, u := range users {
		switch {
		case l.By == NoUnit && !s.draws(u, l.At):
			return rules.Refuse("OCS 12.3a", "refuse.no-draw", "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
		case l.By != NoUnit && !p.serves(l.By, u):
			return rules.Refuse("OCS 13.1d", "refuse.not-served", "unit", p.unitName(u),
				"hq", p.unitName(l.By)).About(p.id(u), p.id(l.By))
		case l.By != NoUnit && !s.reaches(l.By, u):
			return rules.Refuse("OCS 12.3b", "refuse.no-throw", "unit", p.unitName(u),
				"hq", p.unitName(l.By)).About(p.id(u), p.id(l.By))
		}
	}
	return p.otherFormation(l.Unit, users)
}

// otherFormation refuses what an organic truck carries to all but its formation.
func (p *Position) otherFormation(on Unit, users []Unit) *rules.Refusal {
	if on != NoUnit && !p.opens(on, users) {
		return rules.Refuse("OCS 13.2g-B", "refuse.other-formation", "unit", p.unitName(on)).About(p.id(on))
	}
	return nil
}

// takeFrom says what a payment takes from where: a line that names no transport takes what lies on the ground, then
// what ordinary transports carry, then organic trucks whose formation all users are of.
func (s *survey) takeFrom(lines []Line, users []Unit) ([]means, *rules.Refusal) {
	left := append([]means(nil), s.dumps()...)
	var out []means
	for _, l := range lines {
		need := l.Count
		for _, organic := range [...]bool{false, true} {
			for i := range left {
				m := &left[i]
				if need == 0 || m.at != l.At || l.Unit != NoUnit && m.on != l.Unit || s.p.organic(m.on) != organic ||
					!s.p.opens(m.on, users) ||
					s.p.afloat(m.on) && !s.comes(m.on, m.at, l.By, users) {
					continue
				}
				n := min(need, m.tokens)
				m.tokens -= n
				need -= n
				out = append(out, means{m.at, m.on, n})
			}
		}
		if need > 0 {
			at := s.p.sc.PlaceID(l.At)
			return nil,
				rules.Refuse("OCS 12.1d", "refuse.tokens", "hex", at, "need", l.Count, "left", l.Count-need).At(at)
		}
	}
	return out, nil
}

// pay spends a payment that passed the check. What is thrown is consumed at once, and never put down elsewhere (OCS
// 12.3b-B).
func (s *survey) pay(c *changes, lines []Line, users []Unit) {
	take, _ := s.takeFrom(lines, users)
	s.p.spendSupply(c, s.seat, take)
}

// paid is the tokens of a payment.
func paid(lines []Line) (n int) {
	for _, l := range lines {
		n += l.Count
	}
	return n
}

// spendSupply takes tokens away. Those that were carried in this phase go first (OCS 12.2a, OCS 12.2b); a box
// that supplies loses none.
func (p *Position) spendSupply(c *changes, seat rules.Seat, take []means) {
	for i, m := range take {
		sum, before := m.tokens, false
		for j, o := range take {
			if j != i && o.at == m.at && o.on == m.on {
				sum, before = sum+o.tokens, before || j < i
			}
		}
		switch {
		case before: // it was counted with the first
		case m.on != NoUnit:
			c.unit(m.on).LoadT = proto.Uint32(uint32(int(p.units[m.on].load) - sum))
		case !p.supplied(m.at):
			c.ground(m.at, seat, int(p.cell(m.at).ground[seat])-sum)
			for _, t := range p.taint {
				if t.at == m.at && t.seat == seat && sum > 0 {
					n := min(sum, int(t.tokens))
					sum -= n
					c.taint(m.at, seat, ocsv1.Carriage(t.carriage), int(t.tokens)-n)
				}
			}
		}
	}
}
