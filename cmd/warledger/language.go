package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/warledger/warledger/languages"
)

// tongue is the tag of a language in which the program and the game speak.
type tongue string

// UnmarshalText takes the tag of a language, or of a kind of it, as "de-AT".
func (t *tongue) UnmarshalText(text []byte) error {
	tag, ok := languages.Match(string(text))
	if !ok {
		return fmt.Errorf("must be one of %s, not %q", strings.Join(languages.Tags(), ", "), text)
	}
	*t = tongue(tag)
	return nil
}

//go:embed japanese.tsv
var japaneseFile string

// japanese are the program's own words in Japanese. They are in a file, since struct tags have one language. A test
// finds its faults, and words that it lacks.
var japanese, _ = languages.Parse("ja", japaneseFile)

// in is a text of the program in the language asked for.
func (t tongue) in(text string) string {
	in, ok := japanese.Text(text, "")
	if !ok {
		in = text
	}
	return languages.Say(string(t), text, in)
}

// heard is the language of a command line that is not read yet, since help is printed while it is read.
func heard(args []string) (t tongue) {
	given := os.Getenv("WARLEDGER_LANG")
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--lang="); ok {
			given = value
		} else if arg == "--lang" && i+1 < len(args) {
			given = args[i+1]
		}
	}
	if t.UnmarshalText([]byte(given)) != nil {
		return "en"
	}
	return t
}

// translate puts the help of all commands into a language.
func (t tongue) translate(model *kong.Application) {
	model.Help = t.in(model.Help)
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error { // nothing in it can fail
		switch n := node.(type) {
		case *kong.Node:
			n.Help = t.in(n.Help)
			if n.Group != nil {
				n.Group.Title = t.in(n.Group.Title)
			}
		case *kong.Flag:
			n.Help = t.in(n.Help)
		case *kong.Value:
			n.Help = t.in(n.Help)
		}
		return next(nil)
	})
}
