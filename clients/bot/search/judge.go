package search

import "github.com/warledger/warledger/rules"

// judges say who has won a game that was cut off, by its positions at the beginning and now.
var judges = map[string]func(begin, now rules.Game) rules.Seats{"anniversary": judgeAnniversary}

// Judge is the measure by which games of a ruleset that were cut off are judged; nil if it has none.
func Judge(ruleset string) func(begin, now rules.Game) rules.Seats { return judges[ruleset] }
