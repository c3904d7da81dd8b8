package anniversary

import (
	"strconv"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// modifiers are what each unit of the combat hits with, by name (AA 9.5.4, AA 9.5.6): its printed value, what changes
// it, and the sum. Values are the largest die that hits.
func (p *Position) modifiers() []rules.Modifier {
	var l valued
	b := &p.battle
	if b.stage == StageBombard || b.stage == StageAntiaircraft {
		p.modifiersBefore(&l)
	}
	var infantry, artillery [NumPowers]int
	var have [NumPowers][NumUnits][2]int
	for _, g := range p.at(b.at) {
		w, u := g.Power(), g.Unit()
		switch {
		case w >= NumPowers:
		case p.attacks(g.Key):
			have[w][u][0] += int(g.N)
			switch u {
			case Infantry:
				infantry[w] += int(g.N)
			case Artillery:
				artillery[w] += int(g.N)
			}
		case p.defends(g.Key):
			have[w][u][1] += int(g.N)
		}
	}
	for w := range NumPowers {
		supported := min(infantry[w], artillery[w]*p.sc.Supports(p.techs(w)))
		for u := range NumUnits {
			n := have[w][u][0]
			if u == Infantry {
				p.attackValue(&l, w, u, p.techs(w), supported, p.sc.Numbers.SupportedAttack-p.sc.Units[u].Attack)
				n -= supported
			}
			p.attackValue(&l, w, u, p.techs(w), n, 0)
		}
	}
	for w := range NumPowers {
		for u := range NumUnits {
			if n := have[w][u][1]; n > 0 {
				l.begin(p, "modifier.in-defence", w, u, n)
				l.add("modifier.printed", strconv.Itoa(min(p.sc.Units[u].Defence, odds.MaxValue)))
			}
		}
	}
	return l.list
}

// modifiersBefore are those of guns and ships that fire before the combat.
func (p *Position) modifiersBefore(l *valued) {
	if hits := p.gunHits(p.battle.at); hits > 0 {
		l.of = rules.Modifier{Of: rules.Say("modifier.guns"), Seat: rules.NoSeat}
		l.add("modifier.printed", strconv.Itoa(hits))
	}
	if p.battle.stage != StageBombard {
		return
	}
	c := p.bombardAll()
	for _, it := range c.items() {
		l.begin(p, "modifier.in-bombardment", p.acting, it.Unit, int(it.N))
		l.add("modifier.printed", strconv.Itoa(p.attackOf(keyOf(it.At, p.acting, it.Unit))))
	}
}

// attackValue is the value in attack of some units of one type.
func (p *Position) attackValue(l *valued, w Power, u Unit, techs scenario.Techs, n, support int) {
	if n == 0 {
		return
	}
	l.begin(p, "modifier.in-attack", w, u, n)
	printed := p.sc.Units[u].Attack
	value := p.sc.Attack(u, techs)
	l.add("modifier.printed", strconv.Itoa(printed))
	if d := value - printed; d != 0 {
		l.add("modifier.technology", signed(d))
	}
	if support != 0 {
		l.add("modifier.artillery", signed(support))
	}
	if value+support != printed {
		l.add("modifier.total", strconv.Itoa(min(value+support, odds.MaxValue)))
	}
	if dice := p.sc.Dice(u, techs); dice != 1 {
		l.add("modifier.dice", "×"+strconv.Itoa(dice))
	}
}

// valued is a list of modifiers on its way, and of whose the next are.
type valued struct {
	of   rules.Modifier
	list []rules.Modifier
}

func (l *valued) begin(p *Position, key string, w Power, u Unit, n int) {
	l.of = rules.Modifier{
		Of:     rules.Say(key, "units", rowOf(u, n).words(), "power", powerName(w)),
		Seat:   w.Seat(),
		Pieces: p.piecesAt(p.battle.at, func(k Key) bool { return k.Power() == w && k.Unit() == u }),
	}
}

func (l *valued) add(key, value string) {
	m := l.of
	m.ID, m.Title, m.Value = key[len("modifier."):], rules.Say(key), value
	l.list = append(l.list, m)
}

// signed writes a change of a value.
func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}
