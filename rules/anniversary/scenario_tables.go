package anniversary

import (
	"fmt"
	"slices"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// powers reads the seven powers. Sides are those of the rulebook and no part of a document (AA 1.1.1).
func (l *loader) powers() {
	s := l.sc
	for w := range s.Powers {
		s.Powers[w].Capital = NoSpace
	}
	var seen [NumPowers]bool
	for i, p := range s.Tables.GetPowers() {
		path := fmt.Sprintf("tables.powers[%d]", i)
		if i >= int(NumPowers) {
			l.Fault("tables.powers", "%d entries, expected %d", len(s.Tables.GetPowers()), NumPowers)
			return
		}
		w := l.power(path+".id", p.GetId())
		if w == NoPower {
			continue
		}
		if seen[w] {
			l.Fault(path+".id", "%s is given twice", p.GetId())
		}
		seen[w] = true
		l.Words(path+".name", p.GetName(), maxName)
		if !hexColor.MatchString(p.GetColor()) {
			l.Fault(path+".color", "%.40q, expected #rrggbb", p.GetColor())
		}
		s.Powers[w].Name, s.Powers[w].Color = p.GetName(), p.GetColor()
		l.capital(path+".capital", w, p.GetCapital())
	}
	for w := range Power(NumPowers) {
		if !seen[w] && s.Tables != nil {
			l.Fault("tables.powers", "%s is missing", w.ID())
		}
	}
}

func (l *loader) capital(path string, w Power, id string) {
	s := l.sc
	if w == China {
		if id != "" {
			l.Fault(path, "China has no capital (AA 2.8.3)")
		}
		return
	}
	sp := l.territory(path, id)
	if sp == NoSpace {
		return
	}
	if other := s.Spaces[sp].Capital; other != NoPower {
		l.Fault(path, "%s holds the capital of %s already", id, other.ID())
	}
	if o := s.Original[sp]; o != w && o != NoPower {
		l.Fault(path, "the original controller of %s is %s", id, o.ID())
	}
	s.Powers[w].Capital, s.Spaces[sp].Capital = sp, w
}

// domainOf is where each type belongs.
func domainOf(u Unit) anniversaryv1.Domain {
	switch {
	case u.in(seaUnits):
		return anniversaryv1.Domain_DOMAIN_SEA
	case u.in(airUnits):
		return anniversaryv1.Domain_DOMAIN_AIR
	}
	return anniversaryv1.Domain_DOMAIN_LAND
}

// hitsOf is how many hits destroy each type; 0 for what can't be hit (AA 9.8.2, AA 9.8.4).
func hitsOf(u Unit) int {
	switch u {
	case AAGun, Complex:
		return 0
	case Battleship:
		return 2
	}
	return 1
}

// abilitiesOf are the abilities that the program gives each type; a document may state them, not change them.
var abilitiesOf = [NumUnits][]anniversaryv1.Ability{
	Infantry:   {anniversaryv1.Ability_ABILITY_CAPTURES, anniversaryv1.Ability_ABILITY_SUPPORTED},
	Artillery:  {anniversaryv1.Ability_ABILITY_CAPTURES, anniversaryv1.Ability_ABILITY_SUPPORTS},
	Tank:       {anniversaryv1.Ability_ABILITY_CAPTURES, anniversaryv1.Ability_ABILITY_BLITZES},
	AAGun:      {anniversaryv1.Ability_ABILITY_FIRES_AT_AIR, anniversaryv1.Ability_ABILITY_CHANGES_HANDS},
	Complex:    {anniversaryv1.Ability_ABILITY_CHANGES_HANDS, anniversaryv1.Ability_ABILITY_MOBILIZES},
	Fighter:    {anniversaryv1.Ability_ABILITY_LANDS_ON_CARRIERS},
	Bomber:     {anniversaryv1.Ability_ABILITY_BOMBS},
	Battleship: {anniversaryv1.Ability_ABILITY_BOMBARDS},
	Carrier:    {anniversaryv1.Ability_ABILITY_CARRIES_FIGHTERS},
	Cruiser:    {anniversaryv1.Ability_ABILITY_BOMBARDS},
	Destroyer:  {anniversaryv1.Ability_ABILITY_HUNTS_SUBMARINES},
	Submarine:  {anniversaryv1.Ability_ABILITY_SUBMARINE},
	Transport:  {anniversaryv1.Ability_ABILITY_TRANSPORTS},
}

// units reads the table of units. What a type can do is the rulebook's; its numbers are the document's.
func (l *loader) units() {
	s := l.sc
	var seen [NumUnits]bool
	for i, row := range s.Tables.GetUnits() {
		path := fmt.Sprintf("tables.units[%d]", i)
		if i >= int(NumUnits) {
			l.Fault("tables.units", "%d entries, expected %d", len(s.Tables.GetUnits()), NumUnits)
			return
		}
		u := l.unit(path+".id", row.GetId())
		if u == NoUnit {
			continue
		}
		if seen[u] {
			l.Fault(path+".id", "%s is given twice", row.GetId())
		}
		seen[u] = true
		s.Units[u] = l.unitRow(path, u, row)
	}
	for u := range Unit(NumUnits) {
		if !seen[u] && s.Tables != nil {
			l.Fault("tables.units", "%s is missing", u.ID())
		}
	}
}

func (l *loader) unitRow(path string, u Unit, row *anniversaryv1.UnitRow) UnitInfo {
	l.Words(path+".name", row.GetName(), maxName)
	l.Words(path+".plural", row.GetPlural(), maxName)
	l.Words(path+".short", row.GetShort(), 6)
	if row.GetDomain() != domainOf(u) {
		l.Fault(path+".domain", "%s, expected %s", row.GetDomain(), domainOf(u))
	}
	given := slices.Clone(row.GetAbilities())
	slices.Sort(given)
	if !slices.Equal(given, abilitiesOf[u]) {
		l.Fault(path+".abilities", "the rules give a unit of this type the abilities %v and no others", abilitiesOf[u])
	}
	fights, moves := 6, maxMove
	if u.in(1<<AAGun | 1<<Complex | 1<<Transport) { // AA 15.4.1, AA 15.5.1, AA 15.13.2
		fights = 0
	}
	if u == Complex {
		moves = 0
	}
	return UnitInfo{
		Name: row.GetName(), Plural: row.GetPlural(), Short: row.GetShort(),
		Cost:    l.number(path+".cost", row.GetCost(), 1, 99),
		Attack:  l.number(path+".attack", row.GetAttack(), 0, fights),
		Defence: l.number(path+".defence", row.GetDefence(), 0, fights),
		Move:    l.number(path+".move", row.GetMove(), 0, moves),
		Hits:    l.number(path+".hits", row.GetHits(), hitsOf(u), hitsOf(u)),
	}
}

// numbers reads the single numbers.
func (l *loader) numbers() {
	n := l.sc.Tables.GetNumbers()
	if l.sc.Tables == nil {
		return
	}
	at := func(field string, v uint32, lo, hi int) int { return l.number("tables.numbers."+field, v, lo, hi) }
	at("carrier_capacity", n.GetCarrierCapacity(), 2, 2) // AA 15.11.2
	l.sc.Numbers = Numbers{
		AAHit:           at("aa_hit", n.GetAaHit(), 1, 6),
		SupportedAttack: at("supported_attack", n.GetSupportedAttack(), 1, 6),
		ResearcherCost:  at("researcher_cost", n.GetResearcherCost(), 1, 99),
		ResearchSuccess: at("research_success", n.GetResearchSuccess(), 1, 6),
		RepairCost:      at("repair_cost", n.GetRepairCost(), 1, 99),
		DamageCap:       at("damage_cap", n.GetDamageCap(), 1, 9),
		ComplexValue:    at("complex_value", n.GetComplexValue(), 0, 99),
	}
}
