package phrases

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/warledger/warledger/languages"
)

// File is a language's file beside what the sources say.
type File struct {
	// Text is the file as it ought to be: each text of the sources once, with the translation that it has.
	Text string
	// Translated and All count the texts.
	Translated, All int
	// Missing are the texts without translation.
	Missing []string
	// Unused are the texts with a translation that no source says any more.
	Unused []string
	// Areas count by source.
	Areas []Area
}

// Area counts the texts of one source.
type Area struct {
	// Source is where the texts stand.
	Source string
	// Translated and All count them.
	Translated, All int
}

const unusedHead = "# No longer used. Take over what fits, and delete the rest."

// Update makes the file of a language current; old is as it is, empty for a new one.
func Update(tag, old string, sections []Section) (*File, error) {
	known, err := language.Parse(tag)
	if err != nil || known.String() != tag {
		return nil, fmt.Errorf("%q is no language tag of BCP 47 in its usual form", tag)
	}
	if tag == "en" || tag == "ja" {
		return nil, fmt.Errorf("%s stands in the sources and has no file", display.English.Tags().Name(known))
	}
	given := readLines(old)
	var b strings.Builder
	for _, line := range head(known, given) {
		b.WriteString(line + "\n")
	}
	f, done, said := &File{}, map[string]bool{}, map[string]bool{}
	for _, s := range sections {
		area := Area{Source: s.Source}
		heading := "\n# " + s.Source + "\n"
		for _, t := range s.Texts {
			english := languages.Escape(t.English)
			if _, ok := given.text[english]; s.Long && !ok {
				continue
			}
			plain, own := given.text[english], ""
			if t.Key != "" {
				own = given.text[english+"\t"+t.Key]
				done[english+"\t"+t.Key] = true
			}
			f.All++
			if area.All++; plain+own != "" {
				f.Translated++
				area.Translated++
			} else if !said[english] {
				f.Missing = append(f.Missing, t.English)
			}
			if !said[english] {
				b.WriteString(heading + strings.TrimRight(english+"\t"+plain, "\t") + "\n")
				heading = ""
			}
			if own != "" {
				b.WriteString(heading + english + "\t" + own + "\t" + t.Key + "\n")
				heading = ""
			}
			said[english], done[english] = true, true
		}
		f.Areas = append(f.Areas, area)
	}
	f.rest(&b, given, done)
	f.Text = b.String()
	return f, nil
}

// rest keeps what no source says any more, as comments.
func (f *File) rest(b *strings.Builder, given lines, done map[string]bool) {
	var kept []string
	for _, at := range given.order {
		if text := given.text[at]; text != "" && !done[at] {
			f.Unused = append(f.Unused, at)
			english, key, _ := strings.Cut(at, "\t")
			kept = append(kept, "#- "+strings.TrimRight(english+"\t"+text+"\t"+key, "\t"))
		}
	}
	if kept = append(slices.Clone(given.unused), kept...); len(kept) > 0 {
		b.WriteString("\n" + unusedHead + "\n" + strings.Join(kept, "\n") + "\n")
	}
}

// lines are a file by English, or by English and key.
type lines struct {
	text   map[string]string
	order  []string
	unused []string
}

func readLines(file string) lines {
	l := lines{text: map[string]string{}}
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#- ") {
			l.unused = append(l.unused, line)
		}
		if line == "" || line[0] == '#' {
			continue
		}
		english, rest, _ := strings.Cut(line, "\t")
		text, key, _ := strings.Cut(rest, "\t")
		if key != "" {
			english += "\t" + key
		}
		l.text[english] = text
		l.order = append(l.order, english)
	}
	return l
}

// head is how a file begins.
func head(tag language.Tag, given lines) []string {
	name, count := given.text["@name"], given.text["@plural"]
	if name == "" {
		name = display.Self.Name(tag)
	}
	if count == "" {
		count = counting(tag)
	}
	delete(given.text, "@name")
	delete(given.text, "@plural")
	return []string{
		"# Warledger in " + display.English.Tags().Name(tag) + ": the English, a tab, the translation. " +
			"docs/howto/languages.md says more.",
		"@name\t" + name, "@plural\t" + count,
	}
}
