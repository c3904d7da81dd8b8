package ocs

import (
	"fmt"
	"slices"
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// sizes are the REs of sizes that have a fixed number, in quarters: half an RE for a battalion (OCS 4.6-2), a quarter
// for companies and replacement units (OCS 4.6-3), one RE for all others (OCS 4.6-4). Divisions have a printed number
// (OCS 3.2d).
var sizes = map[string]uint16{
	"company": 1, "replacement": 1, "battalion": 2, "battle_group": 4, "regiment": 4, "brigade": 4, "division": 0,
	"corps": 4, "army": 4,
}

func (l *loader) nations() {
	c, sc := l.doc.GetCounters(), l.sc
	if len(c.GetNationalities()) > maxNations || len(c.GetFormations()) > maxFormations {
		l.Fault("counters", "more than %d nationalities or %d formations", maxNations, maxFormations)
		return
	}
	for i, n := range c.GetNationalities() {
		sc.Nations = append(sc.Nations,
			NationInfo{ID: n.GetId(), Seat: l.seat(fmt.Sprintf("counters.nationalities[%d].seat", i), n.GetSeat())})
	}
	for i, n := range c.GetNationalities() {
		for _, id := range n.GetHqsServe() {
			sc.Nations[i].Serves |= 1 << max(l.nation(fmt.Sprintf("counters.nationalities[%d].hqs_serve", i), id), 0)
		}
	}
	for i, f := range c.GetFormations() {
		path := fmt.Sprintf("counters.formations[%d]", i)
		if _, twice := sc.form[f.GetId()]; twice || !docID.MatchString(f.GetId()) {
			l.Fault(path+".id", "%.40q is given twice or no id", f.GetId())
		}
		sc.form[f.GetId()] = int16(i)
		sc.Formations = append(sc.Formations,
			FormationInfo{ID: f.GetId(), Name: l.sc.words(f.GetName()), Seat: l.seat(path+".seat", f.GetSeat())})
	}
}

func (l *loader) nation(path, id string) int16 {
	for i, n := range l.sc.Nations {
		if n.ID == id {
			return int16(i)
		}
	}
	l.Fault(path, "no nationality %.40q", id)
	return -1
}

// counters reads the pieces: unique ones first, so that unit n is counter n.
func (l *loader) counters() {
	c, sc := l.doc.GetCounters(), l.sc
	if len(c.GetUnits())+len(c.GetBreakdowns())+len(c.GetOrganicTrucks())+len(c.GetTransports())+
		len(c.GetReplacements())+
		len(c.GetAir())+len(c.GetShips())+len(c.GetLandingCraft()) > maxCounters {
		l.Fault("counters", "more than %d counters", maxCounters)
		return
	}
	for i, u := range c.GetUnits() {
		l.add(l.counter(fmt.Sprintf("counters.units[%d]", i), u, CombatUnit), fmt.Sprintf("counters.units[%d]", i))
	}
	for i, t := range c.GetOrganicTrucks() {
		l.organic(fmt.Sprintf("counters.organic_trucks[%d]", i), t)
	}
	l.airAndSea()
	sc.Fixed = len(sc.Counters)
	for i, u := range c.GetBreakdowns() {
		path := fmt.Sprintf("counters.breakdowns[%d]", i)
		info := l.counter(path, u, Breakdown)
		for _, id := range u.GetOf() {
			n, ok := sc.kinds[id]
			if !ok || !sc.Counters[n].Division {
				l.Fault(path+".of", "%.40q is no division", id)
				continue
			}
			info.Of = append(info.Of, n)
		}
		l.add(info, path)
	}
	for i, u := range c.GetReplacements() {
		l.replacement(fmt.Sprintf("counters.replacements[%d]", i), u)
	}
	for i, t := range c.GetTransports() {
		l.transport(fmt.Sprintf("counters.transports[%d]", i), i, t)
	}
	for i, t := range c.GetLandingCraft() {
		l.landingCraft(fmt.Sprintf("counters.landing_craft[%d]", i), t)
	}
	l.tellApart()
	for u := range sc.Fixed {
		if f := sc.Counters[u].Formation; f >= 0 {
			sc.Formations[f].Units = append(sc.Formations[f].Units, Unit(u))
		}
	}
	for i, r := range c.GetRebuildCosts() {
		if r.GetUnits() == 0 || r.GetPax() > 9 || r.GetEq() > 9 || r.GetUnits() > 9 {
			l.Fault(fmt.Sprintf("counters.rebuild_costs[%d]", i), "numbers out of range")
		}
	}
}

// tellApart gives breakdown regiments of a side that share a name the numbers of their Combat side, as
// players tell them apart.
func (l *loader) tellApart() {
	called := map[string]int{}
	key := func(c *Counter) string { return seatIDs[c.Seat] + " " + c.Name.En }
	for i := range l.sc.Counters {
		called[key(&l.sc.Counters[i])]++
	}
	for i := range l.sc.Counters {
		c := &l.sc.Counters[i]
		if c.Kind != Breakdown || called[key(c)] < 2 {
			continue
		}
		f := &c.Faces[CombatFace]
		numbers := fmt.Sprintf("%d-%d-%s ", f.Strength, f.Rating, formatCost(f.Movement))
		c.Name.En = numbers + c.Name.En
		if c.Name.Ja != "" {
			c.Name.Ja = numbers + c.Name.Ja
		}
	}
}

func (l *loader) add(c Counter, path string) {
	if _, twice := l.sc.kinds[c.ID]; twice || !docID.MatchString(c.ID) {
		l.Fault(path+".id", "%.40q is given twice or no id", c.ID)
	}
	l.sc.kinds[c.ID] = uint16(len(l.sc.Counters))
	l.sc.Counters = append(l.sc.Counters, c)
}

func (l *loader) counter(path string, u *ocsv1.Counter, kind CounterKind) Counter {
	c := Counter{
		ID: u.GetId(), Name: l.sc.words(u.GetName()), Kind: kind, Nation: -1, Formation: -1, Size: u.GetSize(),
		Symbols: u.GetSymbols(),
		Class:   l.class(path+".class", u.GetClass()), Steps: uint8(min(u.GetSteps(), 20)),
		Division: u.GetSize() == "division",
		HQ:       u.GetHq(), Artillery: u.GetArtillery(), Engineer: u.GetEngineer(), RailRepair: u.GetRailRepair(),
		Coastal: u.GetCoastal(),
		Siege:   u.GetSiege(), RailOnly: u.GetRailOnly(), NotRebuildable: u.GetNotRebuildable(), Rebuild: -1,
		Transport: -1,
		Parachute: u.GetParachute(), ByAir: u.GetByAir(),
	}
	for i, s := range c.Symbols {
		l.word(fmt.Sprintf("%s.symbols[%d]", path, i), "branch symbol", s, branchSymbols)
	}
	c.Tank = slices.Contains(c.Symbols, "armor")
	c.AntiTank = slices.ContainsFunc(c.Symbols, func(s string) bool { // OCS 9.4e-1
		return strings.HasPrefix(s, "anti_tank") || strings.HasPrefix(s, "anti_aircraft")
	})
	if kind != Pax && kind != Eq {
		c.Seat = l.seat(path+".seat", u.GetSeat())
		c.Nation = l.nation(path+".nationality", u.GetNationality())
	}
	l.size(path, u, &c)
	if id := u.GetFormation(); id != "" {
		f, ok := l.sc.form[id]
		if !ok {
			l.Fault(path+".formation", "no formation %.40q", id)
			f = -1
		}
		c.Formation = f
	}
	if id := u.GetRebuild(); id != "" {
		if c.Rebuild = l.rebuildRow(id); c.Rebuild < 0 {
			l.Fault(path+".rebuild", "the rebuild table has no row %.40q", id)
		}
	}
	c.Faces[CombatFace], c.Faces[MoveFace] = l.face(path+".combat", u.GetCombat()), l.face(path+".move", u.GetMove())
	if !c.Faces[MoveFace].Exists {
		l.Fault(path+".move", "no Move face")
	}
	l.unprinted(&c)
	return c
}

// size reads REs and steps (OCS 4.6).
func (l *loader) size(path string, u *ocsv1.Counter, c *Counter) {
	fixed, known := sizes[c.Size]
	if !known {
		l.Fault(path+".size", "%.40q is no size", c.Size)
	}
	f, ok := parseFraction(u.GetRe())
	quarters := f.Times(whole(oneRE))
	if !ok || quarters.den != 1 || quarters.num < 1 || quarters.num > 100 {
		l.Fault(path+".re", "%.20q, expected REs such as 3 or 1/2", u.GetRe())
		quarters = whole(1)
	}
	c.RE = uint16(quarters.num)
	if fixed != 0 && u.GetRe() == "" {
		c.RE = fixed
	}
	if c.HQ {
		c.RE = oneRE // whatever its size (OCS 13.1)
	}
	if c.Steps == 0 {
		l.Fault(path+".steps", "no steps")
	}
}

// unprinted gives HQs and artillery the numbers that are not printed on them (OCS 13.1c, OCS 13.4b).
func (l *loader) unprinted(c *Counter) {
	for f := range c.Faces {
		face := &c.Faces[f]
		switch {
		case !face.Exists:
		case c.HQ:
			face.Rating, face.DefenceOnly, face.Strength = 0, true, 1
			if Face(f) == CombatFace {
				face.Strength = 5
			}
		case c.Artillery:
			face.DefenceOnly, face.Strength = true, 1
		}
	}
}

func (l *loader) rebuildRow(id string) int16 {
	for i, r := range l.doc.GetCounters().GetRebuildCosts() {
		if r.GetId() == id {
			return int16(i)
		}
	}
	return -1
}

func (l *loader) face(path string, f *ocsv1.CounterFace) FaceInfo {
	if f == nil {
		return FaceInfo{MP: Immobile, ThrowMP: Immobile}
	}
	info := FaceInfo{
		Exists: true, Strength: int(l.amount(path+".strength", f.GetStrength())), DefenceOnly: f.GetDefenceOnly(),
		Rating:   int(min(f.GetRating(), 9)),
		Movement: Cost(l.amount(path+".movement", f.GetMovement())) * oneMP, MP: l.moveType(path+".mp", f.GetMp()),
		Barrage: int(l.amount(path+".barrage", f.GetBarrage())), Range: int(l.amount(path+".range", f.GetRange())),
		Throw:   Cost(l.amount(path+".throw", f.GetThrow())) * oneMP,
		ThrowMP: l.moveType(path+".throw_mp", f.GetThrowMp()),
	}
	if info.Rating > 5 { // OCS 3.2c
		l.Fault(path+".rating", "%d, expected an Action Rating of at most 5", f.GetRating())
	}
	if info.MP == Immobile && info.Movement > 0 || info.ThrowMP == Immobile && info.Throw > 0 {
		l.Fault(path, "a movement allowance or throw range without a type of MP")
	}
	return info
}

func (l *loader) moveType(path, id string) MoveType {
	for m, name := range moveIDs {
		if id == name {
			return MoveType(m)
		}
	}
	l.Fault(path, "%.20q is no type of MP, expected leg, track or truck", id)
	return Immobile
}

// carrier is the face of a transport unit: it has only a Move face (OCS 5.6b).
func carrier(movement uint32, mp MoveType) (f [3]FaceInfo) {
	f[CombatFace] = FaceInfo{MP: Immobile, ThrowMP: Immobile}
	f[MoveFace] = FaceInfo{Exists: true, DefenceOnly: true, Movement: Cost(movement) * oneMP, MP: mp, ThrowMP: Immobile}
	return f
}

func (l *loader) organic(path string, t *ocsv1.OrganicTruck) {
	f, ok := l.sc.form[t.GetFormation()]
	if !ok {
		l.Fault(path+".formation", "no formation %.40q", t.GetFormation())
		return
	}
	l.add(Counter{
		ID: t.GetId(), Name: l.sc.Formations[f].Name, Seat: l.sc.Formations[f].Seat, Kind: OrganicUnit, Nation: -1,
		Formation: f,
		Class:     Other,
		Size:      "transport", Faces: carrier(uint32(l.amount(path+".movement", t.GetMovement())), Truck), Rebuild: -1,
		Transport: -1,
		Capacity:  l.amount(path+".capacity_t", t.GetCapacityT()),
	}, path)
}

// replacement adds a replacement counter for each side.
func (l *loader) replacement(path string, u *ocsv1.Counter) {
	kind := Pax
	switch u.GetReplacement() {
	case "pax":
	case "eq":
		kind = Eq
	default:
		l.Fault(path+".replacement", "%.20q, expected pax or eq", u.GetReplacement())
	}
	for seat := range numSeats {
		c := l.counter(path, u, kind)
		c.ID, c.Seat = c.ID+"-"+seatIDs[seat], seat
		l.add(c, path)
	}
}

// transport adds a counter of a kind of transport for each side that has it.
func (l *loader) transport(path string, n int, t *ocsv1.TransportKind) {
	mp := l.moveType(path+".mp", t.GetMp())
	for seat, movement := range [numSeats]uint32{Blue: t.GetBlueMovement(), Red: t.GetRedMovement()} {
		if movement == 0 {
			continue
		}
		l.add(Counter{
			ID: t.GetId() + "-" + seatIDs[seat], Name: l.sc.words(t.GetName()), Seat: rules.Seat(seat),
			Kind: TransportPoints, Nation: -1, Formation: -1,
			Class: Other, Size: "transport", Faces: carrier(uint32(l.amount(path, movement)), mp), Rebuild: -1,
			Transport: int16(n),
		}, path)
	}
	if t.GetSmallestT() == 0 {
		l.Fault(path+".smallest_t", "0, expected the smallest piece in tokens")
	}
}
