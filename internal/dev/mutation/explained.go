package mutation

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// List holds the reasons why some mutants may survive. The zero value holds none.
type List struct{ reasons map[string]string }

// Explained reads a list. Each line has file, function, change, code of the line and reason of a mutant, separated by
// tabs. Where a function has several alike, "#2" after its name means the second. Empty lines and lines that begin with
// # are comments. Line numbers are left out, so that the list stays true when lines move. A line of another shape,
// without a reason, or that is repeated is an error.
func Explained(r io.Reader) (List, error) {
	list := List{reasons: map[string]string{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 5 || strings.TrimSpace(parts[4]) == "" {
			return List{}, fmt.Errorf("line %d: want file, function, change, code and reason, separated by tabs", n)
		}
		name := strings.Join(parts[:4], "\t")
		if _, twice := list.reasons[name]; twice {
			return List{}, fmt.Errorf("line %d: the mutant is explained twice", n)
		}
		list.reasons[name] = parts[4]
	}
	return list, lines.Err()
}

// Reason returns why the mutant may survive; false if the list does not name it.
func (l List) Reason(m Mutant) (string, bool) {
	why, ok := l.reasons[m.name()]
	return why, ok
}

// Entry is the mutant as a line of the list whose reason is missing.
func (m Mutant) Entry() string { return m.name() + "\t" }

func (m Mutant) name() string {
	in := m.In
	if m.Nth > 1 {
		in = fmt.Sprintf("%s#%d", in, m.Nth)
	}
	return strings.Join([]string{m.File, in, m.Says, m.Code}, "\t")
}
