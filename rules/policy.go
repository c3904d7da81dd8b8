package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Policy is a way to make one kind of choice within a forecast.
type Policy struct {
	// ID is snake_case.
	ID string
	// Key of its description in the catalogue.
	Key string
	// Values that it may have, the default first.
	Values []PolicyValue
}

// PolicyValue is a value of a policy.
type PolicyValue struct {
	// Value is snake_case.
	Value string
	// Key of its description in the catalogue.
	Key string
}

// Policies are the choices of one forecast: every policy of the ruleset has a value.
type Policies struct{ values []string }

// PolicyFault is an unknown policy or an impossible value.
type PolicyFault struct {
	// ID of the policy that was given.
	ID string
	// Message says what is wrong and what was expected, in English.
	Message string
}

// NewPolicies completes the values given with the defaults. It reports every unknown policy and every
// impossible value, by id.
func NewPolicies(list []Policy, given map[string]string) (Policies, []PolicyFault) {
	p := Policies{values: make([]string, 0, 2*len(list))}
	var faults []PolicyFault
	known := map[string]bool{}
	for _, one := range list {
		known[one.ID] = true
		value, ok := given[one.ID]
		if !ok {
			value = one.Values[0].Value
		} else if _, ok := one.find(value); !ok {
			faults = append(faults,
				PolicyFault{one.ID, fmt.Sprintf("%q is no value of it, expected one of %s", value, one.names())})
		}
		p.values = append(p.values, one.ID, value)
	}
	var unknown []string
	for id := range given { // order-free: sorted below
		if !known[id] {
			unknown = append(unknown, id)
		}
	}
	slices.Sort(unknown)
	for _, id := range unknown {
		faults = append(faults, PolicyFault{id, "there is no such policy"})
	}
	return p, faults
}

func (p *Policy) find(value string) (PolicyValue, bool) {
	for _, v := range p.Values {
		if v.Value == value {
			return v, true
		}
	}
	return PolicyValue{}, false
}

func (p *Policy) names() string {
	var names []string
	for _, v := range p.Values {
		names = append(names, v.Value)
	}
	return strings.Join(names, ", ")
}

// Value is the value of a policy; empty if none has that id.
func (p Policies) Value(id string) string {
	for i := 0; i+1 < len(p.values); i += 2 {
		if p.values[i] == id {
			return p.values[i+1]
		}
	}
	return ""
}

// Key is the key of the description of a policy's value, out of the list that the policies were made from.
func (p Policies) Key(list []Policy, id string) string {
	for i := range list {
		if list[i].ID == id {
			v, _ := list[i].find(p.Value(id))
			return v.Key
		}
	}
	return ""
}
