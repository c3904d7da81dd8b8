package greedy

// doctrine is how a staff fights.
type doctrine struct {
	// good is how good the odds of an attack must be, and scoring the same where a place that scores is to be won. In
	// the last turn those of the latter need only be last.
	good, scoring, last float64
	// held is how many units are kept in reserve.
	held int
	// leave is how good it is to take a unit out of its mode. Where a mode may not be kept, nothing ends the segment
	// before that.
	leave float64
	// enters says that units trust in their supply where they step next to the enemy.
	enters bool
}

// staid is how the greedy bot plays, and firm what beats it more often: it comes on again after it was thrown back,
// since it does not take a hex for surrounded only because the enemy stands next to it, and attacks at better odds.
var (
	staid = doctrine{good: 1.8, scoring: 1.8, last: 0.9, held: 1, leave: -2}
	firm  = doctrine{good: 2.2, scoring: 1.6, last: 0.9, leave: -0.1, enters: true}
)
