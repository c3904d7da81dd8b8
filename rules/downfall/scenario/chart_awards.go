package scenario

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

func (l *loader) awards() {
	rows := l.doc.GetAwards()
	if !l.Count("awards", len(rows), 0, maxAwards) {
		return
	}
	if len(rows) == 0 {
		l.Warn("awards", "none: the US can't earn victory points")
	}
	total := 0
	for i, a := range rows {
		info := l.award(fmt.Sprintf("awards[%d]", i), a)
		total += info.Points
		l.sc.Chart.Awards = append(l.sc.Chart.Awards, info)
	}
	if wins := l.sc.Chart.Scoring.USWins; wins > total && len(rows) > 0 {
		l.Warn("scoring.us_wins", "%d, and all awards together give %d", wins, total)
	}
}

func (l *loader) award(path string, a *downfallv1.Award) AwardInfo {
	var info AwardInfo
	l.Fill(path, a, &info)
	if len(info.Rule) < 4 || info.Rule[:3] != "DF " || len(info.Rule) > 12 {
		l.Fault(path+".rule", "%.20q, expected a rule id like %q", info.Rule, "DF 4.2")
	}
	info.To = l.Number(path+".to", a.GetTo(), info.From, l.Bounds["last"])
	taken := map[Hex]bool{}
	for i, id := range a.GetHexes() {
		if i >= maxLand {
			l.Fault(path+".hexes", "%d hexes, expected at most %d", len(a.GetHexes()), maxLand)
			break
		}
		at := fmt.Sprintf("%s.hexes[%d]", path, i)
		h := l.hex(at, id)
		if h == NoHex {
			continue
		}
		if taken[h] {
			l.Fault(at, "hex %s is given twice", id)
		}
		taken[h] = true
		info.Hexes = append(info.Hexes, h)
	}
	l.awarded(path, a, &info)
	return info
}

// awarded checks the hexes of an award by its kind.
func (l *loader) awarded(path string, a *downfallv1.Award, info *AwardInfo) {
	given := len(a.GetHexes())
	switch a.GetKind() {
	case downfallv1.AwardKind_AWARD_KIND_TOWNS:
		if given == 0 {
			info.Hexes = l.coastalTowns()
		}
	case downfallv1.AwardKind_AWARD_KIND_AIR_BASE:
		if given != 1 {
			l.Fault(path+".hexes", "%d hexes, an air base is 1 (DF 4.4)", given)
		} else if len(info.Hexes) == 1 && !l.sc.Is(info.Hexes[0], AirBase) {
			l.Warn(path+".hexes[0]", "no air base is printed in %s", a.GetHexes()[0])
		}
	case downfallv1.AwardKind_AWARD_KIND_CONTROL:
		if given == 0 {
			l.Fault(path+".hexes", "no objective hex (DF 4.7)")
		}
	case downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND:
		if l.sc.Service == NoUnit {
			l.Fault(path+".kind", "there is no 6/ASCO (DF 4.6)")
		}
		l.noHexes(path, a)
		return
	case downfallv1.AwardKind_AWARD_KIND_LINKED:
		l.noHexes(path, a)
		return
	default:
		return
	}
	if l.sc.Map == nil {
		return
	}
	info.Need = len(info.Hexes)
	if a.GetNeed() != 0 {
		info.Need = int(min(a.GetNeed(), maxLand))
	}
	if info.Need > len(info.Hexes) && given == len(info.Hexes) || given == 0 && info.Need > len(info.Hexes) {
		l.Fault(path+".need", "%d hexes are needed, and there are %d", a.GetNeed(), len(info.Hexes))
	}
}

func (l *loader) noHexes(path string, a *downfallv1.Award) {
	if len(a.GetHexes()) > 0 || a.GetNeed() > 0 {
		l.Fault(path+".hexes", "this kind of award has no hexes of its own")
	}
}

// coastalTowns are the hexes that count for DF 4.2 and DF 4.3.
func (l *loader) coastalTowns() []Hex {
	if l.sc.Map == nil {
		return nil
	}
	var towns []Hex
	for h := range Hex(l.sc.Map.Len()) {
		if t := int(l.sc.Terrain[h]); l.sc.Is(h, Coastal|South) && t < len(l.sc.Terrains) && l.sc.Terrains[t].Town {
			towns = append(towns, h)
		}
	}
	return towns
}

// derive lists hexes of a kind and checks that the game has those that it can't do without.
func (l *loader) derive() {
	s := l.sc
	if s.Map == nil || len(s.Terrains) == 0 {
		return
	}
	landings := 0
	for h := range Hex(s.Map.Len()) {
		if s.Is(h, Coastal|South) {
			s.CoastSouth = append(s.CoastSouth, h)
		}
		if s.Is(h, Entry) {
			s.Entries = append(s.Entries, h)
		}
		if s.LandingHex(h, s.Terrain[h]) {
			landings++
		}
	}
	if len(s.Entries) == 0 {
		l.Fault("land", "no entry hex for the 56th Army (DF 8.2-c)")
	}
	if landings == 0 {
		l.Fault("land", "no coastal hex in which IX Corps may land (DF 8.6-b)")
	}
	for i, a := range s.Chart.Awards {
		if a.Kind == downfallv1.AwardKind_AWARD_KIND_LINKED && len(s.CoastSouth) == 0 {
			l.Fault(fmt.Sprintf("awards[%d].kind", i), "no coastal hex is south of the line (DF 4.10)")
		}
	}
}
