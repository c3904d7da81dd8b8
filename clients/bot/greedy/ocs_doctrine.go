package greedy

// doctrine is how a staff fights.
type doctrine struct {
	// good is the least odds for an attack, and scoring the least odds where the attack can win a place that scores. In
	// the last turn the latter is last.
	good, scoring, last float64
	// held is the number of units kept in reserve.
	held int
	// leave is the value of taking a unit out of its mode. Where a unit may not stay in its mode, the segment cannot
	// end before the unit has left it.
	leave float64
	// enters is true if units count as supplied in hexes next to the enemy that supply can reach.
	enters bool
}

// staid is how the greedy bot plays; firm beats it more often. Firm attacks again after a failed attack, because it
// does not treat a hex as surrounded just because an enemy is next to it. It also attacks only at better odds.
var (
	staid = doctrine{good: 1.8, scoring: 1.8, last: 0.9, held: 1, leave: -2}
	firm  = doctrine{good: 2.2, scoring: 1.6, last: 0.9, leave: -0.1, enters: true}
)
