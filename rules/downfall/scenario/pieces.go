package scenario

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

// piece checks an id of a unit or beachhead.
func (l *loader) piece(path, id string) {
	switch {
	case !pieceID.MatchString(id):
		l.Fault(path, "%.40q, expected 1 to 32 letters, digits, dashes and slashes", id)
		return
	case l.ids[id]:
		l.Fault(path, "%q is given twice", id)
	case l.sc.Map != nil:
		if _, err := l.sc.Map.ByID(id); err == nil {
			l.Fault(path, "%q is the id of a hex", id)
		}
	}
	l.ids[id] = true
}

func (l *loader) units() {
	l.ids = map[string]bool{}
	if !l.Count("units", len(l.doc.GetUnits()), 1, MaxUnits) {
		return
	}
	for i, u := range l.doc.GetUnits() {
		l.sc.Units = append(l.sc.Units, l.unit(fmt.Sprintf("units[%d]", i), u))
	}
	l.eleventh()
	l.muster()
}

func (l *loader) unit(path string, u *downfallv1.ScenarioUnit) UnitInfo {
	info := UnitInfo{Owner: Japan, Hex: NoHex, Replaces: NoUnit, Formation: OtherJapan}
	l.piece(path+".id", u.GetId())
	l.Fill(path, u, &info)
	_, known := downfallv1.UnitType_name[int32(info.Type)]
	known = known && info.Type != 0
	if _, ok := downfallv1.Formation_name[int32(u.GetFormation())]; !ok || u.GetFormation() == 0 {
		l.Fault(path+".formation", "%s, expected a corps or army: every unit belongs to exactly one (DF 2.7)",
			u.GetFormation())
		known = false
	} else {
		info.Formation = Formation(u.GetFormation() - 1)
	}
	if info.Formation <= NoCorps {
		info.Owner = US
	}
	l.role(path, u, &info, known)
	l.strength(path, u, &info)
	if known {
		l.start(path, u, &info)
	}
	return info
}

// role checks that type and formation agree.
func (l *loader) role(path string, u *downfallv1.ScenarioUnit, info *UnitInfo, known bool) {
	wrong := ""
	switch u.GetType() {
	case downfallv1.UnitType_UNIT_TYPE_CORPS_ARTILLERY:
		info.Role = CorpsArtillery
		if !info.Formation.IsCorps() {
			wrong = "corps artillery belongs to one of the four US corps"
		}
	case downfallv1.UnitType_UNIT_TYPE_COASTAL:
		info.Role = CoastalUnit
		if info.Owner != Japan {
			wrong = "coastal divisions are Japanese (DF 12.3)"
		}
	case downfallv1.UnitType_UNIT_TYPE_AIRBORNE:
		info.Role = AirborneUnit
		if info.Formation != Reserve {
			wrong = "the airborne division is a US reserve (DF 15.6)"
		}
		if u.GetReplaces() == "" {
			l.Fault(path+".replaces", "an airborne unit names the counter that it replaces (DF 3.4)")
		}
	case downfallv1.UnitType_UNIT_TYPE_SERVICE_COMMAND:
		info.Role = ServiceCommand
		if info.Formation != NoCorps {
			wrong = "6/ASCO is of no corps (DF 2.7)"
		}
	default:
		if info.Formation == NoCorps {
			wrong = "only 6/ASCO is of no corps (DF 2.7)"
		}
	}
	if wrong != "" && known {
		l.Fault(path+".formation", "%s, but %s", info.Formation, wrong)
	}
	if u.GetReplaces() != "" && info.Role != AirborneUnit {
		l.Fault(path+".replaces", "only an airborne unit replaces another (DF 3.4)")
	}
}

func (l *loader) strength(path string, u *downfallv1.ScenarioUnit, info *UnitInfo) {
	if info.Role == ServiceCommand {
		if u.GetSteps() != 1 || u.GetStrength() != 0 || u.GetReducedStrength() != 0 {
			l.Fault(path+".strength", "6/ASCO has one step and no strength (DF 8.8-d)")
		}
		return
	}
	if info.Role == CorpsArtillery && info.Steps != 1 {
		l.Fault(path+".steps", "%d, corps artillery has 1 (DF 8.10)", u.GetSteps())
	}
	full := l.Number(path+".strength", u.GetStrength(), 1, 10)
	info.Strength[info.Steps] = full
	if info.Steps == 1 {
		if u.GetReducedStrength() != 0 {
			l.Fault(path+".reduced_strength", "%d, a unit of one step has no reduced face", u.GetReducedStrength())
		}
		return
	}
	info.Strength[1] = l.Number(path+".reduced_strength", u.GetReducedStrength(), 1, 10)
	if info.Strength[1] > full {
		l.Warn(path+".reduced_strength", "%d is more than the full strength %d", info.Strength[1], full)
	}
}

