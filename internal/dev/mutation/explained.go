package mutation

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// List holds the reasons why some mutants may survive. The zero value holds none.
type List struct{ reasons map[string]string }

// Explained reads a list. Each line has file, change, code of the line and reason of a mutant, separated by tabs.
// Empty lines and lines that begin with # are comments. Line numbers are left out, so that the list stays true when
// lines move. A line of another shape, without a reason, or that is repeated is an error.
func Explained(r io.Reader) (List, error) {
	list := List{reasons: map[string]string{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 4 || strings.TrimSpace(parts[3]) == "" {
			return List{}, fmt.Errorf("line %d: want file, change, code and reason, parted by tabs", n)
		}
		name := strings.Join(parts[:3], "\t")
		if _, twice := list.reasons[name]; twice {
			return List{}, fmt.Errorf("line %d: the mutant is explained twice", n)
		}
		list.reasons[name] = parts[3]
	}
	return list, lines.Err()
}

// Reason returns why the mutant may survive; false if the list does not name it.
func (l List) Reason(m Mutant) (string, bool) {
	why, ok := l.reasons[strings.Join([]string{m.File, m.Says, m.Code}, "\t")]
	return why, ok
}

// Entry is the mutant as a line of the list whose reason is missing.
func (m Mutant) Entry() string { return strings.Join([]string{m.File, m.Says, m.Code, ""}, "\t") }
