package rules

// Calculator is what a referee can do beside its contract: weigh any battle, with forces that somebody enters.
type Calculator[P any] interface {
	// Battle fills in from a position what was not entered, and weighs the battle. The position is what a viewer knows;
	// it must not be changed. Faults name the fields of the entry by the names of the contract. The work is bounded,
	// whatever is entered.
	Battle(p P, e BattleEntry, s Study) (*Battle, Faults)
}

// BattleEntry is a battle as somebody enters it.
type BattleEntry struct {
	// Space is the id of where it is.
	Space string
	// Kind of battle; empty for the one that the position suggests.
	Kind string
	// Attacker and Defender.
	Attacker, Defender BattleForce
}

// BattleForce is a side of a battle, as somebody enters it.
type BattleForce struct {
	// Party is who it is; empty for whom the position suggests.
	Party string
	// Entered is true if Numbers and Traits are all that the side has. Otherwise the position decides.
	Entered bool
	// Numbers of things by id, each id once.
	Numbers []Count
	// Traits that hold.
	Traits []string
	// Losses are ids of numbers in the order in which they are lost; the policies decide about the rest.
	Losses []string
}

// Battle is a battle filled in, with its odds.
type Battle struct {
	// Space and Kind of it, with the kinds that there can be.
	Space, Kind string
	Kinds       []BattleChoice
	// Attacker and Defender as they were weighed.
	Attacker, Defender BattleSide
	// Forecast of it.
	Forecast Forecast
	// Assumes is true if what was put in the place of what is hidden can matter.
	Assumes bool
}

// BattleChoice is one of several things that can be chosen.
type BattleChoice struct {
	ID    string
	Title Text
}

// BattleSide is a side of a battle.
type BattleSide struct {
	// Party is who it is, and Parties are who it could be.
	Party   string
	Parties []BattleChoice
	// Numbers that it has; what can be lost comes first, in the order in which it is lost.
	Numbers []BattleNumber
	// Traits that can hold for it.
	Traits []BattleTrait
}

// BattleNumber is how many of something a side has.
type BattleNumber struct {
	ID    string
	Title Text
	// Value that was weighed; There are in the space or ordered to go there, Reach could come besides.
	Value, There, Reach int
	// Most that may be entered.
	Most int
	// Lost is true if it can be lost.
	Lost bool
}

// BattleTrait is something that holds for a side or does not.
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
