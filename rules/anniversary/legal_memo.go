package anniversary

import (
	"slices"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Whoever lists again and again keeps a memo of the last list. Between two decisions of a phase of movement nearly all
// units stay where they are, so that what could be done with them can be done again. Commands are remembered in
// passages: those of each group of units, and those of the transports of each port. A passage holds as long as all that
// it was worked out from is the same:
//
//   - the setting, and the enemy's units, which nobody moves in these phases;
//   - the group itself, and its number among others of its type, by which commands name it;
//   - for tanks and bombers, which may take infantry along: the land units beside them that are ready;
//   - for what asked about landing on carriers: all that the search for landing places looks at;
//   - for ships in Combat Move: the zones within their reach that assaults are declared from;
//   - for a port: the transports in it, and the land units that are ready on the coasts within their reach.

// memo is what List remembers.
type memo struct {
	lister lister
	// What was listed last.
	sc      *Scenario
	tab     *tables
	setting setting
	groups  []Group
	store   []Command
	units   passages // by key
	ports   passages // by the key of a zone
	// What the search for landing places looked at then, the proofs that it gave, and why the phase could not be ended.
	deck, lastDeck []Group
	cleared        SpaceSet // hostile zones that combat may clear
	proof          proof
	end            *rules.Refusal
	endKnown       bool
	declared       SpaceSet // zones that assaults are declared from
	// How this position differs: in ready land units and transports, by space; in zones that assaults are declared
	// from; in what landing depends on.
	moved, assaults  SpaceSet
	enemy, sameDecks bool

	out   []Command
	doing passage // that is being worked out; from is in out
}

// passages are those of the last list and those of this one, both in the order of the groups.
type passages struct {
	old, now []passage
	next     int // of old
}

// passage are commands that belong together, and what they hold for.
type passage struct {
	key      Key
	variant  uint8
	first    bool
	decks    bool // landing on carriers was asked about
	from, to int  // in the store
}

// mostStored is how many commands are stored before all are forgotten: those that hold no longer lie among the others.
const mostStored = 8192

// list appends to a list what legal yields. It remembers phases of movement.
func (p *Position) list(seat rules.Seat, f rules.Filter, list []Command, known any) ([]Command, any) {
	m, ok := known.(*memo)
	if !ok {
		m = new(memo)
		m.lister.yield = func(c Command) bool {
			m.out = append(m.out, c)
			return true
		}
	}
	l := &m.lister
	l.p, l.seat, l.f, l.done, l.memo, l.aimed, l.o.proof = p, seat, f, false, nil, false, proof{}
	m.out = list
	if a, seats := p.ask(); f == (rules.Filter{}) && (a == AskMove || a == AskNoncombat) && seats.Has(seat) {
		l.memo = m
		m.begin(p)
	}
	l.all()
	if l.memo != nil {
		m.proof = l.o.proof
	}
	list, m.out, l.p = m.out, nil, nil
	return list, m
}

// begin compares a position with the last one, and forgets what does not hold any more.
func (m *memo) begin(p *Position) {
	same := m.sc == p.sc && m.tab == p.tab && len(m.store) < mostStored && m.setting == p.setting
	m.moved = SpaceSet{}
	if same {
		same = m.compare(p)
	}
	cleared, declared := m.cleared, m.declared
	m.survey(p)
	m.sameDecks = same && cleared == m.cleared && slices.Equal(m.lastDeck, m.deck)
	m.assaults = declared.Minus(m.declared).Union(m.declared.Minus(declared))
	if m.sameDecks {
		m.lister.o.proof = m.proof
	} else {
		m.endKnown = false
	}
	m.units.turn()
	m.ports.turn()
	if !same {
		m.sc, m.tab, m.setting = p.sc, p.tab, p.setting
		m.store, m.units.old, m.ports.old = m.store[:0], m.units.old[:0], m.ports.old[:0]
	}
	m.groups = append(m.groups[:0], p.groups...)
}

// compare notes what moved since the last list; false if the enemy's units are not the same.
func (m *memo) compare(p *Position) bool {
	a, b := m.groups, p.groups
	m.enemy = false
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && a[0] == b[0]:
			a, b = a[1:], b[1:]
			continue
		case len(b) == 0 || len(a) > 0 && a[0].Key < b[0].Key:
			m.differ(p, a[0].Key, a[0].N, 0)
			a = a[1:]
		case len(a) == 0 || b[0].Key < a[0].Key:
			m.differ(p, b[0].Key, 0, b[0].N)
			b = b[1:]
		default:
			m.differ(p, a[0].Key, a[0].N, b[0].N)
			a, b = a[1:], b[1:]
		}
	}
	return !m.enemy
}

