package scenario

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/kit"
)

func (l *loader) turns() {
	c := &l.sc.Chart
	c.Turns = []TurnInfo{{}}
	if !l.Count("turns", len(l.doc.GetTurns()), 1, MaxTurns) {
		return
	}
	l.Bounds["last"] = len(l.doc.GetTurns())
	for i, t := range l.doc.GetTurns() {
		var info TurnInfo
		l.Fill(fmt.Sprintf("turns[%d]", i), t, &info)
		c.Turns = append(c.Turns, info)
	}
	if len(l.doc.GetTurns()) != 30 {
		l.Warn("turns", "%d turns, the rulebook has 30", len(l.doc.GetTurns()))
	}
	l.arrivals("army56", func(t TurnInfo) int { return t.Army56 })
	l.arrivals("army56_early", func(t TurnInfo) int { return t.Army56Early })
}

// arrivals checks that the numbers of the 56th Army, once they begin, go on to the end (DF 8.2-a, DF 15.3).
func (l *loader) arrivals(field string, of func(TurnInfo) int) {
	before := 0
	for n, t := range l.sc.Chart.Turns[1:] {
		path := fmt.Sprintf("turns[%d].%s", n, field)
		now := of(t)
		if now == 0 && before > 0 {
			l.Fault(path, "0 on turn %d after %d on the turn before: once the rolls begin they go on", n+1, before)
		} else if now < before {
			l.Warn(path, "%d on turn %d is less than %d on the turn before", now, n+1, before)
		}
		before = now
	}
	if before == 0 && len(l.sc.Chart.Turns) > 1 {
		l.Warn("turns", "no %s at the end: the 56th Army never comes", field)
	}
}

func (l *loader) charts() {
	l.kamikaze()
	c := &l.sc.Chart
	l.Fill("command_points", l.doc.GetCommandPoints(), &c.CP)
	l.dropTable()
	l.twoDice()
	l.Fill("markers", l.doc.GetMarkers(), &c.Markers)
	if n := c.Markers.USAir + c.Markers.BPFAir; n != 5 {
		l.Warn("markers", "%d air markers, the rulebook has 5 (DF 14.5)", n)
	}
	if n := c.Markers.USNaval + c.Markers.BPFNaval; n != 5 {
		l.Warn("markers", "%d naval markers, expected 5 (DF 14.6)", n)
	}
	l.scoring()
}

func (l *loader) kamikaze() {
	rows := l.doc.GetKamikaze()
	if !l.Count("kamikaze", len(rows), 1, 10) {
		return
	}
	at := kit.Cover(&l.Loader, "kamikaze", rows, 10)
	made := make([]KamikazeInfo, len(rows))
	for i, r := range rows {
		path := fmt.Sprintf("kamikaze[%d]", i)
		made[i] = KamikazeInfo{Row: i + 1, AirCap: NoCap, NavalCap: NoCap}
		l.Fill(path, r, &made[i])
	}
	for n := 1; n <= 10; n++ {
		if at[n] >= 0 {
			l.sc.Chart.Kamikaze[n] = made[at[n]]
		}
	}
}

func (l *loader) dropTable() {
	rows := l.doc.GetDrop()
	if len(rows) == 0 && l.sc.Airborne11 == NoUnit || !l.Count("drop", len(rows), 1, 10) {
		return
	}
	for n, i := range kit.Cover(&l.Loader, "drop", rows, 10) {
		if n > 0 && i >= 0 {
			l.sc.Chart.Drop[n] = l.Number(fmt.Sprintf("drop[%d].steps", i), rows[i].GetSteps(), 0, 2)
		}
	}
}

// twoDice reads the chart of option 15.5, or fills in the usual one (D-61).
func (l *loader) twoDice() {
	chart, d10 := l.doc.GetD10From_2D6(), &l.sc.Chart.D10
	if len(chart) == 0 {
		for first := 1; first <= 6; first++ {
			for second := 1; second <= 5; second++ {
				d10[first][second] = second + 5*((first-1)/3)
			}
		}
		return
	}
	if !l.Count("d10_from_2d6", len(chart), 36, 36) {
		return
	}
	var times [11]int
	for i, n := range chart {
		d10[1+i/6][1+i%6] = l.Number(fmt.Sprintf("d10_from_2d6[%d]", i), n, 0, 10)
		times[min(n, 10)]++
	}
	for first := 1; first <= 6; first++ {
		if d10[first] == [7]int{} {
			l.Fault("d10_from_2d6", "a first die of %d has no result with any second die", first)
		}
	}
	for n := 1; n <= 10; n++ {
		switch {
		case times[n] == 0:
			l.Fault("d10_from_2d6", "%d is never rolled", n)
		case times[n] != times[1]:
			l.Warn("d10_from_2d6", "%d is rolled by %d pairs, 1 by %d", n, times[n], times[1])
		}
	}
}

func (l *loader) scoring() {
	d := l.doc.GetScoring()
	if d == nil {
		d = &downfallv1.Scoring{}
		l.Fault("scoring", "not given")
	}
	l.Fill("scoring", d, &l.sc.Chart.Scoring)
	if d.GetUsWins() < d.GetDraw() {
		l.Fault("scoring.draw", "%d is more than the %d with which the US wins", d.GetDraw(), d.GetUsWins())
	}
}
