package kit

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
)

// Grammar takes the commands of a ruleset into their shapes and out of them. P is its position, X its phrase and C its
// command.
type Grammar[P any, X interface{ Base() *Phrase }, C any] struct {
	// About is the ruleset, with the type of its command's message.
	About *rules.About
	// Kinds is the table of commands.
	Kinds Kinds[X, C]
	// Kind is the kind of a command.
	Kind func(*C) int
	// Make is a command of a kind that names nothing yet.
	Make func(kind int) C
	// Phrase is a phrase of the ruleset, in the position whose things it names.
	Phrase func(P, Phrase) X
}

// Base is the phrase itself, for what embeds it.
func (x *Phrase) Base() *Phrase { return x }

// Run takes a command of a kind through a shape.
func (g *Grammar[P, X, C]) Run(p P, c *C, shape Phrase) X {
	shape.Kind = g.Kind(c)
	x := g.Phrase(p, shape)
	if names := g.Kinds[shape.Kind].Names; names != nil {
		names(x, c)
	}
	return x
}

// Encode fills in the message of a command; one of no kind leaves it empty.
func (g *Grammar[P, X, C]) Encode(p P, c C, m proto.Message) {
	if kind := g.Kind(&c); g.Kinds.ID(kind) != "" {
		g.Run(p, &c, Phrase{Shape: Encode, Message: Choose(m, g.Kinds[kind].FieldName())})
	}
}

// Decode reads the message of a command. It refuses what the things that it names refuse.
func (g *Grammar[P, X, C]) Decode(p P, m proto.Message) (C, *rules.Refusal) {
	kind := g.Kinds.Chosen(Chosen(m))
	if kind == 0 {
		return *new(C), rules.Malformed("the command has no kind")
	}
	return g.read(p, kind, Phrase{Shape: Decode, Message: Choose(m, g.Kinds[kind].FieldName())})
}

// read makes a command of what a phrase reads.
func (g *Grammar[P, X, C]) read(p P, kind int, shape Phrase) (C, *rules.Refusal) {
	c := g.Make(kind)
	x := g.Run(p, &c, shape).Base()
	if x.End(); x.Refusal != nil {
		return *new(C), x.Refusal
	}
	return c, nil
}

// Format writes the notation of a command: its kind and what it names; "?" for one of no kind.
func (g *Grammar[P, X, C]) Format(p P, c C) string {
	id := g.Kinds.ID(g.Kind(&c))
	if id == "" {
		return "?"
	}
	return string(g.Run(p, &c, Phrase{Shape: Write, Text: append(make([]byte, 0, 64), id...)}).Base().Text)
}

// Usage is how commands of a kind are written.
func (g *Grammar[P, X, C]) Usage(p P, kind int) string {
	c := g.Make(kind)
	return string(g.Run(p, &c, Phrase{Shape: Usage, Text: []byte(g.Kinds[kind].ID)}).Base().Text)
}

// Parse reads what follows the first word of a notation, which named the kind.
func (g *Grammar[P, X, C]) Parse(p P, kind int, words []string) (C, *rules.Refusal) {
	return g.read(p, kind, Phrase{Shape: Read, Words: words, Written: func() string { return g.Usage(p, kind) }})
}

// ParseLine reads the notation of a command, in any case and spacing.
func (g *Grammar[P, X, C]) ParseLine(p P, text string) (C, *rules.Refusal) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return *new(C), rules.Malformed("expected a command")
	}
	kind := g.Kinds.Find(words[0])
	if kind == 0 {
		return *new(C), rules.NoCommand(words[0], g.Kinds.List())
	}
	return g.Parse(p, kind, words[1:])
}

// Tell fills in the label, the pieces and the spaces of a description with what a command names.
func (g *Grammar[P, X, C]) Tell(p P, c C, d *rules.Description) X {
	return g.Run(p, &c, Phrase{Shape: Tell, Told: d})
}
