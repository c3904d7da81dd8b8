package scenario

import "fmt"

// objectives reads the national objectives (AA 14.3).
func (l *loader) objectives() {
	s := l.sc
	all := s.Tables.GetObjectives()
	if !l.Count("tables.objectives", len(all), 0, maxObjectives) {
		return
	}
	for i, o := range all {
		path := fmt.Sprintf("tables.objectives[%d]", i)
		w := l.power(path+".power", o.GetPower())
		if w == China {
			l.Fault(path+".power", "China has no objectives (AA 5.1.2)")
		}
		goal := Objective{Power: w}
		l.Fill(path, o, &goal)
		n := len(o.GetTerritories())
		if l.Count(path+".territories", n, 1, 64) {
			goal.Territories = l.territories(path+".territories", o.GetTerritories())
			goal.Need = n
			if o.GetNeed() != 0 {
				goal.Need = l.Number(path+".need", o.GetNeed(), 1, n)
			}
		}
		if l.Count(path+".no_enemy_warships", len(o.GetNoEnemyWarships()), 0, 64) {
			goal.NoWarships = l.list(path+".no_enemy_warships", o.GetNoEnemyWarships(), l.zone)
		}
		s.Objectives = append(s.Objectives, goal)
	}
}

// levels reads the victory levels. Both sides can never reach one at once (AA 3.2.3).
func (l *loader) levels() {
	s := l.sc
	all := s.Tables.GetVictoryLevels()
	if s.Tables == nil || !l.Count("tables.victory_levels", len(all), 1, maxLevels) {
		return
	}
	seen := map[uint32]bool{}
	for i, v := range all {
		path := fmt.Sprintf("tables.victory_levels[%d]", i)
		level := VictoryLevel{Cities: int(v.GetCities())}
		if l.Fill(path, v, &level); seen[v.GetCities()] {
			l.Fault(path+".cities", "%d is given twice", v.GetCities())
		}
		seen[v.GetCities()] = true
		if n := len(s.Cities); s.Atlas != nil {
			level.Cities = l.Number(path+".cities", v.GetCities(), n/2+1, n)
		}
		s.Levels = append(s.Levels, level)
	}
}

// china reads where the limits of China apply (AA 5).
func (l *loader) china() {
	s, c := l.sc, l.sc.Tables.GetChina()
	if s.Tables == nil {
		return
	}
	const path = "tables.china"
	info := ChinaInfo{PlayedBy: l.power(path+".played_by", c.GetPlayedBy()), For: NoPower}
	l.Fill(path, c, &info)
	if info.PlayedBy != UnitedStates && info.PlayedBy != NoPower {
		l.Fault(path+".played_by", "%s, expected %s (AA 1.1.4)", c.GetPlayedBy(), UnitedStates.ID())
	}
	home := l.territories(path+".home", c.GetHome())
	occupied := l.territories(path+".occupied", c.GetOccupied())
	enter := l.territories(path+".may_enter", c.GetMayEnter())
	info.Home = SpacesOf(home...)
	info.Territories = info.Home.Union(SpacesOf(occupied...))
	info.Range = info.Territories.Union(SpacesOf(enter...))
	if info.Range.Len() < len(home)+len(occupied)+len(enter) {
		l.Fault(path, "a territory is in two of home, occupied and may_enter")
	}
	for sp, w := range s.Original {
		if (w == China) != info.Territories.Has(Space(sp)) {
			l.Fault(path, "%s: China must be the original controller of what is in home and occupied, "+
				"and of nothing else (AA 2.9.2)", s.Spaces[sp].ID)
		}
	}
	if len(enter) > 0 || c.GetMayEnterFor() != "" {
		info.For = l.power(path+".may_enter_for", c.GetMayEnterFor())
		if info.For.Side() != Allies || info.For == China {
			l.Fault(path+".may_enter_for", "%.40q, expected one of the other Allies", c.GetMayEnterFor())
		}
	}
	s.ChinaRules = info
}
