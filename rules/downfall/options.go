package downfall

import "github.com/warledger/warledger/rules"

// OptionSet is the set of options of a game: optional rules of chapter 15 and switches of decisions.
type OptionSet uint32

// The options. Each is off by default (DF 15.1); a switch that is off follows the decision as documented.
const (
	NoAtomicBombs  OptionSet = 1 << iota // DF 15.2
	EarlyArmy56                          // DF 15.3
	Magic36                              // DF 15.4
	D10From2D6                           // DF 15.5
	Airborne11                           // DF 15.6
	SecretBombs                          // DF 15.7
	StrictAwards                         // D-03: awards demand LINE or AIR
	AirBaseControl                       // D-06: air bases by control
	BonusTurn1                           // D-16: the kamikaze bonus counts on turn 1
	RepeatAttacks                        // D-18: a hex may be attacked again
	FightOnEntry                         // D-23: reinforcements may attack on entry
	FallAtRetreat                        // D-25: a beachhead falls at the retreat
	LandingVP                            // D-30: a failed landing costs the points of a beachhead
	EarlyUnshifted                       // D-58: the row of option 15.3 isn't shifted
	ForcedChoices                        // the only answer to a question is given for its seat
)

// optionList describes the options in the order of their bits.
var optionList = []rules.Option{
	rules.Flag("no_atomic_bombs", "DF 15.2"),
	rules.Flag("early_56th_army", "DF 15.3"),
	rules.Flag("magic_36th_army", "DF 15.4"),
	rules.Flag("d10_from_2d6", "DF 15.5"),
	rules.Flag("airborne_11th", "DF 15.6"),
	rules.Flag("secret_bomb_count", "DF 15.7"),
	rules.Flag("strict_awards", "DF 4.2"),
	rules.Flag("air_base_control", "DF 4.4"),
	rules.Flag("bonus_turn_1", "DF 7.2-a"),
	rules.Flag("repeat_attacks", "DF 7.8-a"),
	rules.Flag("fight_on_entry", "DF 8.4-d"),
	rules.Flag("fall_at_retreat", "DF 8.5-f"),
	rules.Flag("landing_failure_vp", "DF 8.7-c"),
	rules.Flag("early_56th_unshifted", "DF 15.3"),
	rules.Flag("forced_choices", ""),
}

// bidShift is where an OptionSet keeps the bid: above its flags.
const bidShift = 16

// bidOption gives the US victory points before the game, so that players may even the sides as they see them. It is in
// no rulebook.
var bidOption = rules.Option{ID: "us_bid", Key: "option.us_bid",
	Values: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"}}

// bid are the victory points with which the US begins, 0 to 8.
func (s OptionSet) bid() int { return int(s >> bidShift) }

// withBid sets the bid of options that have none.
func (s OptionSet) withBid(points int) OptionSet { return s | OptionSet(points)<<bidShift }

// newOptions reads the options of a game.
func newOptions(o rules.Options) OptionSet {
	s := OptionSet(0).withBid(o.Int(bidOption.ID))
	for i, opt := range optionList {
		if o.On(opt.ID) {
			s |= 1 << i
		}
	}
	return s
}

// on reports whether an option holds.
func (p *Position) on(o OptionSet) bool { return p.opt&o != 0 }

// d10 throws a ten-sided die, 1 to 10 (DF 2.2), or by option 15.5 an ordered pair of six-sided ones that the chart
// turns into one. A pair that the chart gives no result has its second die rolled again (DF 15.5, D-61).
func (p *Position) d10(x *exec, reason string) int {
	if !p.on(D10From2D6) {
		return x.Roll(10, reason)
	}
	first := x.Roll(6, reason)
	for {
		if n := p.sc.Chart.D10[first][x.Roll(6, reason)]; n != 0 {
			return n
		}
	}
}

// army56Needed is the largest d10 on which the 56th Army becomes available this turn; 0: no roll (DF 8.2-a, D-21). With
// option 15.3 the row begins with turn 1 (D-58), or by the switch keeps its turns and has its first number before them.
func (p *Position) army56Needed() int {
	row := &p.sc.Chart.Turns[p.turn]
	switch {
	case !p.on(EarlyArmy56):
		return row.Army56
	case p.on(EarlyUnshifted):
		return max(row.Army56, 1)
	}
	return row.Army56Early
}

// magicUnits is how many 36th Army units a d6 moves: half, rounded up (DF 15.4).
func magicUnits(die int) int { return (die + 1) / 2 }

// bombCount is the number of bombs of a game with option 15.7: the die and three (DF 15.7).
func bombCount(die int) int { return die + 3 }
