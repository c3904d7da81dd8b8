package scenario

import (
	"fmt"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// techEffect is one number that a technology changes: which types of unit may have it, none for a number of
// its own, and its range.
type techEffect struct {
	kind   anniversaryv1.EffectKind
	units  uint32
	lo, hi int
}

// effectsOf says which numbers belong to which technology. The program knows what each does; the document
// only gives the numbers.
var effectsOf = [NumTechs][]techEffect{
	AdvancedArtillery: {{anniversaryv1.EffectKind_EFFECT_KIND_SUPPORT, 0, 1, 9}},
	Rockets:           {{anniversaryv1.EffectKind_EFFECT_KIND_ROCKET_RANGE, 0, 1, maxMove}},
	Paratroopers:      {{anniversaryv1.EffectKind_EFFECT_KIND_PARATROOPERS, 0, 1, 1}},
	IncreasedProduction: {{anniversaryv1.EffectKind_EFFECT_KIND_CAPACITY, 0, 1, 20},
		{anniversaryv1.EffectKind_EFFECT_KIND_REPAIR, 0, 1, 20}},
	WarBonds:           {{anniversaryv1.EffectKind_EFFECT_KIND_INCOME_DICE, 0, 1, 1}},
	MechanizedInfantry: {{anniversaryv1.EffectKind_EFFECT_KIND_PAIRED_MOVE, 0, 2, 2}},
	SuperSubmarines:    {{anniversaryv1.EffectKind_EFFECT_KIND_ATTACK, 1 << Submarine, 1, 6}},
	JetFighters:        {{anniversaryv1.EffectKind_EFFECT_KIND_ATTACK, 1 << Fighter, 1, 6}},
	ImprovedShipyards:  {{anniversaryv1.EffectKind_EFFECT_KIND_COST, SeaUnits, 1, 99}},
	Radar:              {{anniversaryv1.EffectKind_EFFECT_KIND_AA_HIT, 0, 1, 6}},
	LongRangeAircraft:  {{anniversaryv1.EffectKind_EFFECT_KIND_MOVE, AirUnits, 1, maxMove}},
	HeavyBombers:       {{anniversaryv1.EffectKind_EFFECT_KIND_DICE, 1 << Bomber, 2, 2}},
}

// technologies reads the breakthrough charts (AA 6.3, AA 6.4).
func (l *loader) technologies() {
	eachRow(l, "tables.technologies", l.sc.Tables.GetTechnologies(), NumTechs,
		l.tech, func(path string, t Tech, row *anniversaryv1.TechnologyRow) {
			l.Fill(path, row, &l.sc.Techs[t])
			l.Number(path+".chart", row.GetChart(), int(t)/6+1, int(t)/6+1)
			l.Number(path+".roll", row.GetRoll(), int(t)%6+1, int(t)%6+1)
			l.effects(path+".effects", t, row.GetEffects())
		})
}

// effects reads what one technology changes.
func (l *loader) effects(path string, t Tech, list []*anniversaryv1.Effect) {
	given := map[anniversaryv1.EffectKind]uint32{} // the types of unit, or 1 for a number of its own
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		row := effectRow(t, e.GetKind())
		if row == nil {
			l.Fault(at+".kind", "%s is no effect of %s", e.GetKind(), t.ID())
			continue
		}
		u, bit := NoUnit, uint32(1)
		if row.units != 0 {
			if u = l.unit(at+".unit", e.GetUnit()); u == NoUnit {
				continue
			}
			bit = 1 << u
			if !u.In(row.units) {
				l.Fault(at+".unit", "%s does not change %s", t.ID(), e.GetUnit())
				continue
			}
		} else if e.GetUnit() != "" {
			l.Fault(at+".unit", "%s belongs to no unit", e.GetKind())
		}
		if given[e.GetKind()]&bit != 0 {
			l.Fault(at, "%s is given twice", e.GetKind())
			continue
		}
		given[e.GetKind()] |= bit
		l.sc.Effects.set(e.GetKind(), u, t, l.Number(at+".value", e.GetValue(), row.lo, row.hi))
	}
	for _, row := range effectsOf[t] {
		if given[row.kind] == 0 {
			l.Fault(path, "%s is missing", row.kind)
		}
	}
}

func effectRow(t Tech, k anniversaryv1.EffectKind) *techEffect {
	for i := range effectsOf[t] {
		if effectsOf[t][i].kind == k {
			return &effectsOf[t][i]
		}
	}
	return nil
}

// set keeps one number.
func (e *Effects) set(k anniversaryv1.EffectKind, u Unit, t Tech, value int) {
	c := upgrade{tech: t, value: uint8(value)}
	switch k {
	case anniversaryv1.EffectKind_EFFECT_KIND_COST:
		e.cost[u] = c
	case anniversaryv1.EffectKind_EFFECT_KIND_ATTACK:
		e.attack[u] = c
	case anniversaryv1.EffectKind_EFFECT_KIND_MOVE:
		e.move[u] = c
	case anniversaryv1.EffectKind_EFFECT_KIND_DICE:
		e.dice[u] = c
	case anniversaryv1.EffectKind_EFFECT_KIND_SUPPORT:
		e.Support = value
	case anniversaryv1.EffectKind_EFFECT_KIND_ROCKET_RANGE:
		e.RocketRange = value
	case anniversaryv1.EffectKind_EFFECT_KIND_PARATROOPERS:
		e.Paratroopers = value
	case anniversaryv1.EffectKind_EFFECT_KIND_CAPACITY:
		e.Capacity = value
	case anniversaryv1.EffectKind_EFFECT_KIND_REPAIR:
		e.Repair = value
	case anniversaryv1.EffectKind_EFFECT_KIND_INCOME_DICE:
		e.IncomeDice = value
	case anniversaryv1.EffectKind_EFFECT_KIND_PAIRED_MOVE:
		e.PairedMove = value
	case anniversaryv1.EffectKind_EFFECT_KIND_AA_HIT:
		e.AAHit = value
	}
}
