package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// A hedgehog (OCS 16.0) is a level of its hex: it has no strength, needs no supply and never moves. Hedgehogs are
// built, raised and lowered in the Movement Phase (OCS 16.0b, OCS 16.0c); ports are worked on by the same command, see
// port_works.go.

const (
	maxHedgehog = 4         // OCS 16.0a
	hedgehogT   = 2 * oneSP // OCS 16.0b
	buildersRE  = 1 * oneRE // OCS 16.0b
)

// jobPrice is what a job costs in tokens (OCS 13.8d-iii): 2 SP for each level; 1 SP more than the level from the second
// on with revised construction (OCS 21.11a).
func (p *Position) jobPrice(job ocsv1.Job, at Hex) int {
	level := int(p.cells[at].hedgehog) + 1
	switch {
	case portWork(job):
		return p.portPrice(job, at)
	case airWork(job):
		return p.airPrice(job, at)
	case job == ocsv1.Job_JOB_LOWER_HEDGEHOG:
		return 0
	case p.opt.revisedConstruction && level > 1:
		return (level + 1) * oneSP
	}
	return hedgehogT
}

// checkConstruct says why builders may not work on a hedgehog, a port or an air base (OCS 13.8d-i): one unit with the
// engineer ability, or, for a hedgehog, an RE of combat units in the hex (OCS 16.0b, OCS 16.0c).
func (p *Position) checkConstruct(seat rules.Seat, c *Command) *rules.Refusal {
	at, job := c.At.Hex(), ocsv1.Job(c.Choice)
	if at == NoHex || job == ocsv1.Job_JOB_UNSPECIFIED {
		return rules.Malformed("the command names no hex or no job")
	}
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	if r := p.checkWork(seat, job, at); r != nil {
		return r
	}
	if r := p.checkCrew(c.Units, job, at); r != nil {
		return r
	}
	rule := "OCS 16.0b"
	switch {
	case portWork(job):
		rule = "OCS 19.0d"
	case airWork(job):
		rule = "OCS 15.3"
	}
	return p.survey(seat).checkPayment(c.Lines, c.Units, p.jobPrice(job, at), rule)
}

// checkCrew says why units may not do a job: a port is repaired by an engineer (OCS 19.0d), and with revised
// construction a hedgehog is raised above the first level by one (OCS 21.11a).
func (p *Position) checkCrew(list []Unit, job ocsv1.Job, at Hex) *rules.Refusal {
	if airWork(job) {
		return p.checkAirCrew(list, job, at)
	}
	strong := p.opt.revisedConstruction && job == ocsv1.Job_JOB_RAISE_HEDGEHOG && p.cells[at].hedgehog > 0
	if job != ocsv1.Job_JOB_REPAIR_PORT && !strong {
		return p.checkBuilders(list, at)
	}
	for i, u := range list {
		if i > 0 || !p.engineers(u) {
			rule := "OCS 19.0d"
			if strong {
				rule = "OCS 21.11a"
			}
			return rules.Refuse(rule, "refuse.no-engineer", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return p.checkBuilder(list[0], at)
}

// checkWork says why a hedgehog may not be changed: one level in a phase, from 0 to 4, and never that of the enemy (OCS
// 3.3-C), nor where the enemy is.
func (p *Position) checkWork(seat rules.Seat, job ocsv1.Job, at Hex) *rules.Refusal {
	id, c := p.sc.Map.ID(at), &p.cells[at]
	switch {
	case portWork(job):
		return p.checkPortWork(seat, job, at)
	case airWork(job):
		return p.checkAirWork(seat, job, at)
	case c.owner == enemy(seat) || p.enemyHolds(seat, Place(at)):
		return rules.Refuse("OCS 3.3-C", "refuse.enemy-ground", "hex", id).At(id)
	case c.marks.has(ocsv1.HexMark_HEX_MARK_HEDGEHOG_CHANGED):
		return rules.Refuse("OCS 16.0b", "refuse.one-level", "hex", id).At(id)
	case job == ocsv1.Job_JOB_RAISE_HEDGEHOG && c.hedgehog >= maxHedgehog:
		return rules.Refuse("OCS 16.0a", "refuse.highest-level", "hex", id, "n", maxHedgehog).At(id)
	case job == ocsv1.Job_JOB_LOWER_HEDGEHOG && c.hedgehog == 0:
		return rules.Refuse("OCS 16.0c", "refuse.no-hedgehog", "hex", id).At(id)
	}
	return nil
}

// checkBuilders says why units may not do the work: an engineer within reach (OCS 13.8d), or at least 1 RE of combat
// units that are in the hex and in Combat mode, DG not, from the start of the phase on (OCS 16.0b).
func (p *Position) checkBuilders(list []Unit, at Hex) *rules.Refusal {
	if len(list) == 1 && p.engineers(list[0]) && (!p.occupies(list[0], at) || p.re(list[0]) < buildersRE) {
		return p.checkBuilder(list[0], at)
	}
	sum := 0
	for _, u := range list {
		if !p.occupies(u, at) {
			id := p.sc.Map.ID(at)
			if len(list) == 1 && (p.counter(u).Engineer || p.counter(u).HQ) {
				return p.checkBuilder(u, at)
			}
			return rules.Refuse("OCS 16.0b", "refuse.not-building", "unit", p.unitName(u),
				"hex", id).About(p.id(u)).At(id)
		}
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_BUILT) {
			return rules.Refuse("OCS 13.8d-ii", "refuse.has-built", "unit", p.unitName(u)).About(p.id(u))
		}
		sum += p.re(u)
	}
	if sum < buildersRE {
		return rules.Refuse("OCS 16.0b", "refuse.builders", "need", formatRE(buildersRE),
			"n", formatRE(sum)).About(p.ids(list)...)
	}
	return nil
}

// occupies reports whether a combat unit has been in a hex in Combat mode since the phase began and has not moved.
func (p *Position) occupies(u Unit, at Hex) bool {
	s := &p.units[u]
	return p.isCombat(u) && s.place == Place(at) && s.origin == s.place && p.mode(u) == CombatMode &&
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT) && !s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED)
}

