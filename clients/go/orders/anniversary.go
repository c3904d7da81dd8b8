package orders

import (
	"fmt"
	"strconv"
	"strings"
)

// Anniversary are all standing orders of a power, in place of those that it had. Without any field everything is asked.
type Anniversary struct {
	// Losses are the types of units that are lost first, by id such as "infantry"; then the cheapest.
	Losses []string
	// Retreat breaks off below so many percent of the enemy's strength, 1 to 255; 0 asks.
	Retreat int
	// Submarines is what submarines do; empty asks.
	Submarines Submarines
	// Bombard with all that may.
	Bombard bool
	// Divert fighters to the nearest refuge.
	Divert bool
	// Agree to the lists of casualties of allies.
	Agree bool
	// Carriers and Transports are whether allies may land on or board those of the power; empty is always.
	Carriers, Transports Consent
	// Ask even where there is one answer only (option forced_choices).
	Ask bool
}

// Submarines is what submarines do by order.
type Submarines string

// What submarines may do.
const (
	SubmarinesStrike   Submarines = "strike"
	SubmarinesSubmerge Submarines = "submerge"
)

// Consent is whether allies may use the ships of a power.
type Consent string

// The consents.
const (
	ConsentAlways Consent = "always"
	ConsentNever  Consent = "never"
	ConsentAsk    Consent = "ask"
)

// Notation is the orders as a command. The error says what they lack.
func (o Anniversary) Notation() (string, error) {
	words := []string{"orders"}
	add := func(holds bool, more ...string) {
		if holds {
			words = append(words, more...)
		}
	}
	switch {
	case o.Retreat < 0 || o.Retreat > 255:
		return "", fmt.Errorf("a retreat below %d percent, expected 0 to 255", o.Retreat)
	case o.Submarines != "" && o.Submarines != SubmarinesStrike && o.Submarines != SubmarinesSubmerge:
		return "", fmt.Errorf("submarines can't %q", string(o.Submarines))
	}
	for _, c := range []Consent{o.Carriers, o.Transports} {
		if c != "" && c != ConsentAlways && c != ConsentNever && c != ConsentAsk {
			return "", fmt.Errorf("%q is no consent", string(c))
		}
	}
	if err := ids(o.Losses); err != nil {
		return "", err
	}
	given := func(c Consent) bool { return c != "" && c != ConsentAlways }
	add(len(o.Losses) > 0, "losses", strings.Join(o.Losses, ","))
	add(o.Retreat > 0, "retreat", strconv.Itoa(o.Retreat))
	add(o.Submarines != "", "submarines", string(o.Submarines))
	add(o.Bombard, "bombard")
	add(o.Divert, "divert")
	add(o.Agree, "agree")
	add(given(o.Carriers), "carriers", string(o.Carriers))
	add(given(o.Transports), "transports", string(o.Transports))
	add(o.Ask, "ask")
	add(len(words) == 1, "-")
	return written(words)
}
