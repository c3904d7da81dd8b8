package pages

import (
	"fmt"
	"regexp"
	"strings"
)

// block is a fenced block of a page.
type block struct {
	line  int    // of its fence, from 1
	lang  string // the first word after the fence
	file  string // what it is saved as; empty if it is run
	skip  string // why it is neither run nor saved
	lines []string
}

// step is one thing that a reader does.
type step struct {
	line    int
	command string // empty to save a file
	shown   bool   // the page shows what is printed
	want    []string
	file    string
	text    string
}

// interrupt is what a terminal shows when its program is stopped.
const interrupt = "^C"

var fenceInfo = regexp.MustCompile("^```([a-z]+)(?: (.+))?$")

// blocksOf reads the fenced blocks of a page. A fence that says neither how to run its block nor why not is an error.
func blocksOf(page string) ([]block, error) {
	var all []block
	var open *block
	for i, text := range strings.Split(page, "\n") {
		switch {
		case open != nil && text == "```":
			all, open = append(all, *open), nil
		case open != nil:
			open.lines = append(open.lines, text)
		case strings.HasPrefix(strings.TrimLeft(text, " "), "```") || strings.HasPrefix(text, "~~~"):
			b, err := opened(text)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			b.line, open = i+1, &b
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: the block never ends", open.line)
	}
	return all, nil
}

func opened(fence string) (block, error) {
	m := fenceInfo.FindStringSubmatch(fence)
	if m == nil {
		return block{}, fmt.Errorf("%q: a fence stands at the margin and names its language", fence)
	}
	b := block{lang: m[1]}
	reason, skipped := strings.CutPrefix(m[2], "not run: ")
	switch {
	case skipped && len(strings.Fields(reason)) >= 3:
		b.skip = reason
	case !strings.Contains(m[2], " ") && strings.ContainsAny(m[2], "./"):
		b.file = m[2]
	case m[2] != "" || b.lang != "console" && b.lang != "sh":
		return block{},
			fmt.Errorf("%q: a block is run, saved as a file, or says in some words why it is not run", fence)
	}
	return b, nil
}

// stepsOf are the steps of a page in order.
func stepsOf(blocks []block) ([]step, error) {
	var all []step
	for _, b := range blocks {
		switch {
		case b.skip != "":
		case b.file != "":
			all = append(all, step{line: b.line, file: b.file, text: strings.Join(b.lines, "\n") + "\n"})
		case b.lang == "sh":
			for i, text := range b.lines {
				if command := typed(text); command != "" {
					all = append(all, step{line: b.line + 1 + i, command: command})
				}
			}
		default:
			told, err := session(b)
			if err != nil {
				return nil, err
			}
			all = append(all, told...)
		}
	}
	return all, nil
}

// session reads what a terminal showed: commands, and below each what it printed.
func session(b block) ([]step, error) {
	var all []step
	for i, text := range b.lines {
		command, prompted := strings.CutPrefix(text, "$ ")
		switch {
		case prompted:
			all = append(all, step{line: b.line + 1 + i, command: typed(command), shown: true})
		case text == interrupt:
			all = append(all, step{line: b.line + 1 + i, command: interrupt, shown: true})
		case len(all) == 0:
			return nil, fmt.Errorf("line %d: an output without its command", b.line+1+i)
		default:
			last := &all[len(all)-1]
			last.want = append(last.want, text)
		}
	}
	return all, nil
}

// typed is a line without the remark at its end.
func typed(text string) string {
	command, _, _ := strings.Cut(" "+text, " # ")
	return strings.TrimSpace(command)
}

var masks = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b[a-z2-7]{26}\b`), "<id>"},             // ids of games
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "<hash>"},           // hashes
	{regexp.MustCompile(`\bwl_[a-z]+_[0-9A-Za-z]+`), "<token>"},  // tokens
	{regexp.MustCompile(`[ \t]+(\n|$)`), "$1"},                   // blanks that nobody sees
	{regexp.MustCompile(`\A\n+|\n+\z`), ""},                      // empty lines around it
	{regexp.MustCompile(`\b(localhost|\[::1\]):`), "127.0.0.1:"}, // one host, three names
}

// masked is an output without what differs each time.
func masked(text string) string {
	for _, m := range masks {
		text = m.what.ReplaceAllString(text, m.with)
	}
	return text
}

// matches reports whether an output is the one that a page shows.
func matches(want []string, got string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, text := range strings.Split(masked(strings.Join(want, "\n")), "\n") {
		if text == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(text), "…", `.*`) + `\n`)
	}
	pattern.WriteString(`\z`)
	return regexp.MustCompile(pattern.String()).MatchString(masked(got) + "\n")
}
