package downfall

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// maxCommand bounds the notation of a command, in bytes.
const maxCommand = 4096

// aliases are friendlier first words.
var aliases = [...]struct {
	word string
	kind Kind
}{
	{"pass", KindEnd}, {"done", KindEnd}, {"fire", KindShot}, {"shoot", KindShot}, {"airsupply", KindSupply}, {"air-supply", KindSupply},
	{"naval", KindZones}, {"step-up", KindStepUp}, {"recovery", KindRecover}, {"landing", KindLand}, {"resign", KindConcede},
}

// usages say what is expected after the first word, by shape.
var usages = [...]string{
	shapeBare: "", shapeUnit: " UNIT", shapeUnitHex: " UNIT HEX", shapeOrders: " [infantry | airborne [HEX TURN]]", shapePlan: " HEX TURN",
	shapeZones: " ZONE...", shapeMarkers: " NUMBER...", shapeCount: " NUMBER", shapeAim: " HEX or UNIT", shapeLosses: " UNIT[:2]...",
	shapeHex: " HEX or -", shapeWays: " UNIT HEX or UNIT HEX-HEX-...", shapeAttack: " FROM TARGET UNIT... [+air] [+navalN]",
	shapeConsecutive: " TARGET FROM UNIT...", shapeAlso: " FROM UNIT...", shapeSupport: " [+air] [+navalN] or -", shapeTarget: " UNIT or -",
	shapeShot: " SHOOTER TARGET", shapeWithdraw: " HEX or UNIT HEX...", shapeUnits: " UNIT... or -",
}

// parseCommand reads the notation of a command, in any case and spacing. Beside the spelling of formatCommand it takes a unit's short text if only one
// unit of either side has it and the seat is plain, ways joined by ">" or ",", "none" for "-", and attacks without the hex that they come from.
func (p *Position) parseCommand(text string) (Command, *rules.Refusal) {
	if len(text) > maxCommand {
		return Command{}, rules.Malformed("a command of %d bytes, expected at most %d", len(text), maxCommand)
	}
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return Command{}, rules.Malformed("expected a command, its kind first: move, attack, end, ...")
	}
	k := kindByID(strings.ToLower(fields[0]))
	for _, a := range aliases {
		if a.word == strings.ToLower(fields[0]) {
			k = a.kind
		}
	}
	if k == KindNone {
		return Command{}, rules.Malformed("there is no command %.40q", fields[0])
	}
	s := speller{decoder: decoder{p: p}, kind: k, words: fields[1:]}
	c := s.command()
	if len(s.words) > 0 {
		s.expected("nothing more")
	}
	if s.refusal != nil {
		return Command{}, s.refusal
	}
	return c, nil
}

// speller reads the words of a command and keeps the first refusal.
type speller struct {
	decoder
	kind  Kind
	words []string
}

// expected refuses the next word, and shows how the command is written.
func (s *speller) expected(what string) {
	got := "the end"
	if len(s.words) > 0 {
		got = strconv.Quote(kit.Clip(s.words[0]))
	}
	s.malformed("expected %s, not %s; it is written: %s%s", what, got, kinds[s.kind].id, usages[shapes[s.kind]])
	s.words = nil
}

func (s *speller) next() string {
	w := s.words[0]
	s.words = s.words[1:]
	return w
}

// none takes a word that means none.
func (s *speller) none() bool {
	if len(s.words) > 0 && (s.words[0] == "-" || strings.EqualFold(s.words[0], "none")) && !s.isUnit(s.words[0]) {
		s.words = s.words[1:]
		return true
	}
	return false
}

func (s *speller) isUnit(w string) bool { _, ok := s.findUnit(w); return ok }

// findUnit finds a unit by its id, in any case, or by a short text that it alone has.
func (s *speller) findUnit(w string) (Unit, bool) {
	if u, ok := s.p.tab.unit[w]; ok {
		return u, true
	}
	found, n := NoUnit, 0
	for u := range s.p.sc.Units {
		info := &s.p.sc.Units[u]
		if strings.EqualFold(info.ID, w) {
			return Unit(u), true
		}
		if strings.EqualFold(info.Short, w) {
			found = Unit(u)
			n++
		}
	}
	return found, n == 1
}

// unit takes a unit.
func (s *speller) unit() Unit {
	if len(s.words) == 0 {
		s.expected("a unit")
		return 0
	}
	w := s.words[0]
	u, ok := s.findUnit(w)
	if !ok {
		s.refuse(rules.Malformed("the scenario has no unit %.40q, or more than one is called so", w).For(rules.ReasonUnknownPiece).About(kit.Clip(w)))
		s.words = nil
		return 0
	}
	s.next()
	return u
}

// units takes units, none twice, up to a word that is none.
func (s *speller) units() UnitSet {
	var set UnitSet
	for len(s.words) > 0 && !strings.HasPrefix(s.words[0], "+") && s.refusal == nil {
		s.add(&set, s.unit())
	}
	return set
}

// hex takes the number of a hex.
func (s *speller) hex() Hex {
	if len(s.words) == 0 {
		s.expected("a hex")
		return 0
	}
	return s.hexOf(s.next())
}

func (s *speller) hexOf(w string) Hex {
	h, ok := hexByDigits(s.p, w)
	if !ok {
		s.refuse(rules.Malformed("the map has no land hex %.40q", w).For(rules.ReasonUnknownSpace).At(kit.Clip(w)))
		return 0
	}
	return h
}

// int takes a number.
func (s *speller) int(hi int, what string) uint8 {
	if len(s.words) == 0 {
		s.expected(what)
		return 0
	}
	n, err := strconv.ParseUint(s.words[0], 10, 32)
	if err != nil {
		s.expected(what)
		return 0
	}
	s.next()
	return s.number(uint32(n), hi, what)
}

// way takes the hexes of a way, joined by "-", ">" or ",".
func (s *speller) way() []Hex {
	if len(s.words) == 0 {
		s.expected("a hex or a way")
		return nil
	}
	parts := strings.FieldsFunc(s.next(), func(r rune) bool { return r == '-' || r == '>' || r == ',' || r == '→' })
	if len(parts) == 0 || len(parts) > maxPath {
		s.malformed("a way has %d hexes, expected 1 to %d", len(parts), maxPath)
		return nil
	}
	path := make([]Hex, len(parts))
	for i, w := range parts {
		path[i] = s.hexOf(w)
	}
	return path
}
