package anniversary

import (
	"fmt"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// sound reports what makes a position that was read one that the engine could not go on from. It does not ask whether
// play could have come to it: cases are tried from positions that it never would.
func (p *Position) sound() error {
	for _, check := range [...]func() error{p.soundClock, p.soundMap, p.soundStacks, p.soundTurn, p.soundBattle,
		p.soundRequest} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Position) soundClock() error {
	switch {
	case p.power == NoPower && (p.phase != PhaseNone || p.acting != NoPower || p.battle.on() || p.request.on()):
		return fmt.Errorf("a phase, a combat or a request between turns")
	case p.power == NoPower:
		return nil
	case p.power >= NumSeats || int(p.turn) >= len(p.sc.Order) || p.sc.Order[p.turn] != p.power:
		return fmt.Errorf("place %d in the order is not that of %s", p.turn, p.power.ID())
	case p.round == 0:
		return fmt.Errorf("a turn of %s before the first round", p.power.ID())
	case p.acting != p.power && (p.acting != China || !p.chinaPlays()):
		return fmt.Errorf("%s acts in the turn of %s", orNone(p.acting.ID()), p.power.ID())
	case (p.swapped || p.chinaFirst) && !p.chinaPlays():
		return fmt.Errorf("an order of China and another in the turn of %s", p.power.ID())
	}
	return nil
}

// soundMap checks control, complexes and what is counted by space.
func (p *Position) soundMap() error {
	for s := range Space(p.sc.Len()) {
		id, held := p.sc.SpaceID(s), p.sc.Owner[s] != NoPower
		switch {
		case held != (p.owner[s] != NoPower):
			return fmt.Errorf("%s is controlled by %s", id, orNone(p.owner[s].ID()))
		case p.power != NoPower && held != (p.startOwner[s] != NoPower):
			return fmt.Errorf("%s was controlled by %s", id, orNone(p.startOwner[s].ID()))
		case !held && (p.complexes.Has(s) || p.startComplex.Has(s) || p.placed[s] > 0):
			return fmt.Errorf("an industrial complex in %s", id)
		case p.damage[s] > 0 && !p.complexes.Has(s):
			return fmt.Errorf("damage without an industrial complex in %s", id)
		}
	}
	if !p.anyUnnamed() {
		return nil
	}
	if p.power == NoPower {
		return fmt.Errorf("units placed between turns")
	}
	if e := p.entrances(p.power); !e.fits() {
		return fmt.Errorf("units at sea that find no industrial complex")
	}
	return nil
}

// maxUnits and maxCarriers bound the units of a position: the search for landing places looks at every carrier. No
// game comes near them.
const (
	maxUnits    = 20000
	maxCarriers = 100
)

// soundStacks checks every unit on the map.
func (p *Position) soundStacks() error {
	total, carriers := 0, 0
	for _, g := range p.groups {
		if err := p.soundUnit(g.Key); err != nil {
			return err
		}
		if g.Unit() == Carrier {
			carriers += int(g.N)
		}
		if carriers > maxCarriers {
			return fmt.Errorf("more than %d carriers", maxCarriers)
		}
		if total += int(g.N); total > maxUnits {
			return fmt.Errorf("more than %d units", maxUnits)
		}
	}
	for w := range p.pool {
		for _, n := range p.pool[w] {
			if total += int(n); total > maxUnits {
				return fmt.Errorf("more than %d units", maxUnits)
			}
		}
	}
	return nil
}

// soundUnit checks that a unit can be where it is, with what it has aboard.
func (p *Position) soundUnit(k Key) error {
	s, u := k.At(), k.Unit()
	id, sea := p.sc.SpaceID(s), p.sc.IsSea(s)
	switch {
	case p.sc.Impassable.Has(s):
		return fmt.Errorf("%s in %s, which nobody may enter", u.ID(), id)
	case u.In(scenario.LandUnits) && sea, u.In(scenario.SeaUnits) && !sea:
		return fmt.Errorf("%s in %s", u.ID(), id)
	case k.Target() != NoSpace && (u != Transport || p.sc.IsSea(k.Target())):
		return fmt.Errorf("%s in %s is to land somewhere", u.ID(), id)
	}
	for _, c := range k.Cargo() {
		if c == 0 {
			break
		}
		switch w := c.Power(); {
		case w >= NumPowers || w.Side() != k.Power().Side():
			return fmt.Errorf("a unit of the other side aboard in %s", id)
		case u == Carrier && w == k.Power():
			return fmt.Errorf("own fighters are never cargo, as in %s", id)
		}
	}
	return nil
}

// soundTurn checks the moves that can be taken back.
func (p *Position) soundTurn() error {
	for s := range p.startHostile.Union(p.ignored).Each {
		if !p.sc.IsSea(s) {
			return fmt.Errorf("%s among the sea zones of the turn", p.sc.SpaceID(s))
		}
	}
	for i := range p.plan {
		m := &p.plan[i]
		for _, k := range [...]Key{m.before, m.after} {
			if k == 0 {
				continue
			}
			if err := p.soundUnit(k); err != nil {
				return fmt.Errorf("a planned move: %w", err)
			}
		}
		if m.entry >= p.entries || p.phase != PhaseMove {
			return fmt.Errorf("a planned move of entry %d of %d in %s", m.entry, p.entries, phaseIDs[p.phase])
		}
	}
	return nil
}

func (p *Position) soundBattle() error {
	b := &p.battle
	if !b.on() {
		if len(b.picks) > 0 || b.agreed|b.dived != 0 || !b.origins.Union(b.shores).Empty() {
			return fmt.Errorf("casualties, answers or origins of no combat")
		}
		return nil
	}
	switch {
	case p.phase != PhaseCombat:
		return fmt.Errorf("a combat in %s", phaseIDs[p.phase])
	case b.stage == StageNone || p.sc.Impassable.Has(b.at):
		return fmt.Errorf("a combat without a step, or where nobody may go")
	}
	for i := range b.picks {
		x := &b.picks[i]
		if x.Key == 0 || x.At() != b.at || p.count(x.Key) < int(x.n) {
			return fmt.Errorf("casualties that are not there")
		}
	}
	return nil
}

// soundRequest checks a request to an ally.
func (p *Position) soundRequest() error {
	r := &p.request
	if !r.on() {
		return nil
	}
	switch {
	case r.power.Side() != r.ally.Side() || r.power == r.ally:
		return fmt.Errorf("%s asks %s for consent", r.power.ID(), r.ally.ID())
	case r.before == 0 || p.count(r.before) < int(r.n):
		return fmt.Errorf("a request of units that are not there")
	case r.ship != 0 && p.count(r.ship) == 0:
		return fmt.Errorf("a request to a ship that is not there")
	}
	for _, k := range [...]Key{r.after, r.laden} {
		if k == 0 {
			continue
		}
		if err := p.soundUnit(k); err != nil {
			return fmt.Errorf("a request: %w", err)
		}
	}
	return nil
}
