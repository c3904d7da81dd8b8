package anniversary

import (
	"github.com/warledger/warledger/rules"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Moves are given as players think: so many units from here to there, one command after another in any order (AA
// 12.1.3); units from several spaces may go to one (AA 8.1.5). A plan works out what becomes of them; Check throws it
// away, Play emits it.

// maxChanges bounds the kinds of unit that one command moves.
const maxChanges = 40

// plan is what a movement command comes to.
type plan struct {
	list    [maxChanges]change
	n       int
	path    [3]Space
	steps   int    // of the path
	blitzed Space  // taken on the way
	quiet   bool   // refuse without words: for lists
	ask     Power  // ally whose consent is asked; NoPower
	asked   change // what becomes of the ally's ship then
	proof   proof
}

func newPlan() plan { return plan{blitzed: NoSpace, ask: NoPower} }

func (o *plan) add(before, after Key, n uint16) {
	o.list[o.n] = change{before, after, n}
	o.n++
}

func (o *plan) full() bool { return o.n >= maxChanges-2 }

func (o *plan) changes() []change { return o.list[:o.n] }

// way are the spaces of the path.
func (o *plan) way() []Space { return o.path[:o.steps+1] }

// last is the space before the end of the path; NoSpace without a step.
func (o *plan) last() Space {
	if o.steps == 0 {
		return NoSpace
	}
	return o.path[o.steps-1]
}

// silent is the refusal of a plan that nobody reads.
var silent = &rules.Refusal{Reason: rules.ReasonIllegal, Words: "illegal"}

// no refuses, in words unless the plan is quiet. It names a space if there is one.
func (p *Position) no(o *plan, rule, key string, s Space, pairs ...any) *rules.Refusal {
	if o.quiet {
		return silent
	}
	if s == NoSpace {
		return rules.Refuse(rule, key, pairs...)
	}
	return rules.Refuse(rule, key, append([]any{"space", p.name(s)}, pairs...)...).At(p.sc.SpaceID(s))
}

// refuseAt refuses something about a space.
func (p *Position) refuseAt(rule, key string, s Space, pairs ...any) *rules.Refusal {
	return rules.Refuse(rule, key, append([]any{"space", p.name(s)}, pairs...)...).At(p.sc.SpaceID(s))
}

// name is a reference to the name of a space, for texts.
func (p *Position) name(s Space) any { return spaceName(p.sc, s) }

// mover is the power whose units a command moves: in Noncombat Move the United States or China (AA 5.4.3), otherwise
// who acts (AA 1.1.6). China is a power of its own: no command moves units of both (AA 5.1.1).
func (p *Position) mover(c *Command) Power {
	if p.phase == PhaseNoncombat && c.Power == China && p.chinaPlays() {
		return China
	}
	return p.acting
}

// planMove plans `move`.
func (p *Position) planMove(c *Command, o *plan) *rules.Refusal {
	w := p.mover(c)
	if r := p.checkMove(c, w, o); r != nil {
		return r
	}
	land, sea, air := sorts(c)
	switch {
	case air && !land && !sea:
		return p.planAir(c, w, o)
	case sea && !land && !air:
		return p.planSea(c, w, o)
	case land && !sea && !air:
		return p.planLand(c, w, o)
	}
	return p.no(o, "AA 2.1.2", "refuse.mixed-move", NoSpace)
}

// sorts says which kinds of unit a command names.
func sorts(c *Command) (land, sea, air bool) {
	for _, it := range c.items() {
		switch {
		case it.Unit.In(scenario.LandUnits):
			land = true
		case it.Unit.In(scenario.AirUnits):
			air = true
		default:
			sea = true
		}
	}
	return
}

// checkMove is what every move needs.
func (p *Position) checkMove(c *Command, w Power, o *plan) *rules.Refusal {
	if c.Len == 0 {
		return rules.Malformed("no units to move")
	}
	for i, it := range c.items() {
		if it.Unit >= NumUnits || it.N == 0 {
			return rules.Malformed("a line needs a unit and a number from 1")
		}
		for _, other := range c.Items[:i] {
			if other.Unit == it.Unit && (other.Variant == it.Variant || other.Variant == 0 || it.Variant == 0) {
				return rules.Malformed("%s is given twice", it.Unit.ID())
			}
		}
		if it.Unit == Complex {
			return p.no(o, "AA 8.1.14", "refuse.immobile", NoSpace, "unit", unitName(it.Unit))
		}
	}
	n := Space(p.sc.Len())
	if c.From >= n || c.To >= n || c.Via != NoSpace && c.Via >= n {
		return rules.Malformed("a move needs the spaces that it leads from and to").For(rules.ReasonUnknownSpace)
	}
	if p.sc.Impassable.Has(c.To) || c.Via != NoSpace && p.sc.Impassable.Has(c.Via) {
		return p.no(o, "AA 2.5.2", "refuse.neutral", c.To) // AA 8.1.10
	}
	if c.Power != NoPower && c.Power != w {
		return p.no(o, "AA 1.1.6", "refuse.not-acting", NoSpace,
			"power", powerName(c.Power)).For(rules.ReasonUnknownPiece)
	}
	if r := p.chinaRange(w, c, o); r != nil {
		return r
	}
	return nil
}

func (p *Position) chinaRange(w Power, c *Command, o *plan) *rules.Refusal {
	if w != China || p.sc.ChinaRules.Range.Has(c.To) && (c.Via == NoSpace || p.sc.ChinaRules.Range.Has(c.Via)) {
		return nil
	}
	if o.quiet {
		return silent
	}
	if c.Via != NoSpace && !p.sc.ChinaRules.Range.Has(c.Via) {
		return p.checkChina(w, c.Via)
	}
	return p.checkChina(w, c.To)
}

// ready reports whether units may still move in this phase: once in Combat Move (AA 8.1.1, AA 8.1.9), and in Noncombat
// Move only what neither moved nor fought (AA 12.1.1), which bars ships that left a hostile zone (AA 8.2.4),
// transports and escorts of an assault (AA 8.4.4) and tanks that blitzed (AA 8.7.4); air units keep the rest of their
// allowance for it (AA 8.3.1).
func (p *Position) ready(k Key) bool {
	if p.phase == PhaseNoncombat && k.Unit().In(scenario.AirUnits) {
		return !k.Has(Done)
	}
	return !k.Has(Moved | Done | Raid)
}

// pickUnits finds the units of a line among those that are ready, and hands them over group by group: those of the
// variant, or from the last group on, which has used most movement or has most aboard. It stops when accept refuses a
// group and reports how many are left over.
func (p *Position) pickUnits(s Space, w Power, it Item, accept func(k Key, n uint16) bool) (left uint16) {
	left = uint16(it.N)
	lo, hi := int(p.head[s]), int(p.head[s+1])
	for kind := keyOf(s, w, it.Unit) >> shiftType; lo < hi && p.groups[lo].Key>>shiftType < kind; {
		lo++
	}
	for kind := keyOf(s, w, it.Unit) >> shiftType; lo < hi && p.groups[hi-1].Key>>shiftType > kind; {
		hi--
	}
	if it.Variant > 0 {
		lo, hi = lo+int(it.Variant)-1, min(hi, lo+int(it.Variant))
	}
	for i := hi - 1; i >= lo && left > 0; i-- {
		g := p.groups[i]
		if !p.ready(g.Key) {
			continue
		}
		take := min(left, g.N)
		if accept(g.Key, take) {
			left -= take
		}
	}
	return left
}

// shortage refuses units that are not there or not ready.
func (p *Position) shortage(o *plan, s Space, w Power, it Item) *rules.Refusal {
	if o.quiet {
		return silent
	}
	there, ready, why := 0, 0, ""
	for _, g := range p.at(s) {
		if g.Power() == w && g.Unit() == it.Unit {
			there += int(g.N)
			if p.ready(g.Key) {
				ready += int(g.N)
			} else {
				why = p.spent(g.Key)
			}
		}
	}
	if ready < there && there >= int(it.N) {
		return p.no(o, why, "refuse.spent", s, "unit", unitName(it.Unit), "n", int(it.N), "ready", ready)
	}
	return p.no(o, "", "refuse.not-there", s, "unit", unitName(it.Unit), "n", int(it.N), "there", there,
		"power", powerName(w)).For(rules.ReasonUnknownPiece)
}

// move carries out a movement command whose plan passed.
func (p *Position) move(x *exec, c *Command) {
	o := newPlan()
	p.planFor(c, &o)
	w := p.mover(c)
	if o.ask != NoPower {
		p.askConsent(x, w, &o)
		return
	}
	if o.blitzed != NoSpace && p.owner[o.blitzed].Side() != w.Side() {
		p.capture(x, o.blitzed, w) // AA 8.7.2
	}
	x.Emit(p.eventMoved(w, p.phase == PhaseMove, o.way(), o.changes(), o.blitzed, c.Kind == KindRaid))
}
