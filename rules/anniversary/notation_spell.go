package anniversary

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// maxCommand bounds the notation of a command, in bytes.
const maxCommand = 2048

// aliases are friendlier first words.
var aliases = [...]struct {
	word string
	kind Kind
}{
	{"pass", KindEnd}, {"done", KindEnd}, {"purchase", KindBuy}, {"build", KindPlace}, {"mobilize", KindPlace}, {"transport", KindShip},
	{"sail", KindMove}, {"fly", KindMove}, {"undo", KindRecall}, {"attack", KindFight}, {"casualties", KindLose}, {"loss", KindLose},
	{"press-on", KindPress}, {"continue", KindPress}, {"paradrop", KindDrop}, {"rockets", KindRocket}, {"standing", KindStanding},
	{"resign", KindConcede}, {"surrender", KindConcede}, {"fighton", KindFightOn}, {"dive", KindSubmerge}, {"first", KindOrder},
}

// usages say what is expected after the first word.
var usages = [numKinds]string{
	KindResearch: " NUMBER", KindChart: " 1 or 2", KindBuy: " NUMBER UNIT...", KindRepair: " TERRITORY NUMBER", KindOrder: " china or united-states",
	KindMove: " NUMBER UNIT... FROM>TO or FROM>VIA>TO [of POWER]",
	KindShip: " NUMBER FROM>TO [with UNIT@TERRITORY or UNIT...] [land TERRITORY] [of POWER]",
	KindDrop: " NUMBER FROM>TO", KindRaid: " NUMBER FROM>TO", KindJoin: " NUMBER SEA-ZONE", KindRecall: " NUMBER", KindFight: " SPACE",
	KindBomb: " TERRITORY", KindRocket: " FROM>TO", KindBombard: " NUMBER UNIT@SEA-ZONE... or -", KindSubmerge: " NUMBER",
	KindLose: " NUMBER UNIT...", KindAnswer: " yes or no", KindRetreat: " SPACE or -", KindDivert: " NUMBER FROM>TO [of POWER]",
	KindPlace: " NUMBER UNIT... SPACE [through TERRITORY] [of POWER]",
	KindStanding: " [losses UNIT,...] [retreat PERCENT] [submarines strike or submerge] [bombard] [divert] [agree] [carriers never or ask]" +
		" [transports never or ask] or -",
}

// parseCommand reads the notation of a command, in any case and spacing. Beside the spelling of formatCommand it takes plurals and common short words for
// units, names of spaces with or without what joins their words, sea zones as "sz5", ways joined by ">", "→" or "to", "none" for "-", and "at", "in" and
// commas anywhere.
func (p *Position) parseCommand(text string) (Command, *rules.Refusal) {
	if len(text) > maxCommand {
		return Command{}, rules.Malformed("a command of %d bytes, expected at most %d", len(text), maxCommand)
	}
	words := split(text)
	if len(words) == 0 {
		return Command{}, rules.Malformed("expected a command, its kind first: move, buy, end, ...")
	}
	k := kindByID(words[0])
	for _, a := range aliases {
		if a.word == words[0] {
			k = a.kind
		}
	}
	s := speller{decoder: decoder{p: p}, kind: k, words: words[1:]}
	switch words[0] {
	case "yes", "agree", "accept", "no", "reject", "decline":
		s.kind, s.words = KindAnswer, words
	}
	if s.kind == KindNone {
		return Command{}, rules.Malformed("there is no command %.40q", words[0])
	}
	c := s.command()
	if len(s.words) > 0 {
		s.expected("nothing more")
	}
	if s.refusal != nil {
		return Command{}, s.refusal
	}
	return c, nil
}

// split takes a line apart: words in lower case; ways as single words; lists of losses too.
func split(text string) []string {
	text = strings.ToLower(text)
	text = strings.NewReplacer("→", ">", "->", ">", ", ", " ", "；", " ", "　", " ").Replace(text)
	var words []string
	for _, w := range strings.Fields(text) {
		last := len(words) - 1
		switch {
		case w == "to" && last > 0:
			w = ">"
		case w == "to" || w == "at" || w == "in" || w == "and" || w == "from":
			continue
		}
		if last >= 0 && (w[0] == '>' || strings.HasSuffix(words[last], ">")) {
			words[last] += w
			continue
		}
		words = append(words, w)
	}
	return words
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
	s.malformed("expected %s, not %s; it is written: %s%s", what, got, kinds[s.kind].id, usages[s.kind])
	s.words = nil
}

// has takes a word if it is the one given.
func (s *speller) has(word string) bool {
	if len(s.words) > 0 && s.words[0] == word {
		s.words = s.words[1:]
		return true
	}
	return false
}

// none takes a word that means none.
func (s *speller) none() bool { return s.has("-") || s.has("none") }

// next takes a word; empty after the last, which is refused.
func (s *speller) next(what string) string {
	if len(s.words) == 0 {
		s.expected(what)
		return ""
	}
	w := s.words[0]
	s.words = s.words[1:]
	return w
}

// int takes a number up to hi.
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
	s.words = s.words[1:]
	return s.number(uint32(n), hi, what)
}

// many takes a number of units; one if none is said.
func (s *speller) many() uint8 {
	if len(s.words) > 0 && isNumber(s.words[0]) {
		n := s.int(maxNumber, "a number")
		if n == 0 {
			s.malformed("a number of units is 0, expected 1 to %d", maxNumber)
		}
		return n
	}
	return 1
}

func isNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }
