package anniversary

import (
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// place takes a space.
func (s *speller) place() Space {
	if len(s.words) == 0 {
		s.expected("a space")
		return NoSpace
	}
	return s.placeNamed(s.next("a space"))
}

// placeNamed finds a space by its id, or by its English name whatever joins its words; sea zones also as "sz5".
func (s *speller) placeNamed(w string) Space {
	sp := s.p.tab.spaceLike(s.p.sc, w)
	if sp == NoSpace {
		s.refuse(rules.Malformed("the map has no space %.40q", w).For(rules.ReasonUnknownSpace).At(kit.Clip(w)))
	}
	return sp
}

// spaceLike finds a space by something like its id; NoSpace if there is none.
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

// way takes spaces joined by ">": two, or three with the one on the way.
func (s *speller) way(c Command) Command {
	if len(s.words) == 0 || !strings.Contains(s.words[0], ">") {
		s.expected("a way FROM>TO")
		return c
	}
	parts := strings.Split(s.next("a way"), ">")
	if len(parts) > 3 {
		s.malformed("a way has %d spaces, expected 2 or 3", len(parts))
		return c
	}
	c.From, c.To = s.placeNamed(parts[0]), s.placeNamed(parts[len(parts)-1])
	if len(parts) == 3 {
		c.Via = s.placeNamed(parts[1])
	}
	return c
}

// of takes "of" and a power.
func (s *speller) of(unsaid Power) Power {
	if !s.has("of") {
		return unsaid
	}
	if s.none() {
		return NoPower
	}
	return s.powerNamed(s.next("a power"))
}

func (s *speller) powerNamed(w string) Power {
	if w == "-" {
		return NoPower
	}
	found, n := NoPower, 0
	for p := range Power(NumPowers) {
		if powerIDs[p] == w {
			return p
		}
		if w != "" && strings.HasPrefix(letters(powerIDs[p]), letters(w)) {
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
		s.malformed("there is no power %.40q; the powers are %s", w, strings.Join(powerIDs[:], ", "))
		return NoPower
	}
	return found
}
