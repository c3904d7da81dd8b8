package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Scenario is data that a ruleset can be set up from. Each ruleset has its own type; it never changes after loading,
// so positions share it.
type Scenario interface {
	// ScenarioID is the id in the document: lower-case, digits, dashes.
	ScenarioID() string
	// ScenarioTitle is its name in a language.
	ScenarioTitle(Lang) string
	// ScenarioAbout describes it in a paragraph, in a language.
	ScenarioAbout(Lang) string
}

// Timed is a scenario that ends after a known number of turns at the latest.
type Timed interface {
	// ScenarioTurns is that number.
	ScenarioTurns() int
}

// Fault is one thing wrong with a scenario document.
type Fault struct {
	// Path to the field, as in "units[3].hex".
	Path string
	// What is wrong and what was expected, in English.
	What string
	// Warning is true for what a game can be played with all the same.
	Warning bool
	// Tolerated is true for what nobody looked for once: stored games go on with it, and a document that comes
	// now is refused for it.
	Tolerated bool
}

// Faults is everything wrong with a document.
type Faults []Fault

// Add appends a fault.
func (f *Faults) Add(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, What: fmt.Sprintf(format, args...)})
}

// Warn appends a warning.
func (f *Faults) Warn(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, What: fmt.Sprintf(format, args...), Warning: true})
}

// Tolerate appends a fault that stored games may have.
func (f *Faults) Tolerate(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, What: fmt.Sprintf(format, args...), Tolerated: true})
}

// Fatal reports whether there is no scenario: any fault is more than a warning, and not one that stored games may have.
func (f Faults) Fatal() bool {
	return slices.ContainsFunc(f, func(x Fault) bool { return !x.Warning && !x.Tolerated })
}

// Refused reports whether a document that comes now is not taken: any fault is more than a warning.
func (f Faults) Refused() bool {
	return slices.ContainsFunc(f, func(x Fault) bool { return !x.Warning })
}

// Error lists all faults that are no warnings.
func (f Faults) Error() string {
	var b strings.Builder
	for _, x := range f {
		if x.Warning {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(x.Path + ": " + x.What)
	}
	return b.String()
}
