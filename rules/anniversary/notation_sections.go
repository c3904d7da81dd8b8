package anniversary

import (
	"slices"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

func (ps *parser) head() {
	if !ps.has(version) {
		ps.fail("expected %s, not %.40q", version, ps.next())
		return
	}
	if id := ps.next(); id != ps.sc.ScenarioID() {
		ps.fail("a position of the scenario %.64q, not of %q", id, ps.sc.ScenarioID())
		return
	}
	given := map[string]string{}
	for ps.more() {
		id, value, said := strings.Cut(ps.next(), "=")
		if !said {
			value = "true"
		}
		given[id] = value
	}
	opt, err := readOptions(given)
	if err != nil {
		ps.fail("%w", err)
		return
	}
	ps.p = newPosition(ps.sc, opt)
	copy(ps.p.owner[:], ps.sc.Owner)
}

// readOptions completes the options that a position names.
func readOptions(given map[string]string) (options, error) {
	list := rules.About{Name: "anniversary", Options: optionList}
	o, err := list.NewOptions(given)
	return newOptions(o), err
}

func (ps *parser) turn() {
	p := ps.p
	ps.clock = true
	p.round, p.turn = uint16(ps.int(0, 9999)), uint8(ps.int(0, len(p.sc.Order)))
	p.power = ps.power()
	p.phase, p.step = Phase(ps.name(ps.next(), phaseIDs[:])), uint8(ps.int(0, 9))
	if p.acting = p.power; ps.has("acting") {
		p.acting = ps.power()
	}
	p.swapped, p.chinaFirst, p.entries = ps.has("second"), ps.has("chinafirst"), uint8(ps.count("entries", 255))
}

func (ps *parser) powerLine() {
	p, w := ps.p, ps.powerNamed(ps.next())
	if w < NumSeats {
		p.ipc[w], p.tokens[w] = uint16(ps.count("ipc", 60000)), uint16(ps.count("tokens", 30000))
		if ps.has("tech") {
			for _, id := range strings.Split(ps.next(), ",") {
				p.tech[w] |= 1 << ps.name(id, techIDs[:])
			}
		}
	}
	if ps.has("pool") {
		for ps.more() {
			n := ps.int(1, 60000)
			p.pool[w][ps.name(ps.next(), unitIDs[:])] = uint16(n)
		}
	}
}

func (ps *parser) control() {
	w := ps.power()
	for ps.more() {
		ps.p.owner[ps.space()] = w
	}
}

func (ps *parser) start() {
	w := ps.power()
	for ps.more() {
		ps.starts = append(ps.starts, startOwner{ps.space(), w})
	}
}

func (ps *parser) startComplexes() {
	var set SpaceSet
	if !ps.has("-") {
		set = ps.set()
	}
	ps.startComplex = &set
}

// hostile reads the sea zones that were hostile when the turn began; "-" for none.
func (ps *parser) hostile() {
	if !ps.has("-") {
		ps.p.startHostile = ps.set()
	}
}

// canals reads the canals that the side may use; "-" for none.
func (ps *parser) canals() {
	if ps.has("-") {
		return
	}
	for ps.more() {
		w, found := ps.next(), false
		for i := range ps.sc.Canals {
			if ps.sc.Canals[i].ID == w {
				ps.p.canals |= 1 << i
				found = true
			}
		}
		if !found {
			ps.fail("there is no canal %.40q", w)
		}
	}
}

// complete derives what is not written.
func (ps *parser) complete() {
	p := ps.p
	if p.power == NoPower {
		return
	}
	p.startOwner, p.startComplex = p.owner, p.complexes
	for _, s := range ps.starts {
		p.startOwner[s.at] = s.w
	}
	if ps.startComplex != nil {
		p.startComplex = *ps.startComplex
	}
	if p.acting != NoPower {
		p.measureHome()
	}
}

func (ps *parser) planned() {
	m := planned{entry: uint8(ps.int(0, 255)), n: uint16(ps.int(1, 9999)), via: NoSpace}
	m.before, m.after = ps.become()
	if ps.has("via") {
		m.via = ps.space()
	}
	ps.p.plan = append(ps.p.plan, m)
}

func (ps *parser) battle() {
	b := &ps.p.battle
	*b = battle{at: ps.space(), stage: Stage(ps.name(ps.next(), stageIDs[:])), chooser: NoPower, picks: b.picks[:0]}
	b.round, b.landed = uint8(ps.count("round", 255)), uint8(ps.count("landed", 255))
	b.attackerDestroyer, b.defenderDestroyer = ps.has("attackerdestroyer"), ps.has("defenderdestroyer")
	if ps.has("hits") {
		for i := range b.hits {
			b.hits[i] = uint16(ps.int(0, 9999))
		}
	}
	if ps.has("chooser") {
		b.chooser = ps.powerNamed(ps.next())
	}
	b.listed, b.retreated = ps.has("listed"), ps.has("retreated")
}

func (ps *parser) pick() {
	x := pick{n: uint16(ps.int(1, 9999))}
	x.Key = ps.key()
	x.damage = ps.has("damage")
	ps.p.battle.picks = append(ps.p.battle.picks, x)
}

func (ps *parser) request() {
	r := &ps.p.request
	r.power, r.ally, r.n = ps.powerNamed(ps.next()), ps.seat(), uint16(ps.int(1, 9999))
	r.before, r.after = ps.become()
	if ps.has("ship") {
		r.ship, r.laden = ps.become()
	}
}

// orders reads standing orders in the notation of the command.
func (ps *parser) orders() {
	w := ps.seat()
	x := ps.p.ordering(kit.Phrase{Shape: kit.Read, Words: slices.Clone(ps.words)})
	c := only(KindStanding)
	x.standing(&c)
	if ps.words = x.Words; x.Refusal != nil {
		ps.fail("%s", x.Refusal.Words)
		return
	}
	o := c.Orders
	to := &ps.p.orders[w]
	*to = standing{
		retreat: o.Retreat, subs: o.Submarines, bombard: o.Bombard, divert: o.Divert, agree: o.Agree, carriers: o.Carriers, transports: o.Transports,
		n: uint8(len(o.Losses)),
	}
	copy(to.losses[:], o.Losses)
}

func (ps *parser) over() {
	ps.p.winner = Side(ps.name(ps.next(), sideIDs[:NoSide]))
	ps.p.level = uint8(levelCities + ps.name(ps.next(), levelIDs[levelCities:]))
}
