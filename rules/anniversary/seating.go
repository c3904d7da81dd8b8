package anniversary

import "github.com/warledger/warledger/rules"

// CheckSeating says why players may not hold the seats so; each element is the seats of one player. Two to six players hold every power once (AA 1.1.2),
// nobody powers of both sides, and with fewer than six the player of Germany also plays Italy (AA 1.1.3). China goes with the seat of the United States
// (AA 1.1.4).
func CheckSeating(players []rules.Seats) *rules.Refusal {
	var held rules.Seats
	for _, seats := range players {
		switch {
		case seats == 0 || seats&^(seatsOf(Axis)|seatsOf(Allies)) != 0 || held&seats != 0:
			return rules.Malformed("every player holds seats that nobody else holds")
		case seats&seatsOf(Axis) != 0 && seats&seatsOf(Allies) != 0:
			return rules.Refuse("AA 1.1.2", "refuse.both-sides")
		}
		held |= seats
	}
	if all := seatsOf(Axis) | seatsOf(Allies); len(players) < 2 || held != all {
		return rules.Refuse("AA 1.1.2", "refuse.unplayed-power", "players", len(players))
	}
	for _, seats := range players {
		if len(players) < int(NumSeats) && seats.Has(Germany.Seat()) != seats.Has(Italy.Seat()) {
			return rules.Refuse("AA 1.1.3", "refuse.italy-apart", "players", len(players))
		}
	}
	return nil
}
