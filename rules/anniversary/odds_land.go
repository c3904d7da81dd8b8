package anniversary

// runLand walks over the states of a land battle: on land all hits are alike, so the state of a side is the number of hits it has taken, and a round leads from
// lower numbers to higher ones.
func (w *weigher) runLand() {
	na, nd := len(w.att.states), len(w.def.states)
	attack, defence := make([][]float64, na), make([][]float64, nd)
	for i := range na {
		attack[i] = w.dice(&w.att.states[w.att.at([numTargets]int{targetOther: i})].units, true, nil)
	}
	for j := range nd {
		defence[j] = w.dice(&w.def.states[w.def.at([numTargets]int{targetOther: j})].units, false, nil)
	}
	w.chance[0] = 1
	if bombs := w.bombarded(); bombs != nil && na > 1 && nd > 1 {
		w.chance[0] = 0
		w.bombardRound(bombs, attack[0], defence[0], nd)
	}
	var hit, lost []float64
	for i := range na {
		for j := range nd {
			p := w.chance[i*nd+j]
			if p == 0 {
				continue
			}
			still := attack[i][0] * defence[j][0]
			if i == na-1 || j == nd-1 || still == 1 {
				w.ends[[2]int{i, j}] += p
				continue
			}
			hit, lost = clipped(attack[i], nd-j, hit), clipped(defence[j], na-i, lost)
			p /= 1 - still
			w.chance[i*nd+j] = 0
			for k, q := range lost {
				row := w.chance[(i+k)*nd+j:][:len(hit)]
				for l, r := range hit {
					row[l] += p * q * r
				}
			}
			w.chance[i*nd+j] = 0 // the round without a hit, which is counted in the others
		}
	}
}

// clipped is a distribution of hits on something that can take fewer than n.
func clipped(d []float64, n int, out []float64) []float64 {
	out = append(out[:0], d[:min(len(d), n)]...)
	if len(d) > n {
		for _, p := range d[n:] {
			out[n-1] += p
		}
	}
	return out
}

// bombardRound is the first round after a bombardment: its casualties are land units and fire once more (AA 9.3.9).
func (w *weigher) bombardRound(bombs, attack, defence []float64, nd int) {
	land := w.b.Defender.Units[Infantry] + w.b.Defender.Units[Artillery] + w.b.Defender.Units[Tank]
	lost := clipped(defence, len(w.att.states), nil)
	for n, p := range bombs {
		for a, q := range attack {
			j := min(min(n, land)+a, nd-1)
			for k, r := range lost {
				w.chance[k*nd+j] += p * q * r
			}
		}
	}
}
