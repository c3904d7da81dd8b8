package rules

// Calculator is an optional interface of referees that can compute the odds of any battle, with any forces.
type Calculator[P any] interface {
	// Battle fills in missing fields from the position and computes the odds. The position is what a viewer knows and
	// must not be changed. Faults name fields as the API does. The work is bounded, whatever is entered.
	Battle(p P, e BattleEntry, s Study) (*Battle, Faults)
}

// BattleEntry is a battle as a caller enters it.
type BattleEntry struct {
	// Space is the id of the space where the battle takes place.
	Space string
	// Kind of battle; empty for the one that the position suggests.
	Kind string
	// Attacker and Defender.
	Attacker, Defender BattleForce
}

// BattleForce is a side of a battle as a caller enters it.
type BattleForce struct {
	// Party is the id of the side's party; empty for the one that the position suggests.
	Party string
	// Entered is true if Numbers and Traits are all that the side has. Otherwise the position decides.
	Entered bool
	// Numbers by id, each id once.
	Numbers []Count
	// Traits are the ids of the traits that the side has.
	Traits []string
	// Losses is the order of losses, by the ids of numbers; the policies order the rest.
	Losses []string
}

// Battle is a battle with all fields filled in, and its odds.
type Battle struct {
	// Space and Kind are its ids; Kinds are all kinds that are possible there.
	Space, Kind string
	Kinds       []BattleChoice
	// Attacker and Defender are the sides that the odds are for.
	Attacker, Defender BattleSide
	// Forecast holds the odds.
	Forecast Forecast
	// Assumes is true if the defaults that replace hidden information can affect the odds.
	Assumes bool
}

// BattleChoice is one of several things that can be chosen.
type BattleChoice struct {
	ID    string
	Title Text
}

// BattleSide is a side of a battle.
type BattleSide struct {
	// Party is the id of the side's party; Parties are those that can be chosen.
	Party   string
	Parties []BattleChoice
	// Numbers are what the side has; those that can be lost come first, in the order of losses.
	Numbers []BattleNumber
	// Traits are those that the side can have.
	Traits []BattleTrait
}

// BattleNumber is how many of something a side has.
type BattleNumber struct {
	ID    string
	Title Text
	// Value is the number that the odds are for. There is how many are in the space or ordered to go there, and Reach
	// how many more could come.
	Value, There, Reach int
	// Most is the largest number that may be entered.
	Most int
	// Lost is true if it can be lost.
	Lost bool
}

// BattleTrait is something that a side has or does not have, such as a technology.
type BattleTrait struct {
	ID    string
	Title Text
	On    bool
}

func (r *ruleset[P, C, E]) CalculatesBattles() bool {
	_, ok := r.ref.(Calculator[P])
	return ok
}

func (g *game[P, C, E]) Battle(v Viewer, e BattleEntry, s Study) (*Battle, Faults) {
	ref, ok := g.set.ref.(Calculator[P])
	if !ok {
		return nil, nil
	}
	pos, assumed := known(g.set.ref, g.pos, v)
	s = s.withDefaults()
	if len(s.Policies.values) == 0 {
		s.Policies, _ = NewPolicies(g.set.Policies(), nil)
	}
	b, faults := ref.Battle(pos, e, s)
	if faults != nil {
		return nil, faults
	}
	if b.Assumes {
		b.Forecast.Assumptions = append(b.Forecast.Assumptions, assumed...)
	}
	b.Forecast.Shorten()
	return b, nil
}