// playConstruct changes the level at once (OCS 13.8d-iv). The builders may not move any more in the phase; an engineer
// has done its job of the turn.
func (p *Position) playConstruct(x *exec, seat rules.Seat, cmd *Command) {
	at, job := cmd.At, ocsv1.Job(cmd.Choice)
	level := uint32(p.cell(at).hedgehog) + 1
	if job == ocsv1.Job_JOB_LOWER_HEDGEHOG {
		level -= 2
	}
	c := p.changed()
	for _, u := range cmd.Units {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_BUILDING)
		if p.engineers(u) {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_BUILT)
		}
	}
	var going []Unit
	for _, u := range p.motion {
		if !slices.Contains(cmd.Units, u) {
			going = append(going, u)
		}
	}
	c.motion(going)
	if len(cmd.Lines) > 0 {
		p.survey(seat).pay(c, cmd.Lines, cmd.Units)
	}
	tell(x, &event{Changes: c.list})
	if portWork(job) {
		p.workPort(x, seat, job, at)
		return
	}
	if airWork(job) {
		p.workBase(x, seat, job, at)
		return
	}
	c = p.changed()
	m := c.hex(at)
	m.Hedgehog, m.Set = proto.Uint32(level), []ocsv1.HexMark{ocsv1.HexMark_HEX_MARK_HEDGEHOG_CHANGED}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Constructed{Constructed: &ocsv1.Constructed{
		Seat: seatIDs[seat], Job: job, Hex: p.sc.PlaceID(at), Level: level,
	}}})
}

// jobs are all works.
var jobs = [...]ocsv1.Job{
	ocsv1.Job_JOB_RAISE_HEDGEHOG, ocsv1.Job_JOB_LOWER_HEDGEHOG, ocsv1.Job_JOB_REPAIR_PORT, ocsv1.Job_JOB_DAMAGE_PORT,
	ocsv1.Job_JOB_RAISE_AIR_BASE,
	ocsv1.Job_JOB_LOWER_AIR_BASE, ocsv1.Job_JOB_BUILD_AIRSTRIP,
}

// listConstruct lists each job of each engineer in each hex in its reach, and of the first units of a hex that have an
// RE together, with one payment.
func listConstruct(l *lister) {
	p := l.p
	s := p.survey(l.seat)
	offer := func(units []Unit, at Hex) {
		if !l.aims(Place(at)) {
			return
		}
		for _, job := range jobs {
			if airWork(job) && !p.sc.Flies { // an air base matters only where air units fly
				continue
			}
			if p.checkWork(l.seat, job, at) != nil || p.checkCrew(units, job, at) != nil {
				continue
			}
			c := only(KindConstruct)
			c.Units, c.At, c.Choice = units, Place(at), int(job)
			if n := p.jobPrice(job, at); n > 0 {
				if c.Lines = s.afford(units, n); c.Lines == nil {
					continue
				}
			}
			l.checked(c)
		}
	}
	crews := map[Hex]*crew{}
	for u := range p.all(l.seat) {
		h := p.units[u].place.Hex()
		if h == NoHex || !l.acts(u) {
			continue
		}
		if p.engineers(u) && p.checkBuilder(u, h) == nil {
			for _, at := range p.buildable(u) {
				offer([]Unit{u}, at)
			}
		}
		if p.occupies(u, h) && !p.engineers(u) {
			k := crews[h]
			if k == nil {
				k = &crew{}
				crews[h] = k
			}
			if k.re < buildersRE {
				k.units, k.re = append(k.units, u), k.re+p.re(u)
				if k.re >= buildersRE {
					offer(k.units, h)
				}
			}
		}
	}
}

// crew is units of a hex that build together.
type crew struct {
	units []Unit
	re    int
}
