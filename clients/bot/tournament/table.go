package tournament

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
)

// Table is the result of a tournament.
type Table struct {
	Ruleset  string `json:"ruleset"`
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"`
	Games    int    `json:"games"`
	CutOff   int    `json:"cut_off"`
	// Sides are the two sides of the ruleset, by all games.
	Sides [2]Side `json:"sides"`
	// Advantage is that of the first side in Elo, where bots differ.
	Advantage Elo `json:"first_side_advantage"`
	// Ratings are those of the bots, the best first.
	Ratings []Rating `json:"ratings"`
	// Pairings are the results of each bot on the first side against each on the second.
	Pairings []Pairing `json:"pairings"`
}

// Count counts results, with the interval of 95 % (Wilson) in which the share of wins lies.
type Count struct {
	Games int     `json:"games"`
	Won   int     `json:"won"`
	Drawn int     `json:"drawn"`
	Lost  int     `json:"lost"`
	Share float64 `json:"share_won"`
	Low   float64 `json:"share_low"`
	High  float64 `json:"share_high"`
}

// Side is how a side did.
type Side struct {
	// Seats are the seats of the side.
	Seats []string `json:"seats"`
	Count
}

// Elo is a number of points, and the half width of the interval of 95 %.
type Elo struct {
	Elo   float64 `json:"elo"`
	Error float64 `json:"error"`
}

// Rating is that of one bot.
type Rating struct {
	Bot string `json:"bot"`
	Elo
	Count
}

// Pairing is how one bot on the first side did against another on the second.
type Pairing struct {
	First  string `json:"first"`
	Second string `json:"second"`
	CutOff int    `json:"cut_off"`
	Count
}

// add counts a score.
func (c *Count) add(score float64) {
	c.Games++
	switch score {
	case 1:
		c.Won++
	case 0:
		c.Lost++
	default:
		c.Drawn++
	}
}

// close works out the interval.
func (c *Count) close() {
	c.Share, c.Low, c.High = wilson(c.Won, c.Games)
}

// z is how many standard deviations an interval of 95 % reaches.
const z = 1.959964

// wilson is a share, with the interval of 95 % by Wilson's score.
func wilson(won, games int) (share, low, high float64) {
	if games == 0 {
		return 0, 0, 1
	}
	n := float64(games)
	share = float64(won) / n
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return share, max(0, middle-half), min(1, middle+half)
}

// table sums up.
func (t *Tournament) table(pairs []fixture, results []result, first, second rules.Seats) *Table {
	about := t.Ruleset.About()
	out := &Table{Ruleset: about.Name, Scenario: t.Scenario.ScenarioID(), Seed: t.Seed, Games: len(results)}
	for i, seats := range [...]rules.Seats{first, second} {
		for seat := range seats.Each {
			out.Sides[i].Seats = append(out.Sides[i].Seats, about.SeatID(seat))
		}
	}
	ratings := make([]Rating, len(t.Entries))
	var games []game
	for i, f := range pairs {
		p := Pairing{First: t.Entries[f.first].Name, Second: t.Entries[f.second].Name}
		for _, r := range results[i*t.Games : (i+1)*t.Games] {
			p.add(r.score)
			out.Sides[0].add(r.score)
			out.Sides[1].add(1 - r.score)
			if r.cutOff {
				p.CutOff++
				out.CutOff++
			}
			games = append(games, game{f.first, f.second, r.score})
			if f.first != f.second {
				ratings[f.first].add(r.score)
				ratings[f.second].add(1 - r.score)
			}
		}
		p.close()
		out.Pairings = append(out.Pairings, p)
	}
	points, advantage := rate(len(t.Entries), games)
	for i := range ratings {
		ratings[i].Bot, ratings[i].Elo = t.Entries[i].Name, points[i]
		ratings[i].close()
	}
	out.Sides[0].close()
	out.Sides[1].close()
	slices.SortStableFunc(ratings, func(a, b Rating) int { return cmp.Compare(b.Elo.Elo, a.Elo.Elo) })
	out.Ratings, out.Advantage = ratings, advantage
	return out
}

// counted are the columns of a count.
var counted = []string{"games", "won", "drawn", "lost", "share_won", "share_low", "share_high"}

func (c *Count) row() []string {
	return []string{strconv.Itoa(c.Games), strconv.Itoa(c.Won), strconv.Itoa(c.Drawn), strconv.Itoa(c.Lost),
		fixed(c.Share, 4), fixed(c.Low, 4), fixed(c.High, 4)}
}

func fixed(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

// WriteRatings writes the ratings as CSV.
func (t *Table) WriteRatings(w io.Writer) error {
	rows := [][]string{append([]string{"bot", "elo", "error"}, counted...)}
	for _, r := range t.Ratings {
		rows = append(rows, append([]string{r.Bot, fixed(r.Elo.Elo, 1), fixed(r.Error, 1)}, r.row()...))
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// WritePairings writes the pairings as CSV.
func (t *Table) WritePairings(w io.Writer) error {
	rows := [][]string{append([]string{"first", "second", "cut_off"}, counted...)}
	for _, p := range t.Pairings {
		rows = append(rows, append([]string{p.First, p.Second, strconv.Itoa(p.CutOff)}, p.row()...))
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// WriteSides writes the results by side as CSV.
func (t *Table) WriteSides(w io.Writer) error {
	rows := [][]string{append([]string{"side"}, counted...)}
	for _, s := range t.Sides {
		rows = append(rows, append([]string{strings.Join(s.Seats, " ")}, s.row()...))
	}
	return csv.NewWriter(w).WriteAll(rows)
}
