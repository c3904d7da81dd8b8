package scenario

import (
	"fmt"
	"slices"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// eachRow reads a table that has a row for each of n things, in any order.
func eachRow[K interface {
	~uint8
	ID() string
}, R interface{ GetId() string }](
	l *loader, path string, rows []R, n K, find func(path, id string) K, read func(path string, k K, row R),
) {
	seen := make([]bool, n)
	for i, row := range rows {
		if i >= int(n) {
			l.Fault(path, "%d entries, expected %d", len(rows), n)
			return
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		k := find(at+".id", row.GetId())
		if k >= n {
			continue
		}
		if seen[k] {
			l.Fault(at+".id", "%s is given twice", row.GetId())
		}
		seen[k] = true
		read(at, k, row)
	}
	for k := range n {
		if !seen[k] && l.sc.Tables != nil {
			l.Fault(path, "%s is missing", k.ID())
		}
	}
}

// powers reads the seven powers. Sides are those of the rulebook and no part of a document (AA 1.1.1).
func (l *loader) powers() {
	s := l.sc
	for w := range s.Powers {
		s.Powers[w].Capital = NoSpace
	}
	eachRow(l, "tables.powers", s.Tables.GetPowers(), NumPowers,
		l.power, func(path string, w Power, p *anniversaryv1.PowerRow) {
			if l.Fill(path, p, &s.Powers[w]); !hexColor.MatchString(p.GetColor()) {
				l.Fault(path+".color", "%.40q, expected #rrggbb", p.GetColor())
			}
			l.capital(path+".capital", w, p.GetCapital())
		})
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
	case u.In(SeaUnits):
		return anniversaryv1.Domain_DOMAIN_SEA
	case u.In(AirUnits):
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
	eachRow(l, "tables.units", l.sc.Tables.GetUnits(), NumUnits,
		l.unit, func(path string, u Unit, row *anniversaryv1.UnitRow) {
			l.Bounds = map[string]int{"fights": 6, "moves": maxMove, "hits": hitsOf(u)}
			if u.In(1<<AAGun | 1<<Complex | 1<<Transport) { // AA 15.4.1, AA 15.5.1, AA 15.13.2
				l.Bounds["fights"] = 0
			}
			if u == Complex {
				l.Bounds["moves"] = 0
			}
			if l.Fill(path, row, &l.sc.Units[u]); row.GetDomain() != domainOf(u) {
				l.Fault(path+".domain", "%s, expected %s", row.GetDomain(), domainOf(u))
			}
			given := slices.Clone(row.GetAbilities())
			slices.Sort(given)
			if !slices.Equal(given, abilitiesOf[u]) {
				l.Fault(path+".abilities", "the rules give a unit of this type the abilities %v and no others",
					abilitiesOf[u])
			}
		})
}

// numbers reads the single numbers.
func (l *loader) numbers() {
	n := l.sc.Tables.GetNumbers()
	if l.sc.Tables == nil {
		return
	}
	l.Number("tables.numbers.carrier_capacity", n.GetCarrierCapacity(), 2, 2) // AA 15.11.2
	l.Fill("tables.numbers", n, &l.sc.Numbers)
}
