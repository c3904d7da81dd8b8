package ocs

import "github.com/warledger/warledger/rules/rulestest"

// owed shrinks to nothing: then this file goes.
var owed = rulestest.Debt{
	Crowded: []string{
		"TestAirBaseLevels", "TestAirCombatExample", "TestAirCombatRoles", "TestAirlift", "TestAllowances",
		"TestBarrageExample", "TestBarrageLimits", "TestBeachCombat", "TestBreakdowns", "TestBreakout",
		"TestBuildAirBase", "TestCombatExample", "TestCombinedMission", "TestCosts", "TestCounters",
		"TestDUKWAshore", "TestDefendersShare", "TestEmbark", "TestExploitation", "TestExploitationPhase",
		"TestExtenderRanges", "TestFeeding", "TestFlakModifiers", "TestFuelOneUnit", "TestGaugeConversion",
		"TestHQRanges", "TestHipShoot", "TestInterception", "TestLSTPort", "TestLand", "TestLoading",
		"TestMissionLimits", "TestModes", "TestOverrunExample", "TestPartialSupply", "TestRailTrip",
		"TestReaction", "TestRebuild", "TestRefit", "TestRestock", "TestScenarioFaults", "TestSeaCap",
		"TestShoreBombardment", "TestStocksWithSupply", "TestStrengths", "TestSurpriseExamples",
		"TestTrainbusting", "TestTwoOverruns", "TestUnobservedAirBarrage", "TestUsingFuel", "TestWhoCrosses",
		"TestWhoOverruns", "TestWhoRetreats", "cases/ishun-opening",
	},
}