// start checks where and when a unit comes into play (DF 3.2, DF 3.3).
func (l *loader) start(path string, u *downfallv1.ScenarioUnit, info *UnitInfo) {
	switch {
	case info.Formation == Army36 || info.Formation == Army56:
		if u.GetHex() != "" {
			l.Fault(path+".hex", "%.40q, but units of the 36th and 56th Army have no set-up hex (DF 3.2)", u.GetHex())
		}
	case info.Formation == OtherJapan && u.GetHex() == "":
		l.Fault(path+".hex", "unit %s has no set-up hex (DF 3.2-a)", u.GetId())
	case info.Owner == US && u.GetHex() == "" && u.GetTurn() == 0:
		l.Fault(path+".hex", "unit %s has neither a set-up hex nor a turn of entry (DF 3.3)", u.GetId())
	case info.Owner == US && u.GetHex() != "" && u.GetTurn() != 0:
		l.Fault(path+".turn", "unit %s has a set-up hex and a turn of entry", u.GetId())
	case (info.Role == ServiceCommand || info.Role == AirborneUnit) && u.GetHex() != "":
		l.Fault(path+".hex", "unit %s starts off the map", u.GetId())
	case u.GetHex() != "":
		if info.Hex = l.hex(path+".hex", u.GetHex()); info.Hex != NoHex && info.Owner == US &&
			!l.sc.Is(info.Hex, Coastal) {
			l.Fault(path+".hex", "US units set up in coastal hexes, and %s is not one (DF 3.3-a)", u.GetHex())
		}
	}
	if u.GetTurn() != 0 {
		if info.Owner == Japan {
			l.Fault(path+".turn", "%d, but Japanese units have no turn of entry", u.GetTurn())
		}
		info.Turn = l.Number(path+".turn", u.GetTurn(), 1, l.Bounds["last"])
	}
	if u.GetLands() && (info.Formation != CorpsIX || !info.IsLine() || info.Turn == 0) {
		l.Fault(path+".lands", "only divisions of IX Corps that wait in the box land with its beachhead (DF 8.6-c)")
	}
}

// eleventh finds the two counters of the 11th Division (DF 3.4).
func (l *loader) eleventh() {
	s := l.sc
	for i, u := range l.doc.GetUnits() {
		if u.GetReplaces() == "" || s.Units[i].Role != AirborneUnit {
			continue
		}
		path := fmt.Sprintf("units[%d].replaces", i)
		other, ok := s.UnitByID(u.GetReplaces())
		switch {
		case !ok:
			l.Fault(path, "%.40q is not a unit", u.GetReplaces())
		case s.Units[other].Formation != Reserve || s.Units[other].Role != LineUnit || s.Units[other].Turn == 0:
			l.Fault(path, "%s is not a reserve division that waits in the box", u.GetReplaces())
		case s.Airborne11 != NoUnit:
			l.Fault(path, "there is an airborne counter already, %s", s.UnitID(s.Airborne11))
		default:
			s.Airborne11, s.Infantry11 = Unit(i), other
			s.Units[i].Replaces = other
			s.Chart.DropTurn = s.Units[i].Turn
		}
	}
}

// muster counts the units of each kind (DF 2.1, DF 2.12, DF 3.2).
func (l *loader) muster() {
	s := l.sc
	var of [OtherJapan + 1]int
	for i, u := range s.Units {
		of[u.Formation]++
		switch {
		case u.Formation == Army36:
			s.Setup36 = append(s.Setup36, Unit(i))
		case u.Formation == Army56:
			s.Setup56 = append(s.Setup56, Unit(i))
		case u.Role == ServiceCommand && s.Service != NoUnit:
			l.Fault(fmt.Sprintf("units[%d].type", i), "there is a 6/ASCO already, %s", s.UnitID(s.Service))
		case u.Role == ServiceCommand:
			s.Service = Unit(i)
			s.Chart.ServiceTurn = u.Turn
		}
		if u.Lands {
			s.Landing = append(s.Landing, Unit(i))
		}
	}
	for _, army := range [...]struct {
		of   Formation
		want int
	}{{OtherJapan, 13}, {Army36, 8}, {Army56, 8}} {
		if of[army.of] != army.want {
			l.Fault("units", "%d units of %s, expected %d (DF 2.12, DF 3.2)", of[army.of], army.of, army.want)
		}
	}
	for f := CorpsI; f.IsCorps(); f++ {
		if of[f] != 4 {
			l.Warn("units", "%d units of %s, the rulebook has 4 (DF 2.12)", of[f], f)
		}
	}
	if len(s.Landing) != 2 {
		l.Fault("units", "%d divisions land with IX Corps, expected 2 (DF 8.6-c)", len(s.Landing))
	}
	if s.Service == NoUnit {
		l.Warn("units", "there is no 6/ASCO (DF 8.8)")
	}
	if s.Airborne11 == NoUnit {
		l.Warn("units", "there is no airborne counter, so option 15.6 does nothing (DF 3.4)")
	}
}
