package ocs

import ()

// Kind is a kind of command.
type Kind uint8

// The kinds: sequence of play, movement, combat, supply, specialised units.
const (
	KindNone Kind = iota
	KindEnd
	KindOrder
	KindAgree
	KindConcede
	KindTop
	KindPlace
	KindStow

	KindMove
	KindMode
	KindRemove
	KindOverrun
	KindRelease
	KindCommit
	KindLeave

	KindAttack
	KindPay
	KindStocks
	KindReady
	KindLead
	KindTerrain
	KindLosses
	KindRetreat
	KindAdvance
	KindBarrage

	KindFuel
	KindFuelHQ
	KindFuelFormation
	KindRestock
	KindFeed
	KindProvide
	KindDone
	KindSuffer
	KindBreakout
	KindLoad
	KindUnload
	KindMerge
	KindSplit
	KindExtend
	KindDisband
	KindCollapse
	KindDestroy
	KindYield
	KindDisplace

	KindArrive
	KindForfeit
	KindPlaceSupply
	KindPlaceRepl
	KindPlaceTrucks
	KindWaive
	KindRail
	KindConvert
	KindRebuild
	KindRestore
	KindRebuildTrucks
	KindConsolidate
	KindExchange
	KindConstruct
	KindDetach
	KindAbsorb
	KindGroup
	KindUngroup

	KindSweep
	KindAirBarrage
	KindHipShoot
	KindTrainbust
	KindTransfer
	KindAirlift
	KindAirdrop
	KindPlanDrop
	KindDelayDrop
	KindCancelDrop
	KindRefit
	KindIntercept
	KindStandDown
	KindEngage
	KindFlyBack
	KindTakeHit
	KindJettison
	KindPlaceAir
	KindRestoreAir
	KindCombineAir
	KindScout
	KindFuelIndependents
	KindGodzilla
	KindGodzillaAnswer
	KindRaid
	KindEvade

	KindSail
	KindPlaceShip
	KindNavalBarrage
	KindAim
	KindRefitAboard
	KindSeaTrip
	KindFlyOn
	KindEmbark
	KindDisembark
	KindMergeCraft
	KindSplitCraft
	KindLand
	KindBeachAssault
	KindChooseBeach
	KindMakePort
	KindGoAshore
	KindGoAfloat
	KindCross
	KindOrders

	numKinds
)

// Command is what a seat asks for. All kinds share these fields; codec.go fills them from the message of the kind by
// the names of its fields. Fields that a kind does not use are as in the command that [only] makes.
type Command struct {
	Kind Kind
	// Units that act ("units"), and a single one ("unit").
	Units []Unit
	Unit  Unit
	// Other is a unit of the other side, or another one of the own ("other").
	Other Unit
	// Path are places to enter ("path"). From and At are single ones ("from", "at").
	Path     []Place
	From, At Place
	// N and M count: "tokens", "steps", "count", "level" are N, "points" is M.
	N, M int
	// Yes is a yes ("yes").
	Yes bool
	// Once and Drop of a standing order ("once", "drop").
	Once, Drop bool
	// Marker and Face of a mode ("marker", "face").
	Marker Marker
	Face   Face
	// Choice is the number of any other enumeration ("choice").
	Choice int
	// Name is an id of something that is no unit or place: a formation, an entry, a counter ("formation", "entry",
	// "counter").
	Name string
	// Lines are lines of several things ("lines").
	Lines []Line
}

// Line is a line of a command. Terrain is an index of the scenario's terrains, or 100 more than that of a hexside; -1
// for none.
type Line struct {
	Unit    Unit
	At      Place
	Count   int
	By      Unit
	Terrain int16
	// Flight is how an air unit flies, by the numbers of the contract.
	Flight uint8
}

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Unit: NoUnit, Other: NoUnit, From: Nowhere, At: Nowhere}
}
