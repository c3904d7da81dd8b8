package scenario

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// UnitInfo is the numbers of a type of unit.
type UnitInfo struct {
	// Name of one.
	Name *anniversaryv1.Words `doc:"name,100"`
	// Plural is the name of several.
	Plural *anniversaryv1.Words `doc:"plural,100"`
	// Short is the text for a counter.
	Short *anniversaryv1.Words `doc:"short,6"`
	// Cost in IPC.
	Cost int `doc:"cost,1,99"`
	// Attack hits with this or less, 0 for none.
	Attack int `doc:"attack,0,fights"`
	// Defence hits with this or less, 0 for none.
	Defence int `doc:"defence,0,fights"`
	// Move in spaces.
	Move int `doc:"move,0,moves"`
	// Hits that destroy it; 0 if it can't be hit.
	Hits int `doc:"hits,hits,hits"`
}

// Techs is a set of technologies: bit t stands for technology t.
type Techs uint16

// Has reports whether t is in the set.
func (s Techs) Has(t Tech) bool { return s&(1<<t) != 0 }

// TechInfo is the words of a technology. Technology t is the result t%6+1 of chart t/6+1.
type TechInfo struct {
	// Name of it.
	Name *anniversaryv1.Words `doc:"name,100"`
	// Summary in a sentence.
	Summary *anniversaryv1.Words `doc:"summary,4000"`
}

// Effects are numbers that hold for whoever has the technology.
type Effects struct {
	// Support is how many infantry an advanced artillery supports (AA 6.3.2).
	Support int
	// RocketRange is how many spaces a rocket flies (AA 6.3.3).
	RocketRange int
	// Paratroopers is how many infantry a bomber drops (AA 6.3.7).
	Paratroopers int
	// Capacity is how many units a complex brings in more (AA 6.3.12).
	Capacity int
	// Repair is how many damage markers 1 IPC removes (AA 6.3.13).
	Repair int
	// IncomeDice is how many dice war bonds roll (AA 6.3.15).
	IncomeDice int
	// PairedMove is how far infantry moves with a tank (AA 6.3.16).
	PairedMove int
	// AAHit is what an antiaircraft gun with radar hits with, or less (AA 6.4.5).
	AAHit int
	// upgrades are the numbers of types of unit.
	cost, attack, move, dice [NumUnits]upgrade
}

// Objective is a national objective (AA 14.3).
type Objective struct {
	// ID of it.
	ID string `doc:"id,48"`
	// Rule is the paragraph that it comes from.
	Rule string `doc:"rule,0,20"`
	// Power that it pays.
	Power Power
	// Title of it.
	Title *anniversaryv1.Words `doc:"title,100"`
	// Text says what it needs.
	Text *anniversaryv1.Words `doc:"text,4000"`
	// Bonus in IPC.
	Bonus int `doc:"bonus,1,99"`
	// Alone is true if the power itself must control the territories, not any powers of its side (AA 14.2.3).
	Alone bool `doc:"alone"`
	// Need of the territories must be controlled, at least.
	Need int
	// Territories in question, in the order of the document.
	Territories []Space
	// NoWarships are the sea zones in which no enemy surface warship may be.
	NoWarships []Space
	// NoAllies is true if no unit of another power of the side may be in territory that the power
	// controls (AA 14.3.16).
	NoAllies bool `doc:"no_allied_units"`
}

// VictoryLevel is a length of the game (AA 3.1.1).
type VictoryLevel struct {
	// Cities that a side needs.
	Cities int
	// Name of it.
	Name *anniversaryv1.Words `doc:"name,100"`
}

// ChinaInfo is where the limits of China apply.
type ChinaInfo struct {
	// PlayedBy is the power in whose turn China acts.
	PlayedBy Power
	// Home are the territories with the Chinese symbol; Territories are these and the occupied ones (AA 5.1.3).
	Home, Territories SpaceSet
	// Range are the spaces that Chinese units may enter (AA 5.3.1).
	Range SpaceSet
	// For gets what China takes outside Territories (AA 5.3.3).
	For Power
	// ARecruit is the number of territories for one recruit (AA 5.2.1).
	ARecruit int `doc:"territories_a_recruit,1,20"`
	// RecruitLimit is the number of units in a territory from which on no recruit is placed (AA 5.2.4).
	RecruitLimit int `doc:"recruit_limit,1,99"`
}

// Numbers are single numbers of the rulebook.
type Numbers struct {
	// AAHit is what an antiaircraft gun hits with, or less (AA 9.6.3).
	AAHit int `doc:"aa_hit,1,6"`
	// SupportedAttack is the attack value of supported infantry (AA 9.5.9).
	SupportedAttack int `doc:"supported_attack,1,6"`
	// ResearcherCost in IPC (AA 6.2.1).
	ResearcherCost int `doc:"researcher_cost,1,99"`
	// ResearchSuccess is the least research die that succeeds (AA 6.2.3).
	ResearchSuccess int `doc:"research_success,1,6"`
	// RepairCost of a damage marker in IPC (AA 7.2.1).
	RepairCost int `doc:"repair_cost,1,99"`
	// DamageCap times the value of a territory is the most damage (AA 9.2.6).
	DamageCap int `doc:"damage_cap,1,9"`
	// ComplexValue is the least value of a territory for a new complex (AA 13.1.5).
	ComplexValue int `doc:"complex_value,0,99"`
}
