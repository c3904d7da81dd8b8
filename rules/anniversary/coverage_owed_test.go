package anniversary

import "github.com/warledger/warledger/rules/rulestest"

// owed shrinks to nothing: then this file goes.
var owed = rulestest.Debt{
	Crowded: []string{
		"TestAntiaircraftFire", "TestBlitz", "TestBoardFacts", "TestCapture", "TestClearingTheSeaForALanding",
		"TestCombatMovesEnd", "TestFullRangeBecauseOfCarrier", "TestGoals", "TestGunInAnAllysTerritory",
		"TestLeavingAHostileZone", "TestNoAssaultWithoutDeclaration", "TestOnlySubmarinesAndTransportsAtSea",
		"TestRaidWithAntiaircraftFire", "TestRockets", "TestSeaRetreatCancelsTheLanding", "TestSetUps",
		"TestShipsAndHostileZones", "TestSimpleLandCombat", "TestStartIncomes", "TestStoppingAtEnemiesAtSea",
		"TestTransportsAfterTheirTask", "TestTransportsInCombatMove", "TestUnitNumbers", "cases/combat-moves",
	},
}
