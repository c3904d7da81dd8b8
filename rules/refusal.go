package rules

import "fmt"

// Reason is the machine-readable kind of a refusal, UPPER_SNAKE_CASE, the same for all rulesets where it means the same.
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

// Refusal says why a command was refused: a typed reason, the rule that it breaks, and the numbers that would have made it legal.
// A refused command changes nothing.
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
}

// Refuse makes a refusal by a rule: key and pairs as in [Say].
func Refuse(rule, key string, pairs ...any) *Refusal {
	return &Refusal{Reason: ReasonIllegal, Rule: rule, Text: Say(key, pairs...)}
}

// Malformed makes a refusal of something that cannot be read.
func Malformed(format string, args ...any) *Refusal {
	return &Refusal{Reason: ReasonMalformed, Words: fmt.Sprintf(format, args...)}
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
