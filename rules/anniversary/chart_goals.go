package anniversary

import "fmt"

// objectives reads the national objectives (AA 14.3).
func (l *loader) objectives() {
	s := l.sc
	all := s.Tables.GetObjectives()
	if !l.count("tables.objectives", len(all), 0, maxObjectives) {
		return
	}
	seen := map[string]bool{}
	for i, o := range all {
		path := fmt.Sprintf("tables.objectives[%d]", i)
		if !keyID.MatchString(o.GetId()) || seen[o.GetId()] {
			l.Fault(path+".id", "%.40q, expected an id of its own: 1 to 48 lower-case letters, digits and dashes", o.GetId())
		}
		seen[o.GetId()] = true
		l.Words(path+".title", o.GetTitle(), maxName)
		l.Words(path+".text", o.GetText(), maxText)
		w := l.power(path+".power", o.GetPower())
		if w == China {
			l.Fault(path+".power", "China has no objectives (AA 5.1.2)")
		}
		if len(o.GetRule()) > 20 {
			l.Fault(path+".rule", "%d characters, expected at most 20", len(o.GetRule()))
		}
		goal := Objective{
			ID: o.GetId(), Rule: o.GetRule(), Power: w, Title: o.GetTitle(), Text: o.GetText(), Alone: o.GetAlone(), NoAllies: o.GetNoAlliedUnits(),
			Bonus: l.number(path+".bonus", o.GetBonus(), 1, 99),
		}
		n := len(o.GetTerritories())
		if l.count(path+".territories", n, 1, 64) {
			goal.Territories = l.territories(path+".territories", o.GetTerritories())
			goal.Need = n
			if o.GetNeed() != 0 {
				goal.Need = l.number(path+".need", o.GetNeed(), 1, n)
			}
		}
		if l.count(path+".no_enemy_warships", len(o.GetNoEnemyWarships()), 0, 64) {
			goal.NoWarships = l.list(path+".no_enemy_warships", o.GetNoEnemyWarships(), l.zone)
		}
		s.Objectives = append(s.Objectives, goal)
	}
}

// levels reads the victory levels. Both sides can never reach one at once (AA 3.2.3).
func (l *loader) levels() {
	s := l.sc
	all := s.Tables.GetVictoryLevels()
	if s.Tables == nil || !l.count("tables.victory_levels", len(all), 1, maxLevels) {
		return
	}
	seen := map[uint32]bool{}
	for i, v := range all {
		path := fmt.Sprintf("tables.victory_levels[%d]", i)
		l.Words(path+".name", v.GetName(), maxName)
		if seen[v.GetCities()] {
			l.Fault(path+".cities", "%d is given twice", v.GetCities())
		}
		seen[v.GetCities()] = true
		level := VictoryLevel{Cities: int(v.GetCities()), Name: v.GetName()}
		if n := len(s.Cities); s.Atlas != nil {
			level.Cities = l.number(path+".cities", v.GetCities(), n/2+1, n)
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
	info := ChinaInfo{
		PlayedBy: l.power(path+".played_by", c.GetPlayedBy()), For: NoPower,
		ARecruit:     l.number(path+".territories_a_recruit", c.GetTerritoriesARecruit(), 1, 20),
		RecruitLimit: l.number(path+".recruit_limit", c.GetRecruitLimit(), 1, maxCount),
	}
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
			l.Fault(path, "%s: China must be the original controller of what is in home and occupied, and of nothing else (AA 2.9.2)", s.Spaces[sp].ID)
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
