package scenario

// upgrade is a number of a type of unit that one technology changes; it is always greater than 0 if there is one.
type upgrade struct {
	tech  Tech
	value uint8
}

func (c upgrade) of(base int, t Techs) int {
	if c.value != 0 && t.Has(c.tech) {
		return int(c.value)
	}
	return base
}

// Cost is the price of a unit in IPC for whoever has the technologies (AA 7.1.2, AA 6.4.4).
func (s *Scenario) Cost(u Unit, t Techs) int { return s.Effects.cost[u].of(s.Units[u].Cost, t) }

// Attack is the attack value of a unit, without support (AA 6.4.2, AA 6.4.3).
func (s *Scenario) Attack(u Unit, t Techs) int {
	return s.Effects.attack[u].of(s.Units[u].Attack, t)
}

// Moves is the movement of a unit in spaces (AA 6.4.6).
func (s *Scenario) Moves(u Unit, t Techs) int { return s.Effects.move[u].of(s.Units[u].Move, t) }

// Dice is how many dice a unit rolls when it attacks or raids; a defender rolls one (AA 6.4.7).
func (s *Scenario) Dice(u Unit, t Techs) int { return s.Effects.dice[u].of(1, t) }

// Supports is how many infantry each artillery supports (AA 9.5.9, AA 6.3.2).
func (s *Scenario) Supports(t Techs) int {
	if t.Has(AdvancedArtillery) {
		return s.Effects.Support
	}
	return 1
}

// AAHit is what antiaircraft guns hit with, or less (AA 9.6.3, AA 6.4.5).
func (s *Scenario) AAHit(t Techs) int {
	if t.Has(Radar) {
		return s.Effects.AAHit
	}
	return s.Numbers.AAHit
}

// Far is the distance to where there is no way.
const Far = 255

// AirDistance is the number of steps from a to b over passable spaces of any kind, Far if there is no way (AA 8.3.2).
// It is also the range of rockets (AA 6.3.5).
func (s *Scenario) AirDistance(a, b Space) int { return int(s.air[int(a)*len(s.Spaces)+int(b)]) }

// LandDistance is the number of steps from a to b over passable territories, Far if there is no way.
func (s *Scenario) LandDistance(a, b Space) int {
	return int(s.land[int(a)*len(s.Spaces)+int(b)])
}

// SeaDistance is the number of steps from a to b over sea zones with all canals open, Far if there is no way.
func (s *Scenario) SeaDistance(a, b Space) int { return int(s.sea[int(a)*len(s.Spaces)+int(b)]) }
