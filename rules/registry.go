package rules

import (
	"fmt"
	"sort"
	"strings"
)

// Registry is the set of rulesets that a program offers. The zero value is empty and ready.
type Registry struct{ byName map[string]Ruleset }

// NewRegistry makes a registry of rulesets. Faults of a ruleset are found here, at start-up, not in play: it reports a
// name given twice and, all at once, whatever a ruleset leaves out or contradicts of its own description, and shipped
// scenarios that do not load.
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

// Find returns the ruleset of a name.
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
