package anniversary

import "github.com/warledger/warledger/rules/rulestest"

// owed shrinks to nothing: then this file goes.
var owed = rulestest.Debt{
	Uncited: []string{
		"AA 1.2.8", "AA 2.2.2", "AA 2.2.3", "AA 2.3.2", "AA 2.4.2", "AA 2.5.3", "AA 2.6.2", "AA 2.7.3", "AA 4.2.2",
		"AA 4.2.5", "AA 5.1.1", "AA 5.4.4", "AA 5.5.2", "AA 5.5.3", "AA 6.2.11", "AA 6.3.9", "AA 8.1.5",
		"AA 8.1.11", "AA 8.2.1", "AA 8.2.4", "AA 8.2.5", "AA 8.3.12", "AA 8.4.4", "AA 8.4.5", "AA 8.4.6",
		"AA 8.5.1", "AA 8.5.3", "AA 8.6.3", "AA 8.6.4", "AA 8.7.4", "AA 8.7.5", "AA 8.8.4", "AA 9.1.4", "AA 9.2.8",
		"AA 9.3.4", "AA 9.3.11", "AA 9.3.13", "AA 9.3.16", "AA 9.3.17", "AA 9.3.18", "AA 9.4.2", "AA 9.7.6",
		"AA 9.7.10", "AA 9.7.11", "AA 9.10.3", "AA 9.10.4", "AA 9.10.5", "AA 9.12.2", "AA 9.12.3", "AA 10.1.3",
		"AA 10.1.4", "AA 10.3.1", "AA 10.3.7", "AA 11.1.1", "AA 11.2.1", "AA 12.1.3", "AA 12.3.8", "AA 12.5.4",
		"AA 14.1.4", "AA 15.4.5", "AA 15.5.2", "AA 15.5.3", "AA 15.5.4", "AA 15.6.1", "AA 15.6.2", "AA 15.7.2",
		"AA 15.10.3", "AA 15.11.3", "AA 15.12.2", "AA 15.12.4", "AA 15.13.5", "AA 15.13.9", "AA 15.13.12",
		"AA 15.13.14", "AA 15.13.16",
	},
	Crowded: []string{
		"TestAntiaircraftFire", "TestBlitz", "TestBoardFacts", "TestCapture", "TestClearingTheSeaForALanding",
		"TestCombatMovesEnd", "TestFullRangeBecauseOfCarrier", "TestGoals", "TestGunInAnAllysTerritory",
		"TestLeavingAHostileZone", "TestNoAssaultWithoutDeclaration", "TestOnlySubmarinesAndTransportsAtSea",
		"TestRaidWithAntiaircraftFire", "TestRockets", "TestSeaRetreatCancelsTheLanding", "TestSetUps",
		"TestShipsAndHostileZones", "TestSimpleLandCombat", "TestStartIncomes", "TestStoppingAtEnemiesAtSea",
		"TestTransportsAfterTheirTask", "TestTransportsInCombatMove", "TestUnitNumbers", "cases/combat-moves",
	},
}
