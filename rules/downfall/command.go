package downfall

import "github.com/warledger/warledger/rules"

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order of the contract.
const (
	KindNone Kind = iota
	KindPlace
	KindOrders
	KindPlan
	KindZones
	KindRemove
	KindBombs
	KindTarget
	KindBomb
	KindLosses
	KindSupply
	KindMove
	KindFollow
	KindEnter
	KindAttack
	KindConsecutive
	KindAlso
	KindDeclare
	KindLand
	KindCancel
	KindRecover
	KindRebuild
	KindStepUp
	KindDrop
	KindEnd
	KindSupport
	KindBombard
	KindShot
	KindHold
	KindRetreat
	KindStay
	KindAbort
	KindPress
	KindWithdraw
	KindAdvance
	KindEliminate
	KindConcede
	KindAccept
	KindDecline
	numKinds
)

// Command is what a seat asks for. Lists are long and are written anew for each decision, so that it has half the size of a line of the processor's cache. What its fields mean depends on the kind; those that a kind does not use are zero, NoUnit or NoHex by none
// of them being looked at. A command is compared by its notation, since long moves hang on a pointer.
type Command struct {
	Kind Kind
	// Unit that acts, is shot at by a bombardment, or gets a step back.
	Unit Unit
	// Other is the target of a shot.
	Other Unit
	// Count: bombs declared, air markers committed or in support, mode of the 11th Division.
	Count uint8
	// Hex aimed at: destination, target of an attack or bomb, hex of a plan or of air supply; NoHex for none.
	Hex Hex
	// From is the hex of the attackers.
	From Hex
	// Units that take part, or that lose a step to a bomb.
	Units UnitSet
	// Detail is one thing more: the set of naval markers by bit, the zones of a deployment by zoneBits each, the turn of a plan, or the units that lose two
	// steps to a bomb.
	Detail uint64
	// Routes are the units of a move or withdrawal with their ways, when there is more to say than Unit and Hex.
	Routes *[]Route
}

// turn is the turn of a plan.
func (c *Command) turn() int { return int(c.Detail) }

// twice are the units that lose two steps to a bomb.
func (c *Command) twice() UnitSet { return UnitSet(c.Detail) }

// Route is the way of one unit. A path of one hex is a destination: the cheapest way there is taken. A longer one begins with the hex that the
// unit is in. An empty one means that the unit has no place to go (withdrawals).
type Route struct {
	Unit Unit
	Path []Hex
}

// A zone takes so many bits of a deployment: eight zones at most, for at most maxNaval markers.
const (
	zoneBits = 3
	zoneMask = 1<<zoneBits - 1
)

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Unit: NoUnit, Other: NoUnit, Hex: NoHex, From: NoHex}
}

// naming makes a command that names one unit.
func naming(k Kind, u Unit) Command {
	c := only(k)
	c.Unit = u
	return c
}

// aiming makes a command that names one unit and one hex.
func aiming(k Kind, u Unit, h Hex) Command {
	c := only(k)
	c.Unit, c.Hex = u, h
	return c
}

