package downfall

import "github.com/warledger/warledger/rules/rulestest"

// owed shrinks to nothing: then this file goes.
var owed = rulestest.Debt{
	Uncited: []string{
		"DF 2.2", "DF 5.2-IA1", "DF 5.2-IA2", "DF 5.2-IB", "DF 5.2-IC", "DF 5.2-IIA", "DF 5.2-IIB", "DF 5.2-IIIA",
		"DF 5.2-IIIB", "DF 5.2-IIIC", "DF 5.2-IV", "DF 7.5-a", "DF 7.9-b", "DF 8.2-d", "DF 8.5-a", "DF 8.5-S1",
		"DF 8.5-S2", "DF 8.5-S3", "DF 8.5-S5", "DF 8.8-S1", "DF 8.8-S2", "DF 8.8-S3", "DF 8.8-S4", "DF 8.8-S5",
		"DF 8.8-S6", "DF 10.2", "DF 12.5", "DF 13.2-5", "DF 13.2-7", "DF 13.3-6", "DF 13.10-9",
		"DF 13.10-10", "DF 14.5-c", "DF 14.5-d",
	},
	Crowded: []string{
		"TestAirSupply", "TestArmy56Enters", "TestBeachheadLeftBehind", "TestCompleteJapaneseAttack",
		"TestCompleteUSAttack", "TestCountersInTheBox", "TestKamikazeModifiers", "TestKamikazeTable",
		"TestMixedCorps", "TestMovementFactors", "TestPhasesComeInOrder", "TestPrices", "TestPrintedSetupIsDone",
		"TestServiceCutOff", "TestSupplyStates", "cases/us-actions",
	},
}
