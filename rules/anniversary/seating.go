package anniversary

import "github.com/warledger/warledger/rules"

// seating says why players may not hold the seats so; each element is the seats of one player. Players are of one side
// (AA 1.1.2), and Italy has a player of its own only if every power has (AA 1.1.3). China has no seat: whoever holds
// that of the United States plays it (AA 1.1.4). Somebody who is alone at the table may play all the parts: nobody
// plays against anybody then.
func seating(players []rules.Seats) *rules.Refusal {
	if len(players) < 2 {
		return nil
	}
	var apart, several bool
	for _, seats := range players {
		if seats&seatsOf(Axis) != 0 && seats&seatsOf(Allies) != 0 {
			return rules.Refuse("AA 1.1.2", "refuse.both-sides")
		}
		germany, italy := seats.Has(Germany.Seat()), seats.Has(Italy.Seat())
		several = several || seats.Len() > 1
		apart = apart || germany != italy && heldByOther(players, seats, Germany, Italy)
	}
	if apart && several {
		return rules.Refuse("AA 1.1.3", "refuse.italy-apart")
	}
	return nil
}

// heldByOther reports whether one of two powers is played by somebody else than whoever holds these seats.
func heldByOther(players []rules.Seats, seats rules.Seats, a, b Power) bool {
	for _, other := range players {
		if other != seats && (other.Has(a.Seat()) || other.Has(b.Seat())) {
			return true
		}
	}
	return false
}
