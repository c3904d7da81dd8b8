package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Reason is the machine-readable kind of a refusal, UPPER_SNAKE_CASE, the same for all rulesets
// where it means the same.
type Reason string

// Reasons that every ruleset shares. A ruleset adds its own for what it alone refuses.
const (
	// ReasonNotYourDecision: the game does not wait for this seat, or not for this kind of command.
	ReasonNotYourDecision Reason = "NOT_YOUR_DECISION"
	// ReasonGameOver: the game has ended.
	ReasonGameOver Reason = "GAME_OVER"
	// ReasonUnknownPiece: the command names a piece that the scenario does not have, or that the seat does not own.
	ReasonUnknownPiece Reason = "UNKNOWN_PIECE"
	// ReasonUnknownSpace: the command names a space that the map does not have.
	ReasonUnknownSpace Reason = "UNKNOWN_SPACE"
	// ReasonMalformed: the command cannot be read: a field is missing, out of range, or given twice.
	ReasonMalformed Reason = "MALFORMED_COMMAND"
	// ReasonIllegal: a rule forbids it. The rule id says which.
	ReasonIllegal Reason = "ILLEGAL_COMMAND"
	// ReasonDice: the manual dice that came with the command do not fit what it needs.
	ReasonDice Reason = "DICE_EXPECTED"
)

// Refusal says why a command was refused: a typed reason, the rule that it breaks, and the numbers that would have made
// it legal. A refused command changes nothing.
type Refusal struct {
	// Reason is the machine-readable kind.
	Reason Reason
	// Rule is the paragraph that forbids it ("DF 7.4-d"); empty when no rule is concerned.
	Rule string
	// Text says it in words, from the ruleset's catalogue.
	Text Text
	// Pieces and Spaces are the ids concerned.
	Pieces, Spaces []string
	// Words is the text in English, filled in by the kernel.
	Words string
	// Asked is what the game waits for, as far as the seat may know, if it is not its decision.
	// Filled in by the kernel.
	Asked []Decision
}

// Refuse makes a refusal by a rule: key and pairs as in [Say].
func Refuse(rule, key string, pairs ...any) *Refusal {
	return &Refusal{Reason: ReasonIllegal, Rule: rule, Text: Say(key, pairs...)}
}

// Malformed makes a refusal of something that cannot be read.
func Malformed(format string, args ...any) *Refusal {
	return &Refusal{Reason: ReasonMalformed, Words: fmt.Sprintf(format, args...)}
}

// mostAlike is how many commands are proposed for an unknown word.
const mostAlike = 3

// NoCommand makes a refusal of a first word that is no kind of command. It proposes the kinds that are spelt alike.
// It names all of them if they are few.
func NoCommand(word string, all []CommandKind) *Refusal {
	const most = 40
	ids := make([]string, 0, len(all))
	for _, k := range all {
		ids = append(ids, k.ID)
	}
	word = fmt.Sprintf("%.40s", word)
	text := fmt.Sprintf("there is no command %q", word)
	near := slices.Clone(ids)
	slices.SortStableFunc(near, func(a, b string) int { return unlike(word, a) - unlike(word, b) })
	near = slices.DeleteFunc(near[:min(len(near), mostAlike)], func(id string) bool {
		return unlike(word, id) > max(2, len(word)/3)
	})
	if len(near) == 0 {
		text += "."
	} else {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(ids) <= most {
		text += " The commands are " + strings.Join(ids, ", ")
	} else {
		text += fmt.Sprintf(" There are %d commands; legal lists those that may be made now", len(ids))
	}
	return Malformed("%s", text)
}

// unlike counts the letters that must be changed, put in or left out to make one word of another; those that only go on
// after what was typed count little.
func unlike(typed, word string) int {
	if typed != "" && strings.HasPrefix(word, strings.ToLower(typed)) {
		return 1
	}
	row := make([]int, len(word)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range []byte(strings.ToLower(typed)) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(word) {
			change := diagonal
			if c != word[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(word)]
}

// For gives the refusal another reason and returns it.
func (r *Refusal) For(reason Reason) *Refusal { r.Reason = reason; return r }

// About adds the ids of pieces concerned and returns the refusal.
func (r *Refusal) About(pieces ...string) *Refusal { r.Pieces = append(r.Pieces, pieces...); return r }

// At adds the ids of spaces concerned and returns the refusal.
func (r *Refusal) At(spaces ...string) *Refusal { r.Spaces = append(r.Spaces, spaces...); return r }

// Error says why in English, with the rule id at the end.
func (r *Refusal) Error() string {
	words := r.Words
	if words == "" {
		words = "[" + r.Text.Key + argList(r.Text.Args) + "]"
	}
	if r.Rule == "" {
		return words
	}
	return words + " (" + r.Rule + ")"
}
