package ocs

import "github.com/warledger/warledger/rules/rulestest"

// owed shrinks to nothing: then this file goes.
var owed = rulestest.Debt{
	Uncited: []string{
		"OCS Intro-IV-F", "OCS Intro-IV-J", "OCS 3.1", "OCS 3.1d", "OCS 3.2d", "OCS 3.3", "OCS 3.3-A", "OCS 3.6",
		"OCS 3.6a", "OCS 3.6b", "OCS 3.6e", "OCS 4.5a-B", "OCS 4.5a-C", "OCS 4.5a-E", "OCS 4.6-1", "OCS 4.6-3",
		"OCS 4.8b-A", "OCS 4.8b-B", "OCS 4.8b-F", "OCS 4.8c-D", "OCS 4.9e", "OCS 5.5", "OCS 5.5e", "OCS 5.6",
		"OCS 5.9a", "OCS 5.9b", "OCS 5.10", "OCS 5.10a", "OCS 5.10a-A", "OCS 5.10b", "OCS 6.3", "OCS 7.0",
		"OCS 7.0b", "OCS 9.5", "OCS 9.13b", "OCS 9.14g", "OCS 10.0e", "OCS 10.0e-C", "OCS 10.2a", "OCS 10.2c",
		"OCS 11.0", "OCS 11.0c", "OCS 12.0", "OCS 12.2", "OCS 12.3b-B", "OCS 12.3b-C", "OCS 12.4-i", "OCS 12.4-ii",
		"OCS 12.4-iii", "OCS 12.6a-3", "OCS 12.6d", "OCS 12.6d-i", "OCS 12.7a", "OCS 12.8d", "OCS 12.9b",
		"OCS 12.9c", "OCS 12.9d", "OCS 12.10f", "OCS 13.1", "OCS 13.1b", "OCS 13.1b-i", "OCS 13.1b-ii",
		"OCS 13.1b-iii", "OCS 13.2a", "OCS 13.2e", "OCS 13.2g-D", "OCS 13.2g-E", "OCS 13.3c", "OCS 13.3d",
		"OCS 13.7a", "OCS 13.7a-i", "OCS 13.7a-ii", "OCS 13.8d-i", "OCS 14.0", "OCS 14.1-2", "OCS 14.1-3",
		"OCS 14.1g", "OCS 14.2", "OCS 14.2c", "OCS 14.2e-ii", "OCS 14.2e-iii", "OCS 14.2e-iv", "OCS 14.2e-vi",
		"OCS 14.2e-vii", "OCS 14.2e-viii", "OCS 14.3d-B", "OCS 14.3e", "OCS 14.7d-D", "OCS 14.8c-v", "OCS 14.8d",
		"OCS 14.9d-i", "OCS 14.9d-ii", "OCS 14.9e-A", "OCS 14.9e-B", "OCS 15.0d", "OCS 16.0", "OCS 17.0b",
		"OCS 17.0c", "OCS 17.0d", "OCS 18.1a", "OCS 18.3a-A", "OCS 18.4f-E", "OCS 18.5b", "OCS 18.6a-B",
	},
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
