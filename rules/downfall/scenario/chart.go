package scenario

import downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"

// Chart holds the tables and numbers of a scenario, spread out so that a look-up is an index.
type Chart struct {
	// Turns is the turn record sheet: Turns[n] is turn n; Turns[0] is empty.
	Turns []TurnInfo
	// Kamikaze is the kamikaze table by modified result 1 to 10; Kamikaze[0] is empty (DF 6.5).
	Kamikaze [11]KamikazeInfo
	// Drop is the number of steps that a d10 of 1 to 10 takes from a division dropping into Japanese ZOC; 2
	// eliminate it (DF 15.6-f).
	Drop [11]int
	// D10 is the result of two d6, first and second, 0 for rolling again (DF 15.5). Index 0 is not used.
	D10 [7][7]int
	// CP are the prices (DF 7.T).
	CP Prices
	// Awards earn victory points, in the order in which they are checked.
	Awards []AwardInfo
	// Scoring is what costs victory points, and the limits of the final score.
	Scoring ScoringInfo
	// Markers says how many there are.
	Markers MarkerInfo
	// USEntry is the first turn on which US units enter (DF 8.4-a).
	USEntry int `doc:"us_entry,1,last"`
	// PlanAhead is how many turns ahead a new IX Corps or drop plan lies at least (DF 8.6-e, DF 15.6-b).
	PlanAhead int `doc:"plan_ahead,1,99"`
	// USMF are the movement factors of a US unit in supply (DF 12.4).
	USMF int `doc:"us_mf,1,20"`
	// IXTurn is the earliest turn of the IX Corps landing, ServiceTurn that of 6/ASCO, DropTurn that of the drop.
	IXTurn, ServiceTurn, DropTurn int
	// Centre is the hex around which the 36th Army sets up, Within how far away it may be (DF 3.2-b).
	Centre Hex
	Within int
}

// LastTurn is the last turn of the game.
func (c *Chart) LastTurn() int { return len(c.Turns) - 1 }

// TurnInfo is a line of the turn record sheet.
type TurnInfo struct {
	// Label of the turn ("X+1").
	Label *downfallv1.Words `doc:"label,100"`
	// Kamikaze modifies the kamikaze roll (DF 6.6).
	Kamikaze int `doc:"kamikaze,-9,9"`
	// Army56 and Army56Early are the largest d10 on which the 56th Army becomes available, without and with
	// option 15.3; 0: no roll.
	Army56      int `doc:"army56,0,10"`
	Army56Early int `doc:"army56_early,0,10"`
}

// NoCap is a cap on markers that caps nothing.
const NoCap = 99

// KamikazeInfo is a row of the kamikaze table.
type KamikazeInfo struct {
	// Row is the number of the row in the document, from 1.
	Row int
	// USCP are the command points of the US.
	USCP int `doc:"us_cp,1,20"`
	// JPMF are the movement factors of Japanese units.
	JPMF int `doc:"jp_mf,1,20"`
	// JPCP are command points that Japan gets in addition.
	JPCP int `doc:"jp_cp,0,20"`
	// AirCap and NavalCap are how many markers stay at most; NoCap for all.
	AirCap   int `doc:"air_cap,0,99"`
	NavalCap int `doc:"naval_cap,0,99"`
	// Ban forbids landing reinforcements and replacements.
	Ban bool `doc:"ban"`
}

// Prices are costs and incomes in command points.
type Prices struct {
	// Move a stack; Attack from a hex; Recover a step; Rebuild a unit; Enter a US unit; Landing of IX Corps; Enter56 of
	// a unit of the 56th Army; Service to place 6/ASCO; AirSupply; Drop of the 11th Division.
	Move      int `doc:"move,1,20"`
	Attack    int `doc:"attack,1,20"`
	Recover   int `doc:"recover,1,20"`
	Rebuild   int `doc:"rebuild,1,20"`
	Enter     int `doc:"enter,1,20"`
	Landing   int `doc:"landing,1,20"`
	Enter56   int `doc:"enter_56,1,20"`
	Service   int `doc:"service_command,1,20"`
	AirSupply int `doc:"air_supply,1,20"`
	Drop      int `doc:"drop,1,20"`
	// JPTurn1 are the command points of Japan on turn 1 (DF 7.2-a).
	JPTurn1 int `doc:"jp_turn_1,1,20"`
}

// AwardInfo is a way to earn victory points.
type AwardInfo struct {
	// ID of the award.
	ID string `doc:"id,32"`
	// Name of it.
	Name *downfallv1.Words `doc:"name,100"`
	// Rule that gives it.
	Rule string `doc:"rule"`
	// Kind of award.
	Kind downfallv1.AwardKind `doc:"kind,one of the kinds of award"`
	// From and To are the turns in whose checks it can be earned, once.
	From int `doc:"from,1,last"`
	To   int
	// Points that it is worth.
	Points int `doc:"points,1,9"`
	// Hexes looked at, in order; for Towns all that count, filled in. Need is how many must qualify.
	Hexes []Hex
	Need  int
}

// ScoringInfo is what costs victory points, and the limits of the final score.
type ScoringInfo struct {
	// Step, Beachhead and Service are lost with an unsupplied step, a beachhead and 6/ASCO.
	Step      int `doc:"unsupplied_step,0,9"`
	Beachhead int `doc:"beachhead,0,9"`
	Service   int `doc:"service_command,0,9"`
	// USWins and Draw are the lowest final scores of that result.
	USWins int `doc:"us_wins,0,999"`
	Draw   int `doc:"draw,0,999"`
}

// MarkerInfo says how many markers there are.
type MarkerInfo struct {
	// USNaval, BPFNaval, USAir, BPFAir markers; the British ones are there on an even roll (DF 6.2).
	USNaval  int `doc:"us_naval,0,9"`
	BPFNaval int `doc:"bpf_naval,0,9"`
	USAir    int `doc:"us_air,0,9"`
	BPFAir   int `doc:"bpf_air,0,9"`
	// Bombs of the game, and at most in a turn (DF 6.8-a).
	Bombs      int `doc:"bombs,0,30"`
	BombsATurn int `doc:"bombs_a_turn,0,30"`
}
