package anniversary

import (
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// placeNamed finds a space by its id, or by its English name whatever joins its words; sea zones also as "sz5".
func (x *phrase) placeNamed(w string) Space {
	sp := x.p.tab.spaceLike(x.p.sc, w)
	if sp == NoSpace {
		x.Refuse(rules.Malformed("the map has no space %.40q", w).For(rules.ReasonUnknownSpace).At(kit.Clip(w)))
	}
	return sp
}

// spaceLike finds a space by something like its id; NoSpace if none exists.
func (t *tables) spaceLike(sc *Scenario, w string) Space {
	if s, ok := t.space[w]; ok {
		return s
	}
	bare := letters(w)
	if bare == "" {
		return NoSpace
	}
	if n, ok := strings.CutPrefix(bare, "seazone"); ok {
		bare = "sz" + n
	}
	found := NoSpace
	for s := range Space(sc.Len()) {
		if letters(sc.SpaceID(s)) == bare || letters(strings.ToLower(sc.SpaceName(s, rules.English))) == bare {
			if found != NoSpace {
				return NoSpace
			}
			found = s
		}
	}
	return found
}

// letters are the letters and digits of a lower-case word.
func letters(w string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, w)
}

// powerNamed finds a power by its id, its beginning or a short form.
func (x *phrase) powerNamed(w string) Power {
	if w == "-" {
		return NoPower
	}
	found, n := NoPower, 0
	for p := range NumPowers {
		if scenario.PowerIDs[p] == w {
			return p
		}
		if w != "" && strings.HasPrefix(letters(scenario.PowerIDs[p]), letters(w)) {
			found = p
			n++
		}
	}
	for i, short := range [...]string{"uk", "us", "usa", "ussr", "russia"} {
		if w == short {
			return [...]Power{UnitedKingdom, UnitedStates, UnitedStates, SovietUnion, SovietUnion}[i]
		}
	}
	if n != 1 || letters(w) == "" {
		x.Malformed("there is no power %.40q; the powers are %s", w, strings.Join(scenario.PowerIDs[:], ", "))
		return NoPower
	}
	return found
}
