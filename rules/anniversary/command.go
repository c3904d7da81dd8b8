package anniversary

import "github.com/warledger/warledger/rules"

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order of the contract.
const (
	KindNone Kind = iota
	KindResearch
	KindChart
	KindBuy
	KindRepair
	KindOrder
	KindMove
	KindShip
	KindDrop
	KindRaid
	KindJoin
	KindRecall
	KindEnd
	KindFight
	KindBomb
	KindRocket
	KindBombard
	KindSubmerge
	KindLose
	KindAnswer
	KindPress
	KindRetreat
	KindDivert
	KindPlace
	KindStanding
	KindConcede
	KindFightOn
	numKinds
)

// MaxItems is how many lines a command has at most.
const MaxItems = 8

// Command is what a seat asks for. Fields that its kind does not use are as in the command that [only] makes.
type Command struct {
	Kind Kind
	// Power whose units act: of moves and placements by the United States or China, of divert; the owner of ships.
	Power Power
	// N counts: researchers, the chart, markers, transports, bombers, fighters, submarines, or the entry to recall.
	N uint8
	// Yes: China first; agreed.
	Yes bool
	// From, Via and To are spaces of a move; a single space is To. Target is where cargo lands; From of place is the complex.
	From, Via, To, Target Space
	// Len of the items.
	Len   uint8
	Items [MaxItems]Item
	// Orders of KindStanding.
	Orders *Standing
}

// Item is a line of a command.
type Item struct {
	// Unit is the type; Hull for a battleship's first hit.
	Unit Unit
	// N counts them.
	N uint8
	// Power that they belong to: casualties and freight.
	Power Power
	// At is where freight is loaded, NoSpace if it is aboard; the sea zone of bombarding ships.
	At Space
	// Variant says which of those that differ, from 1 as the board numbers them; 0 takes those that can do least otherwise.
	Variant uint8
	// Stays is freight that is not landed.
	Stays bool
}

// Standing are orders that a seat gives in advance.
type Standing struct {
	// Losses is the order of loss, first lost first; empty asks.
	Losses []Unit
	// Retreat below so many per cent of the enemy's strength; 0 asks, 1 never retreats.
	Retreat uint8
	// Submarines: 0 asks, 1 strike, 2 submerge.
	Submarines uint8
	// Bombard with all that may; Divert without asking; Agree to joint lists.
	Bombard, Divert, Agree bool
	// Carriers and Transports for allies (AA 8.1.12).
	Carriers, Transports Policy
}

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Power: NoPower, From: NoSpace, Via: NoSpace, To: NoSpace, Target: NoSpace}
}

// at makes a command that names one space.
func at(k Kind, s Space) Command {
	c := only(k)
	c.To = s
	return c
}

// with adds a line to a command.
func (c Command) with(it Item) Command {
	if c.Len < MaxItems {
		c.Items[c.Len] = it
		c.Len++
	}
	return c
}

// items are the lines of a command.
func (c *Command) items() []Item { return c.Items[:c.Len] }

// line is a number of units of a type.
func line(u Unit, n uint8) Item { return Item{Unit: u, N: n, Power: NoPower, At: NoSpace} }

// kindInfo says what a kind is called and which questions it answers.
type kindInfo struct {
	id                string
	answers           uint32
	offer, generating bool
	note              string
}

func to(asks ...Ask) uint32 {
	var s uint32
	for _, a := range asks {
		s |= 1 << a
	}
	return s
}

var kinds = [numKinds]kindInfo{
	KindResearch: {id: "research", answers: to(AskResearch), note: "Buy researchers, or none; the dice follow."},
	KindChart:    {id: "chart", answers: to(AskChart), note: "Choose a breakthrough chart."},
	KindBuy:      {id: "buy", answers: to(AskPurchase), generating: true, note: "Buy units. The list has one unit at a time; a whole list of lines is accepted."},
	KindRepair:   {id: "repair", answers: to(AskPurchase), generating: true, note: "Remove damage markers. The list has what 1 IPC repairs; any number is accepted."},
	KindOrder:    {id: "order", answers: to(AskOrder), note: "China or the United States first."},
	KindMove: {id: "move", answers: to(AskMove, AskNoncombat), generating: true,
		note: "Move units. The list has one unit at a time, with a pair of tank and infantry for Mechanized Infantry, and leaves out air moves to where there is nothing to fight; any group is accepted."},
	KindShip: {id: "ship", answers: to(AskMove, AskNoncombat), generating: true,
		note: "Load, sail and land with transports that do alike. The list has one transport; in Combat Move with one or two units that land, in Noncombat Move one step at a time: load a unit, sail, or land. Whole plans are accepted."},
	KindDrop:     {id: "drop", answers: to(AskMove), generating: true, note: "Drop paratroopers. The list has one bomber."},
	KindRaid:     {id: "raid", answers: to(AskMove), generating: true, note: "Fly to raid a complex. The list has one bomber."},
	KindJoin:     {id: "join", answers: to(AskMove), generating: true, note: "Let fighters over a carrier take part in the combat there. The list has one."},
	KindRecall:   {id: "recall", answers: to(AskMove), generating: true, note: "Take a combat move back. Listed only while the phase can't be ended as it stands."},
	KindEnd:      {id: "end", answers: to(AskPurchase, AskMove, AskCombat, AskNoncombat, AskMobilize), note: "End the phase, or the step of Conduct Combat."},
	KindFight:    {id: "fight", answers: to(AskCombat), note: "Fight the next combat."},
	KindBomb:     {id: "bomb", answers: to(AskCombat), note: "Carry out a raid."},
	KindRocket:   {id: "rocket", answers: to(AskCombat), note: "Launch a rocket."},
	KindBombard:  {id: "bombard", answers: to(AskBombard), note: "Bombard with ships of each sea zone, or with none."},
	KindSubmerge: {id: "submerge", answers: to(AskSubmerge), note: "Submerge so many submarines; the others strike."},
	KindLose:     {id: "lose", answers: to(AskLosses), generating: true, note: "Choose casualties. The list has one at a time; a whole list is accepted."},
	KindAnswer:   {id: "answer", answers: to(AskAgree, AskConsent), note: "Agree, or not."},
	KindPress:    {id: "press", answers: to(AskPress), note: "Press on with the attack."},
	KindRetreat:  {id: "retreat", answers: to(AskPress), note: "Break the attack off."},
	KindDivert:   {id: "divert", answers: to(AskDivert), generating: true, note: "Land fighters of a lost carrier. The list has one."},
	KindPlace:    {id: "place", answers: to(AskMobilize), generating: true, note: "Put new units on the map. The list has one unit; groups are accepted."},
	KindStanding: {id: "orders", offer: true, generating: true, note: "Give standing orders in place of all that there were. Never listed."},
	KindConcede:  {id: "concede", offer: true, note: "Give up. When every seat of a side has, the other side wins."},
	KindFightOn:  {id: "fight-on", offer: true, note: "No longer give up."},
}

// kindByID finds a kind; KindNone if there is none of that id.
func kindByID(id string) Kind {
	for k := KindResearch; k < numKinds; k++ {
		if kinds[k].id == id {
			return k
		}
	}
	return KindNone
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return k < numKinds && kinds[k].answers&(1<<a) != 0 }

func commandKinds() []rules.CommandKind {
	list := make([]rules.CommandKind, 0, numKinds-1)
	for k := KindResearch; k < numKinds; k++ {
		i := &kinds[k]
		list = append(list, rules.CommandKind{ID: i.id, Offer: i.offer, Generating: i.generating, Note: i.note})
	}
	return list
}