// kindInfo says what a kind is called and which questions it answers.
type kindInfo struct {
	id string
	// answers are the questions, by bit.
	answers uint32
	// seat that may use it, if the question is put to both; NoSeat for either.
	seat rules.Seat
	// info for clients.
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
	KindPlace:       {id: "place", answers: to(AskPlace36, AskMagic), seat: Japan, note: "Put a 36th Army unit into a hex, one after the other."},
	KindOrders:      {id: "orders", answers: to(AskOrders), seat: US, note: "Secret orders to the 11th Division: mode of arrival, drop plan, or no change. The question is put at set-up and at the end of each US phase, so the answer tells nothing."},
	KindPlan:        {id: "plan", answers: to(AskPlan), seat: US, note: "Secret plan of the IX Corps landing."},
	KindZones:       {id: "zones", answers: to(AskZones), seat: US, generating: true, note: "A zone for every naval marker. Markers of one nation are alike, so the list has them in the order of the zones; any order is accepted."},
	KindRemove:      {id: "remove", answers: to(AskRemove), seat: Japan, generating: true, note: "Naval markers to remove. Of markers in one zone the list takes those with the lowest numbers; any are accepted."},
	KindBombs:       {id: "bombs", answers: to(AskBombs), seat: US, note: "Declare the number of atomic bombs of the turn."},
	KindTarget:      {id: "target", answers: to(AskTarget), seat: US, note: "Put the next bomb on a hex or a unit in the AV Box."},
	KindBomb:        {id: "bomb", answers: to(AskBomb), seat: US, note: "Explode one of the bombs placed."},
	KindLosses:      {id: "losses", answers: to(AskLosses), seat: US, note: "Distribute the losses of a bomb."},
	KindSupply:      {id: "supply", answers: to(AskAirSupply), seat: US, note: "Place air supply in a hex, or none."},
	KindMove:        {id: "move", answers: to(AskActions), seat: rules.NoSeat, generating: true, note: "Move units of one hex for 1 CP. The list has single units with their destinations; the rest of the stack follows by `follow` without paying again. Groups, explicit paths and moves that end where they began are accepted too."},
	KindFollow:      {id: "follow", answers: to(AskActions), seat: rules.NoSeat, generating: true, note: "Move a further unit of the stack that was paid for last. The list has destinations; explicit paths are accepted."},
	KindEnter:       {id: "enter", answers: to(AskActions), seat: rules.NoSeat, generating: true, note: "Bring a unit onto the map. For the 56th Army the list has destinations; explicit paths from an entry hex are accepted."},
	KindAttack:      {id: "attack", answers: to(AskActions), seat: rules.NoSeat, generating: true, note: "Attack an adjacent hex. Of naval markers in one zone the list takes the one with the lowest number; any is accepted."},
	KindConsecutive: {id: "consecutive", answers: to(AskActions), seat: rules.NoSeat, note: "Begin to declare a consecutive attack by its target and first attack; `also` adds attacks and `declare` ends the declaration."},
	KindAlso:        {id: "also", answers: to(AskDeclare), seat: rules.NoSeat, note: "Add an attack to the consecutive attack that is being declared."},
	KindDeclare:     {id: "declare", answers: to(AskDeclare), seat: rules.NoSeat, generating: true, note: "Declare the consecutive attack, pay for it and, for the US, commit support markers. Naval markers as for `attack`."},
	KindLand:        {id: "land", answers: to(AskActions), seat: US, generating: true, note: "Land IX Corps as planned. Naval markers as for `attack`."},
	KindCancel:      {id: "cancel", answers: to(AskActions), seat: US, note: "Cancel the IX Corps landing and show its plan."},
	KindRecover:     {id: "recover", answers: to(AskActions), seat: US, note: "Recover a division's step."},
	KindRebuild:     {id: "rebuild", answers: to(AskActions), seat: US, note: "Rebuild an eliminated unit in the Holding Box."},
	KindStepUp:      {id: "stepup", answers: to(AskActions), seat: US, note: "Turn a reduced division in the Holding Box to full."},
	KindDrop:        {id: "drop", answers: to(AskActions), seat: US, note: "Drop the 11th Division as planned."},
	KindEnd:         {id: "end", answers: to(AskActions, AskMagic), seat: rules.NoSeat, note: "End the phase."},
	KindSupport:     {id: "support", answers: to(AskSupport), seat: US, generating: true, note: "Support a combat, or leave it without. Naval markers as for `attack`."},
	KindBombard:     {id: "bombard", answers: to(AskBombard), seat: US, note: "Fire the preparatory bombardment at a unit, or don't."},
	KindShot:        {id: "shot", answers: to(AskFire), seat: rules.NoSeat, note: "Fire a shot at a unit."},
	KindHold:        {id: "hold", answers: to(AskFire), seat: rules.NoSeat, note: "Decline the remaining shots of the unit that fired last."},
	KindRetreat:     {id: "retreat", answers: to(AskBreak), seat: US, note: "Declare a retreat and say which unit gets a step back."},
	KindStay:        {id: "stay", answers: to(AskBreak), seat: US, note: "Stay in the hex."},
	KindAbort:       {id: "abort", answers: to(AskBreak), seat: US, note: "Abort the attack and say which unit gets a step back."},
	KindPress:       {id: "press", answers: to(AskBreak), seat: US, note: "Go on with the attack."},
	KindWithdraw:    {id: "withdraw", answers: to(AskWithdraw), seat: US, note: "Say where each retreating unit goes."},
	KindAdvance:     {id: "advance", answers: to(AskAdvance), seat: rules.NoSeat, note: "Say which attackers advance; none may."},
	KindEliminate:   {id: "eliminate", answers: to(AskExcess), seat: rules.NoSeat, note: "Eliminate a unit of a stack that breaks the limits."},
	KindConcede:     {id: "concede", seat: rules.NoSeat, offer: true, note: "Offer to give the game up."},
	KindAccept:      {id: "accept", seat: rules.NoSeat, offer: true, note: "Accept that the opponent gives up."},
	KindDecline:     {id: "decline", seat: rules.NoSeat, offer: true, note: "Decline that the opponent gives up."},
}

// kindByID finds a kind; KindNone if there is none of that id.
func kindByID(id string) Kind {
	for k := KindPlace; k < numKinds; k++ {
		if kinds[k].id == id {
			return k
		}
	}
	return KindNone
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return k < numKinds && kinds[k].answers&(1<<a) != 0 }
