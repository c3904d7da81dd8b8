package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// chairs is who holds each seat: players are counted from 1 in the order of their first seats, 0 is a free seat.
type chairs [NumSeats]int

// each yields every table once.
func (t chairs) each(seat, players int, yield func(chairs, int)) {
	if seat == len(t) {
		yield(t, players)
		return
	}
	for who := range players + 2 {
		t[seat] = who
		t.each(seat+1, max(players, who), yield)
	}
}

// players are the seats of each.
func (t chairs) players(n int) []rules.Seats {
	list := make([]rules.Seats, n)
	for seat, who := range t {
		if who > 0 {
			list[who-1] |= rules.SeatsOf(rules.Seat(seat))
		}
	}
	return list
}

// allowed says what the rulebook says about a table at which every power has a player.
func (t chairs) allowed(n int) bool {
	for a := range t {
		for b := range t {
			if t[a] == t[b] && Power(a).Side() != Power(b).Side() && n > 1 { // AA 1.1.2
				return false
			}
		}
	}
	return n == 1 || n == int(NumSeats) || t[Germany] == t[Italy] // AA 1.1.3
}

// Every full table is let pass exactly if the rulebook allows it, and every other table exactly if it can
// still become one that is.
func TestSeating(t *testing.T) { // EX-105
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.1.2", "AA 1.1.3", "AA 1.1.4")
	var full []chairs
	allowed := map[int]int{}
	chairs{}.each(0, 0, func(tb chairs, n int) {
		for _, who := range tb {
			if who == 0 {
				return
			}
		}
		if tb.allowed(n) {
			full = append(full, tb)
			allowed[n]++
		}
	})
	// One person alone; then the ways of parting the Allies (1, 3, 1 into one, two, three players), Germany and Italy
	// together (1 and 1 ways of parting them from Japan), and six people.
	if allowed[1] != 1 || allowed[2] != 1 || allowed[3] != 4 || allowed[4] != 4 || allowed[5] != 1 || allowed[6] != 1 {
		t.Fatalf("allowed tables by players: %v", allowed)
	}
	tables := 0
	chairs{}.each(0, 0, func(tb chairs, n int) {
		tables++
		r := seating(tb.players(n))
		if can := tb.becomes(full); can != (r == nil) {
			t.Errorf("%v can become an allowed table: %v, refused: %v", tb, can, r)
		}
		if r != nil && r.Rule != "AA 1.1.2" && r.Rule != "AA 1.1.3" {
			t.Errorf("%v is refused by %s", tb, r.Rule)
		}
	})
	if tables != 877 {
		t.Errorf("%d tables", tables)
	}
	for _, c := range []struct {
		players chairs
		n       int
		rule    string
	}{
		{chairs{Germany: 1, Italy: 2, SovietUnion: 3, UnitedKingdom: 4, UnitedStates: 4}, 4, "AA 1.1.3"},
		{chairs{Japan: 1, UnitedKingdom: 1, Germany: 2}, 2, "AA 1.1.2"},
	} {
		if r := about.CheckSeating(c.players.players(c.n)); r == nil || r.Rule != c.rule || r.Words == "" {
			t.Errorf("%v: %v, expected %s", c.players, r, c.rule)
		}
	}
	if _, ok := about.SeatByID("china"); ok || China.Seat() != UnitedStates.Seat() {
		t.Error("China has a seat of its own")
	}
}

// becomes reports whether free seats can be filled so that one of these tables comes of it.
func (t chairs) becomes(full []chairs) bool {
next:
	for _, f := range full {
		for a := range t {
			for b := range t {
				if t[a] > 0 && t[b] > 0 && (t[a] == t[b]) != (f[a] == f[b]) {
					continue next
				}
			}
		}
		return true
	}
	return false
}
