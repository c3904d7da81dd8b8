package rules

import (
	"fmt"
	"sort"
	"strings"
)

// Registry is the set of rulesets that a program offers. The zero value is empty and ready.
type Registry struct{ byName map[string]Ruleset }

// NewRegistry makes a registry of rulesets. Faults of a ruleset are found here, at start-up, not in play: it reports a name given twice, too
// many seats, seats, options and commands without a message, and shipped scenarios that do not load.
func NewRegistry(sets ...Ruleset) (*Registry, error) {
	r := &Registry{byName: make(map[string]Ruleset, len(sets))}
	for _, s := range sets {
		name := s.About().Name
		if _, twice := r.byName[name]; twice {
			return nil, fmt.Errorf("ruleset %q is registered twice", name)
		}
		if faults := inspect(s); len(faults) > 0 {
			return nil, fmt.Errorf("ruleset %q: %s", name, strings.Join(faults, "; "))
		}
		r.byName[name] = s
	}
	return r, nil
}

func inspect(s Ruleset) (faults []string) {
	a := s.About()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if len(a.Seats) == 0 || len(a.Seats) > MaxSeats {
		fault("%d seats, expected 1 to %d", len(a.Seats), MaxSeats)
	}
	for _, seat := range a.Seats {
		if !a.Catalogue.Has(seat.Key) {
			fault("seat %s has no name in the catalogue", seat.ID)
		}
	}
	for _, o := range a.Options {
		if !a.Catalogue.Has(o.Key) {
			fault("option %s has no description in the catalogue", o.ID)
		}
		if len(o.Values) == 0 {
			fault("option %s has no values", o.ID)
		}
	}
	for _, d := range s.ScenarioDocuments() {
		sc, found := s.LoadScenario(d.Data)
		switch {
		case found.Fatal():
			fault("scenario %s: %v", d.ID, found)
		case sc.ScenarioID() != d.ID:
			fault("scenario %s calls itself %s", d.ID, sc.ScenarioID())
		}
	}
	return faults
}

// Find gives the ruleset of a name.
func (r *Registry) Find(name string) (Ruleset, bool) { s, ok := r.byName[name]; return s, ok }

// All lists the rulesets by name.
func (r *Registry) All() []Ruleset {
	all := make([]Ruleset, 0, len(r.byName))
	for _, s := range r.byName { // order-free: sorted below
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].About().Name < all[j].About().Name })
	return all
}
