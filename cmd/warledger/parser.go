package main

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

// parserSays are the words of the library that reads the command line: heads of its help, and what is wrong.
var parserSays = []string{
	"Usage: %s", "Arguments:", "Flags:", "Commands:", `Run "%s" for more information on a command.`,
	`Run "%s" for more information.`, "Show context-sensitive help.",
	"unknown flag %s", "unexpected argument %s", "%s, did you mean %s?", "%s, did you mean one of %s?", "expected %s",
	"expected one of %s", "missing flags: %s", "%s must be one of %s but got %s", "%s and %s can't be used together",
	"expected a valid 64 bit int but got %s", "expected duration but got %s", "expected %s value but got %s",
	"must be one of %s, not %s", "stat %s: no such file or directory", "missing positional arguments %s",
	"  warledger %s --help says more\n",
}

// systemSays are errors of the operating system and of libraries, in which the program's errors often end.
var systemSays = []string{
	"the map has no such space: %s",
	"open %s: %s", "read %s: %s", "write %s: %s", "mkdir %s: %s", "remove %s: %s", "rename %s %s: %s",
	"listen tcp %s: bind: %s", "no such file or directory", "The system cannot find the file specified.",
	"The system cannot find the path specified.", "permission denied", "Access is denied.",
	"operation not permitted", "file exists", "is a directory", "not a directory", "directory not empty",
	"no space left on device", "There is not enough space on the disk.", "disk quota exceeded",
	"read-only file system", "too many open files", "file name too long", "invalid argument", "input/output error",
	"broken pipe", "connection refused", "connection reset by peer", "network is unreachable", "no route to host",
	"no such host", "address already in use", "i/o timeout", "context deadline exceeded", "unexpected EOF", "EOF",
}

// help prints the help with the heads in the language.
func (t tongue) help(options kong.HelpOptions, ctx *kong.Context) error {
	if t == "en" {
		return kong.DefaultHelpPrinter(options, ctx)
	}
	var page bytes.Buffer
	out := ctx.Stdout
	ctx.Stdout = &page
	err := kong.DefaultHelpPrinter(options, ctx)
	ctx.Stdout = out
	for line := range strings.Lines(page.String()) {
		text := strings.TrimRight(line, "\n")
		if !strings.HasPrefix(text, " ") {
			text = t.told(text)
		}
		if _, err := out.Write([]byte(text + "\n")); err != nil {
			return err
		}
	}
	return err
}

// escaped undoes what the file of the Japanese escapes.
var escaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")

// filledIn is a place in a text that is filled in.
var filledIn = regexp.MustCompile(`%(?:\[(\d+)\])?0?\d?[sdqvoxg]`)

// format is a text of the program that is filled in, with what finds it.
type format struct {
	english string
	fixed   []string // what stands around the places: one more than there are places
	pattern *regexp.Regexp
}

// formats are all of them, the longest first.
var formats = sync.OnceValue(func() (all []format) {
	for line := range strings.Lines(japaneseFile) {
		english, _, ok := strings.Cut(line, "\t")
		english = escaped.Replace(english)
		if !ok || !filledIn.MatchString(english) {
			continue
		}
		pattern := filledIn.ReplaceAllStringFunc(regexp.QuoteMeta(english), func(place string) string {
			if strings.HasSuffix(place, "d") {
				return `(-?\d+)` // a number, so that few other texts fit by chance
			}
			return "(.+?)"
		})
		all = append(all, format{english, filledIn.Split(english, -1), regexp.MustCompile(`^(?s:` + pattern + `)$`)})
	}
	slices.SortStableFunc(all, func(a, b format) int { return len(b.english) - len(a.english) })
	return all
})

// parts are what a text has in the places; nil if it was not made from the format. What is fixed is looked for first,
// since that is much quicker than the pattern and few texts pass it.
func (f format) parts(text string) []string {
	last := len(f.fixed) - 1
	rest, ok := strings.CutPrefix(text, f.fixed[0])
	for _, fixed := range f.fixed[1:last] {
		if ok {
			_, rest, ok = strings.Cut(rest, fixed)
		}
	}
	if !ok || !strings.HasSuffix(rest, f.fixed[last]) {
		return nil
	}
	if m := f.pattern.FindStringSubmatch(text); m != nil {
		return m[1:]
	}
	return nil
}

// Limits of the work on one text, which may come from a server that nobody trusts, or quote what a player wrote.
const (
	longestTold = 2_000 // in bytes; a longer text stays English
	mostLooks   = 24    // how many texts are compared with the formats: the whole one and parts of it
)

// told puts an error into the language. The error comes in English, so told looks for the text of the program that it
// was made from, and takes the longest that fits. If none fits, what follows the first colon is tried, and the rest
// stays English.
func (t tongue) told(text string) string {
	if t == "en" || len(text) > longestTold {
		return text
	}
	return (&teller{tongue: t, looks: mostLooks}).told(text)
}

// teller puts one text into a language.
type teller struct {
	tongue
	looks int // how many are left
}

func (t *teller) told(text string) string {
	if in := t.in(text); in != text {
		return in
	}
	if t.looks == 0 {
		return text
	}
	t.looks--
	for _, f := range formats() {
		if parts := f.parts(text); parts != nil {
			return t.fill(t.in(f.english), parts)
		}
	}
	if head, rest, ok := strings.Cut(text, ": "); ok {
		return head + ": " + t.told(rest)
	}
	return text
}

// fill puts parts of an English text into the places of its translation.
func (t *teller) fill(text string, parts []string) string {
	at := 0
	return filledIn.ReplaceAllStringFunc(text, func(place string) string {
		if m := filledIn.FindStringSubmatch(place); m[1] != "" {
			at, _ = strconv.Atoi(m[1])
			at--
		}
		if at >= len(parts) {
			return place
		}
		at++
		return t.told(parts[at-1])
	})
}
