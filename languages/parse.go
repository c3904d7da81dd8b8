package languages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Fault is something wrong with a line of a file.
type Fault struct {
	// Line from 1; 0 for the file as a whole.
	Line int
	// What is wrong.
	What string
}

// Parse reads a language from its file. It leaves out the lines that it reports.
func Parse(tag, tsv string) (*Language, []Fault) {
	l := &Language{Tag: tag, Name: tag, words: map[string]string{}}
	sum := sha256.Sum256([]byte(tsv))
	l.Digest = hex.EncodeToString(sum[:])
	var faults []Fault
	fault := func(line int, format string, args ...any) {
		faults = append(faults, Fault{line, fmt.Sprintf(format, args...)})
	}
	lines := strings.Split(tsv, "\n")
	for n, line := range lines { // how it counts comes first, since the other lines need it
		if text, ok := strings.CutPrefix(line, "@plural\t"); ok {
			var err error
			if l.plural, err = parsePlural(text); err != nil {
				fault(n+1, "@plural: %v", err)
			}
		}
	}
	if l.plural.pick == nil {
		fault(0, "there is no line \"@plural\", or it is wrong")
		l.plural.forms = 1
	}
	for n, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "@plural\t") {
			continue
		}
		if name, ok := strings.CutPrefix(line, "@name\t"); ok {
			l.Name = name
		} else if what := l.add(line); what != "" {
			fault(n+1, "%s", what)
		}
	}
	if l.Name == tag {
		fault(0, "there is no line \"@name\"")
	}
	return l, faults
}

// add takes a line with words, and says what is wrong with it.
func (l *Language) add(line string) (wrong string) {
	cols := strings.Split(line, "\t")
	if len(cols) > 3 {
		return fmt.Sprintf("%d columns, expected the English, the translation, and at most a key", len(cols))
	}
	if len(cols) == 1 || cols[1] == "" {
		return "" // not translated yet
	}
	english, text := unescape(cols[0]), unescape(cols[1])
	at := english
	if len(cols) == 3 && cols[2] != "" {
		at += "\t" + cols[2]
	}
	if _, twice := l.words[at]; twice {
		return fmt.Sprintf("%.60q is given twice", english)
	}
	if wrong = l.misfit(english, text); wrong != "" {
		return fmt.Sprintf("%.60q: %s", english, wrong)
	}
	l.words[at] = text
	l.Words++
	return ""
}

var (
	escapes   = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	unescapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`)
)

func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escapes.Replace(text)
}

// Escape writes a text as the files do.
func Escape(text string) string { return unescapes.Replace(text) }
