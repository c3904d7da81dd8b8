package downfall

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

func (l *loader) turns() {
	c := &l.sc.Chart
	c.Turns = []TurnInfo{{}}
	if !l.count("turns", len(l.doc.GetTurns()), 1, maxTurns) {
		return
	}
	for i, t := range l.doc.GetTurns() {
		path := fmt.Sprintf("turns[%d]", i)
		l.words(path+".label", t.GetLabel(), maxName)
		c.Turns = append(c.Turns, TurnInfo{
			Label: t.GetLabel(), Kamikaze: l.modifier(path+".kamikaze", t.GetKamikaze(), 9),
			Army56: l.number(path+".army56", t.GetArmy56(), 0, 10), Army56Early: l.number(path+".army56_early", t.GetArmy56Early(), 0, 10),
		})
	}
	if len(l.doc.GetTurns()) != 30 {
		l.warn("turns", "%d turns, the rulebook has 30", len(l.doc.GetTurns()))
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
			l.fault(path, "0 on turn %d after %d on the turn before: once the rolls begin they go on", n+1, before)
		} else if now < before {
			l.warn(path, "%d on turn %d is less than %d on the turn before", now, n+1, before)
		}
		before = now
	}
	if before == 0 && len(l.sc.Chart.Turns) > 1 {
		l.warn("turns", "no %s at the end: the 56th Army never comes", field)
	}
}

func (l *loader) charts() {
	l.kamikaze()
	l.prices()
	l.dropTable()
	l.twoDice()
	m, c := l.doc.GetMarkers(), &l.sc.Chart
	c.Markers = MarkerInfo{
		USNaval: l.number("markers.us_naval", m.GetUsNaval(), 0, 9), BPFNaval: l.number("markers.bpf_naval", m.GetBpfNaval(), 0, 9),
		USAir: l.number("markers.us_air", m.GetUsAir(), 0, 9), BPFAir: l.number("markers.bpf_air", m.GetBpfAir(), 0, 9),
		Bombs: l.number("markers.bombs", m.GetBombs(), 0, 30), BombsATurn: l.number("markers.bombs_a_turn", m.GetBombsATurn(), 0, 30),
	}
	if n := c.Markers.USAir + c.Markers.BPFAir; n != 5 {
		l.warn("markers", "%d air markers, the rulebook has 5 (DF 14.5)", n)
	}
	if n := c.Markers.USNaval + c.Markers.BPFNaval; n != 5 {
		l.warn("markers", "%d naval markers, expected 5 (DF 14.6)", n)
	}
	l.scoring()
}

func (l *loader) kamikaze() {
	rows := l.doc.GetKamikaze()
	if !l.count("kamikaze", len(rows), 1, 10) {
		return
	}
	at := cover(l, "kamikaze", rows, 10)
	made := make([]KamikazeInfo, len(rows))
	for i, r := range rows {
		path := fmt.Sprintf("kamikaze[%d]", i)
		made[i] = KamikazeInfo{
			Row: i + 1, AirCap: NoCap, NavalCap: NoCap, Ban: r.GetBan(),
			USCP: l.number(path+".us_cp", r.GetUsCp(), 1, maxNumber), JPMF: l.number(path+".jp_mf", r.GetJpMf(), 1, maxNumber),
			JPCP: l.number(path+".jp_cp", r.GetJpCp(), 0, maxNumber),
		}
		if r.AirCap != nil {
			made[i].AirCap = l.number(path+".air_cap", r.GetAirCap(), 0, NoCap)
		}
		if r.NavalCap != nil {
			made[i].NavalCap = l.number(path+".naval_cap", r.GetNavalCap(), 0, NoCap)
		}
	}
	for n := 1; n <= 10; n++ {
		if at[n] >= 0 {
			l.sc.Chart.Kamikaze[n] = made[at[n]]
		}
	}
}

func (l *loader) prices() {
	p, cp := l.doc.GetCommandPoints(), &l.sc.Chart.CP
	for _, x := range [...]struct {
		field string
		from  uint32
		to    *int
	}{
		{"move", p.GetMove(), &cp.Move}, {"attack", p.GetAttack(), &cp.Attack}, {"recover", p.GetRecover(), &cp.Recover},
		{"rebuild", p.GetRebuild(), &cp.Rebuild}, {"enter", p.GetEnter(), &cp.Enter}, {"landing", p.GetLanding(), &cp.Landing},
		{"enter_56", p.GetEnter_56(), &cp.Enter56}, {"service_command", p.GetServiceCommand(), &cp.Service},
		{"air_supply", p.GetAirSupply(), &cp.AirSupply}, {"drop", p.GetDrop(), &cp.Drop}, {"jp_turn_1", p.GetJpTurn_1(), &cp.JPTurn1},
	} {
		*x.to = l.number("command_points."+x.field, x.from, 1, maxNumber)
	}
}

func (l *loader) dropTable() {
	rows := l.doc.GetDrop()
	if len(rows) == 0 && l.sc.Airborne11 == NoUnit || !l.count("drop", len(rows), 1, 10) {
		return
	}
	for n, i := range cover(l, "drop", rows, 10) {
		if n > 0 && i >= 0 {
			l.sc.Chart.Drop[n] = l.number(fmt.Sprintf("drop[%d].steps", i), rows[i].GetSteps(), 0, 2)
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
	if !l.count("d10_from_2d6", len(chart), 36, 36) {
		return
	}
	var times [11]int
	for i, n := range chart {
		d10[1+i/6][1+i%6] = l.number(fmt.Sprintf("d10_from_2d6[%d]", i), n, 0, 10)
		times[min(n, 10)]++
	}
	for first := 1; first <= 6; first++ {
		if d10[first] == [7]int{} {
			l.fault("d10_from_2d6", "a first die of %d has no result with any second die", first)
		}
	}
	for n := 1; n <= 10; n++ {
		switch {
		case times[n] == 0:
			l.fault("d10_from_2d6", "%d is never rolled", n)
		case times[n] != times[1]:
			l.warn("d10_from_2d6", "%d is rolled by %d pairs, 1 by %d", n, times[n], times[1])
		}
	}
}

func (l *loader) scoring() {
	d := l.doc.GetScoring()
	if d == nil {
		d = &downfallv1.Scoring{}
		l.fault("scoring", "not given")
	}
	l.sc.Chart.Scoring = ScoringInfo{
		Step: l.number("scoring.unsupplied_step", d.GetUnsuppliedStep(), 0, 9), Beachhead: l.number("scoring.beachhead", d.GetBeachhead(), 0, 9),
		Service: l.number("scoring.service_command", d.GetServiceCommand(), 0, 9),
		USWins:  l.number("scoring.us_wins", d.GetUsWins(), 0, 999), Draw: l.number("scoring.draw", d.GetDraw(), 0, 999),
	}
	if d.GetUsWins() < d.GetDraw() {
		l.fault("scoring.draw", "%d is more than the %d with which the US wins", d.GetDraw(), d.GetUsWins())
	}
}
