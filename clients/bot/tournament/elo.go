package tournament

import "math"

// game is a result for ratings.
type game struct {
	first, second int
	score         float64
}

const (
	// scale turns natural logarithms of odds into Elo points.
	scale = 400 / math.Ln10
	// doubt is the standard deviation of ratings that is assumed before any game, in Elo points. It keeps the rating
	// of a bot that has won all its games finite.
	doubt = 600.0
	// rounds of Newton's method are plenty: it doubles the digits in each.
	rounds = 50
)

// rate finds the ratings under which the results are likeliest, around 0, and the advantage of the first side, with the
// half widths of their intervals of 95 %. A draw counts as half a win.
func rate(bots int, games []game) (points []Elo, advantage Elo) {
	n := bots + 1 // the last is the advantage
	x := make([]float64, n)
	var inverse [][]float64
	for range rounds {
		slope := make([]float64, n)
		bend := make([][]float64, n)
		for i := range bend {
			bend[i] = make([]float64, n)
			bend[i][i] = scale * scale / (doubt * doubt)
			slope[i] = -x[i] * bend[i][i]
		}
		for _, g := range games {
			// What the result hangs on: by one bot positively, by the other negatively, by the side positively.
			at, sign := [...]int{g.first, g.second, bots}, [...]float64{1, -1, 1}
			chance := 1 / (1 + math.Exp(-(x[g.first] - x[g.second] + x[bots])))
			for i, a := range at {
				slope[a] += sign[i] * (g.score - chance)
				for j, b := range at {
					bend[a][b] += sign[i] * sign[j] * chance * (1 - chance)
				}
			}
		}
		inverse = invert(bend)
		for i := range x {
			for j := range slope {
				x[i] += inverse[i][j] * slope[j]
			}
		}
	}
	mean := 0.0
	for _, v := range x[:bots] {
		mean += v / float64(bots)
	}
	for i, v := range x[:bots] {
		points = append(points, Elo{scale * (v - mean), scale * z * math.Sqrt(apart(inverse, i, bots))})
	}
	return points, Elo{scale * x[bots], scale * z * math.Sqrt(inverse[bots][bots])}
}

// apart is the variance of how far a bot is from the mean of all. What moves all of them alike is no error.
func apart(covariance [][]float64, i, bots int) float64 {
	variance, n := covariance[i][i], float64(bots)
	for j := range bots {
		variance -= 2 * covariance[i][j] / n
		for k := range bots {
			variance += covariance[j][k] / (n * n)
		}
	}
	return max(0, variance)
}

// invert inverts a positive definite matrix, by elimination.
func invert(m [][]float64) [][]float64 {
	n := len(m)
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		out[i][i] = 1
	}
	for i := range n {
		pivot := m[i][i]
		for k := range n {
			m[i][k] /= pivot
			out[i][k] /= pivot
		}
		for r := range n {
			if r == i {
				continue
			}
			factor := m[r][i]
			for k := range n {
				m[r][k] -= factor * m[i][k]
				out[r][k] -= factor * out[i][k]
			}
		}
	}
	return out
}
