package greedy

import (
	"regexp"
	"testing"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/anniversary"
)

// owned is a field in which each power holds its capital and nothing else is held.
func owned(t *testing.T, w *theatre, seat string) *field {
	t.Helper()
	f := newField(w, Position{Seat: seat, Board: &boardv1.Board{}})
	copy(f.owner, w.capital)
	return f
}

func TestWhoFightsOverseas(t *testing.T) {
	t.Parallel()
	w := world(t)
	for seat, want := range map[string]bool{
		"germany": false, "italy": false, "soviet-union": false, "japan": true, "united-kingdom": true,
		"united-states": true,
	} {
		f := owned(t, w, seat)
		if got := f.overseas(); got != want {
			t.Errorf("%s: %v", seat, got)
		}
		f.owner[f.home(f.seat)] = anniversary.NoPower
		if f.overseas() {
			t.Errorf("%s fights overseas without a capital", seat)
		}
	}
}

func TestAFleetIsInPerilWhereItCanBeStruck(t *testing.T) {
	t.Parallel()
	w := world(t)
	at := func(id string) int { return w.index[id] }
	g := newGeneral(ferrying)(1).(*general)
	transports := stack{anniversary.Transport: 2}
	escorted := stack{anniversary.Transport: 2, anniversary.Destroyer: 3}
	for name, c := range map[string]struct {
		from   string
		enemy  stack
		fleet  stack
		lo, hi float64
	}{
		"nobody is near":               {"germany", stack{}, transports, 0, 0},
		"tanks do not swim":            {"germany", stack{anniversary.Tank: 5}, transports, 0, 0},
		"fighters sink transports":     {"norway", stack{anniversary.Fighter: 2}, transports, 14, 14},
		"and come back":                {"italy", stack{anniversary.Fighter: 2}, transports, 0, 0},
		"bombers fly farther":          {"italy", stack{anniversary.Bomber: 2}, transports, 14, 14},
		"submarines come by sea":       {"sz-5", stack{anniversary.Submarine: 1}, transports, 14, 14},
		"transports do not attack":     {"sz-5", stack{anniversary.Transport: 4}, transports, 0, 0},
		"escorts make it dear":         {"norway", stack{anniversary.Fighter: 2}, escorted, 0, 1},
		"but not against many":         {"norway", stack{anniversary.Fighter: 9}, escorted, 14, 38},
		"a zone without ships is safe": {"norway", stack{anniversary.Fighter: 2}, stack{}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := owned(t, w, "united-kingdom")
			f.owner[at("norway")] = anniversary.Germany
			f.by[anniversary.Germany][at(c.from)] = c.enemy
			g := &general{temper: g.temper, odds: newWeigher()}
			if p := g.peril(f, at("sz-3"), c.fleet); p < c.lo || p > c.hi {
				t.Errorf("%.1f, expected %.1f to %.1f", p, c.lo, c.hi)
			}
		})
	}
}

// A shopper has room for six units at the capital of the United Kingdom, and the enemy has some in Norway.
func TestAnExpeditionBuysWhatItCanGuardAndFill(t *testing.T) {
	t.Parallel()
	w := world(t)
	sc := standard()
	for name, c := range map[string]struct {
		home, enemy stack
		money       int
		want        stack
	}{
		"a transport for those who wait": {
			home: stack{anniversary.Infantry: 12}, money: 27,
			want: stack{anniversary.Transport: 1, anniversary.Bomber: 1},
		},
		"no more than can be guarded": {
			home: stack{anniversary.Infantry: 12}, enemy: stack{anniversary.Bomber: 12}, money: 24,
			want: stack{anniversary.Bomber: 2},
		},
		"escorts for them": {
			home: stack{anniversary.Infantry: 12}, enemy: stack{anniversary.Bomber: 1}, money: 30,
			want: stack{anniversary.Transport: 1, anniversary.Destroyer: 2},
		},
		"men where nobody waits": {
			money: 24, want: stack{anniversary.Transport: 1, anniversary.Infantry: 2, anniversary.Tank: 2},
		},
		"men alone where they would fill none": {
			money: 14, want: stack{anniversary.Infantry: 3, anniversary.Tank: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := owned(t, w, "united-kingdom")
			home := f.home(f.seat)
			f.owner[w.index["norway"]] = anniversary.Germany
			f.by[anniversary.Germany][w.index["norway"]] = c.enemy
			f.by[anniversary.UnitedKingdom][home] = c.home
			f.held[home], f.capacity[home] = true, 8
			s := &shopper{field: f, g: newGeneral(ferrying)(1).(*general), left: c.money, room: 6}
			for u := range s.price {
				s.price[u] = sc.Units[u].Cost
			}
			s.expedition()
			if s.cart != c.want {
				t.Errorf("bought %v, expected %v", s.cart, c.want)
			}
		})
	}
}

// A transport keeps out of a zone where it would be struck, unless escorts can join it there.
func TestATransportShunsPeril(t *testing.T) {
	t.Parallel()
	w := world(t)
	at := func(id string) int { return w.index[id] }
	detour := func(escorts int) float64 {
		f := owned(t, w, "united-kingdom")
		f.owner[at("norway")] = anniversary.Germany
		f.by[anniversary.Germany][at("norway")] = stack{anniversary.Fighter: 2}
		f.by[anniversary.UnitedKingdom][at("sz-2")] = stack{anniversary.Destroyer: escorts}
		r := &regrouping{field: f, g: newGeneral(ferrying)(1).(*general)}
		return r.detour(at("sz-3"), at("sz-2"))
	}
	if alone, guarded := detour(0), detour(4); alone != 7/perStep || guarded != 0 {
		t.Errorf("%.2f steps alone, %.2f with escorts", alone, guarded)
	}
}

// landed finds land units that come in.
var landed = regexp.MustCompile(`^place 1 (infantry|artillery|tank) (eastern|western)-united-states`)

// The armies of a ferrying United States gather at its capital; a greedy one spreads them over both coasts.
func TestAFerryingPowerGathersAtItsCapital(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		temper temper
		spread bool
	}{"sober": {sober, true}, "ferrying": {ferrying, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			east, west := 0, 0
			played(t, c.temper, 2, func(seat, command string) {
				if m := landed.FindStringSubmatch(command); seat == "united-states" && m != nil {
					if m[2] == "eastern" {
						east++
					} else {
						west++
					}
				}
			})
			if east == 0 || c.spread != (west > 0) {
				t.Errorf("%d came in on the east coast, %d on the west", east, west)
			}
		})
	}
}