// differ notes that there are other numbers of a unit. Of land units that are ready a list tells none, one and more
// apart, and of transports none and some.
func (m *memo) differ(p *Position, k Key, before, now uint16) {
	switch u := k.Unit(); {
	case k.Power().Side() != p.side():
		m.enemy = true
	case u == Transport && (before == 0) != (now == 0),
		u.In(scenario.LandUnits) && p.ready(k) && min(before, 2) != min(now, 2):
		m.moved.Add(k.At())
	}
}

// survey finds what the search for landing places looks at, and from where assaults are declared.
func (m *memo) survey(p *Position) {
	m.deck, m.lastDeck = m.lastDeck[:0], m.deck
	m.cleared, m.declared = SpaceSet{}, SpaceSet{}
	for _, g := range p.groups {
		u, at := g.Unit(), g.At()
		if u.In(scenario.LandUnits) || g.Power().Side() != p.side() {
			continue
		}
		if u == Carrier || u.In(scenario.AirUnits) && p.adrift(at) {
			m.deck = append(m.deck, g)
		}
		if p.phase == PhaseMove && p.hostileSea(at) && p.clears(g.Key) {
			m.cleared.Add(at)
		}
		if g.Target() != NoSpace {
			m.declared.Add(at)
		}
	}
}

// turn makes the passages of this list those of the last.
func (l *passages) turn() { l.old, l.now, l.next = l.now, l.old[:0], 0 }

// find is the passage of a key in the last list; nil if it has none.
func (l *passages) find(k Key) *passage {
	for l.next < len(l.old) && l.old[l.next].key < k {
		l.next++
	}
	if l.next < len(l.old) && l.old[l.next].key == k {
		return &l.old[l.next]
	}
	return nil
}

// knows lists what is remembered of a group's moves. If it reports false they must be worked out, and then learnt.
func (l *lister) knows(k Key, variant uint8, first bool) bool {
	m := l.memo
	if m == nil {
		return false
	}
	it := m.units.find(k)
	if it == nil || it.variant != variant || it.first != first || it.decks && !m.sameDecks || m.besides(l.p, k) {
		m.attempt(passage{key: k, variant: variant, first: first})
		return false
	}
	m.repeat(&m.units, *it)
	return true
}

// besides reports whether something else that the moves of a group depend on is not the same.
func (m *memo) besides(p *Position, k Key) bool {
	switch u := k.Unit(); {
	case u == Tank, u == Bomber:
		return m.moved.Has(k.At())
	case u.In(scenario.SeaUnits) && p.phase == PhaseMove && !m.assaults.Empty():
		for z := range m.assaults.Each {
			if p.sc.SeaDistance(k.At(), z) <= 2 {
				return true
			}
		}
	}
	return false
}

// knowsPort is the same for the transports of a port, which have coasts within reach.
func (l *lister) knowsPort(z Space) bool {
	m, k := l.memo, keyOf(z, 0, 0)
	if m == nil {
		return false
	}
	reach := &l.p.tab.ports[z]
	if l.p.phase == PhaseMove {
		reach = &l.p.tab.assaults[z]
	}
	if it := m.ports.find(k); it != nil && m.moved.Intersect(*reach).Empty() {
		m.repeat(&m.ports, *it)
		return true
	}
	m.attempt(passage{key: k})
	return false
}

// attempt begins a passage that must be worked out.
func (m *memo) attempt(it passage) {
	it.from = len(m.out)
	m.doing, m.lister.o.proof.asked = it, false
}

// repeat lists a passage again.
func (m *memo) repeat(list *passages, it passage) {
	m.out = append(m.out, m.store[it.from:it.to]...)
	list.now = append(list.now, it)
}

// learn remembers the moves of a group that were worked out, learnPort those of a port.
func (l *lister) learn() {
	if l.memo != nil {
		l.memo.keep(&l.memo.units)
	}
}

func (l *lister) learnPort() {
	if l.memo != nil {
		l.memo.keep(&l.memo.ports)
	}
}

// keep stores the passage that was worked out.
func (m *memo) keep(list *passages) {
	it := m.doing
	it.from, it.to, it.decks = len(m.store), len(m.store)+len(m.out)-it.from, m.lister.o.proof.asked
	m.store = append(m.store, m.out[m.doing.from:]...)
	list.now = append(list.now, it)
}

// ends is checkEnd for a list.
func (l *lister) ends() *rules.Refusal {
	m := l.memo
	if m == nil {
		return l.p.checkEnd()
	}
	if !m.endKnown {
		m.end, m.endKnown = l.p.checkEnd(), true
	}
	return m.end
}
