package anniversary

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Transports carry one land unit of any kind and one infantry (AA 15.13.4). `ship` is their whole plan: load on the
// way, sail, land at the end.

// planShip plans `ship`. A plan has one territory to land in (AA 8.4.5). It needs no step: transports load and land
// where they are, in an assault (AA 8.4.6) or as a bridge (AA 15.13.14).
func (p *Position) planShip(c *Command, o *plan) *rules.Refusal {
	w := p.acting
	if r := p.checkShip(c, w, o); r != nil {
		return r
	}
	if r := p.seaPath(c.From, c.Via, c.To, false, o); r != nil {
		return r
	}
	if r := p.shipEnd(c, w, o); r != nil {
		return r
	}
	old, r := p.findShips(c, w, o)
	if r != nil {
		return r
	}
	return p.loadAndLand(c, w, o, old)
}

// checkShip is what every plan of transports needs. What is loaded comes from a territory, never from another
// transport (AA 15.13.12).
func (p *Position) checkShip(c *Command, w Power, o *plan) *rules.Refusal {
	n := Space(p.sc.Len())
	switch {
	case c.N == 0 || c.From >= n || c.To >= n || c.Via != NoSpace &&
		c.Via >= n || c.Target != NoSpace && c.Target >= n || c.Len > 2:
		return rules.Malformed("a transport's plan needs a number of ships, sea zones and at most two units")
	case !p.sc.IsSea(c.From) || !p.sc.IsSea(c.To) || c.Via != NoSpace && !p.sc.IsSea(c.Via):
		return p.no(o, "AA 15.9.2", "refuse.ship-on-land", c.To)
	case c.Power >= NumSeats || c.Power.Side() != w.Side():
		return p.no(o, "AA 8.1.12", "refuse.not-your-ship", NoSpace).For(rules.ReasonUnknownPiece)
	case c.Power != w && (c.From != c.To || c.Via != NoSpace):
		return p.no(o, "AA 11.2.3", "refuse.ally-sails", c.From, "power", powerName(c.Power)) // AA 11.2.4
	}
	for _, it := range c.items() {
		switch {
		case !it.Unit.In(scenario.LandUnits) || it.Power >= NumPowers:
			return p.no(o, "AA 15.13.4", "refuse.no-cargo", NoSpace, "unit", unitName(it.Unit))
		case it.At != NoSpace && it.At >= p.sc.Land:
			return rules.Malformed("freight is loaded from a territory")
		case it.Power == China:
			return p.no(o, "AA 5.3.2", "refuse.chinese-aboard", NoSpace)
		case it.At != NoSpace && it.Power != w:
			return p.no(o, "AA 15.13.6", "refuse.ally-loads", NoSpace, "power", powerName(it.Power))
		}
	}
	return nil
}

// shipEnd: in Combat Move a plan is an assault on hostile coast next to its end (AA 8.4.1, AA 8.4.3), otherwise a
// landing on friendly coast or none (AA 12.4.3).
func (p *Position) shipEnd(c *Command, w Power, o *plan) *rules.Refusal {
	if p.phase == PhaseMove && c.Target == NoSpace {
		return p.no(o, "AA 8.8.3", "refuse.no-assault", c.To) // AA 8.4.1
	}
	if p.phase == PhaseNoncombat && p.hostileSea(c.To) {
		return p.no(o, "AA 12.4.1", "refuse.hostile-zone", c.To) // AA 15.13.13
	}
	if c.Target == NoSpace {
		return nil
	}
	switch {
	case p.sc.IsSea(c.Target) || !p.sc.Around[c.To].Has(c.Target):
		return p.no(o, "AA 8.4.3", "refuse.no-coast", c.Target, "zone", p.name(c.To)) // AA 2.3.5
	case p.sc.Impassable.Has(c.Target):
		return p.no(o, "AA 2.5.2", "refuse.neutral", c.Target)
	case p.phase == PhaseMove && !p.wasHostile(c.Target):
		return p.no(o, "AA 8.4.1", "refuse.friendly-coast", c.Target)
	case p.phase == PhaseNoncombat && !p.friendly(c.Target):
		return p.no(o, "AA 12.4.3", "refuse.hostile-coast", c.Target) // AA 12.2.1, AA 15.13.15
	}
	return nil
}

// findShips finds transports with the freight that the command says is aboard; of those that have it the
// ones with the least else.
func (p *Position) findShips(c *Command, w Power, o *plan) (Key, *rules.Refusal) {
	best, extra := Key(0), 3
	there, spent, why := 0, 0, ""
	for _, g := range p.at(c.From) {
		if g.Power() != c.Power || g.Unit() != Transport {
			continue
		}
		there += int(g.N)
		if c.Power == w && !p.ready(g.Key) || g.Target() != NoSpace || g.Has(Done) ||
			int(g.Used())+o.steps > p.moves(c.Power, Transport) {
			spent += int(g.N)
			why = p.spent(g.Key)
			continue
		}
		if n, ok := matches(g.Cargo(), c.items()); ok && g.N >= uint16(c.N) && n < extra {
			best, extra = g.Key, n
		}
	}
	switch {
	case best != 0:
		return best, nil
	case there < int(c.N):
		return 0, p.no(o, "", "refuse.not-there", c.From, "unit", unitName(Transport), "n", int(c.N), "there", there,
			"power", powerName(c.Power)).For(rules.ReasonUnknownPiece)
	case there-spent < int(c.N):
		return 0, p.no(o, why, "refuse.spent", c.From, "unit", unitName(Transport), "n", int(c.N), "ready", there-spent)
	}
	return 0, p.no(o, "", "refuse.not-aboard", c.From).For(rules.ReasonUnknownPiece)
}

// spent is the rule by which a unit does nothing more: a transport that landed something (AA 15.13.10), retreated (AA
// 15.13.11) or was otherwise at work in Combat Move or Conduct Combat (AA 12.4.3), or has not movement enough left (AA
// 8.1.6); what came ashore (AA 15.13.7); and everything that has moved or fought (AA 8.1.1, AA 12.1.1).
func (p *Position) spent(k Key) string {
	switch ship := k.Unit() == Transport; {
	case p.phase == PhaseMove:
		return "AA 8.1.1"
	case ship && k.Has(Seaborne):
		return "AA 15.13.10"
	case k.Has(Seaborne):
		return "AA 15.13.7"
	case !ship:
		return "AA 12.1.1"
	case k.Has(Moved):
		return "AA 12.4.3"
	case k.Has(Done):
		return "AA 15.13.11"
	}
	return "AA 8.1.6"
}

// matches reports whether a cargo holds what the items say is aboard, and how much else.
func matches(cargo [2]Cargo, items []Item) (extra int, ok bool) {
	for _, it := range items {
		if it.At != NoSpace {
			continue
		}
		found := false
		for i, have := range cargo {
			if have != 0 && have.Unit() == it.Unit && have.Power() == it.Power {
				cargo[i], found = 0, true
				break
			}
		}
		if !found {
			return 0, false
		}
	}
	for _, have := range cargo {
		if have != 0 {
			extra++
		}
	}
	return extra, true
}
