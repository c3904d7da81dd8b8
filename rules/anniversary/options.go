package anniversary

import "github.com/warledger/warledger/rules"

// options are the choices of a game (AA 16).
type options struct {
	research, objectives                                     bool
	rocketLimit, tinyIslands, bigFactories, printed, chinese bool
	cities                                                   uint8
}

// Option ids.
const (
	optResearch, optObjectives, optCities  = "research", "objectives", "victory_cities"
	optRockets, optIslands, optFactories   = "rocket_limit", "no_invisible_islands", "factory_value_3"
	optPrinted, optChinese, optCorrections = "printed_symbols", "chinese_stack_limit", "official_2009"
)

var optionList = []rules.Option{
	{ID: optCities, Rule: "AA 3.1.1", Key: "option.victory_cities", Values: []string{"15", "13", "18"}},
	{ID: optResearch, Rule: "AA 16.1.1", Key: "option.research", Values: []string{"true", "false"}},
	{ID: optObjectives, Rule: "AA 16.2.1", Key: "option.objectives", Values: []string{"true", "false"}},
	rules.Flag(optRockets, "AA 16.3.1", "option.rocket_limit"),
	rules.Flag(optIslands, "AA 16.3.2", "option.no_invisible_islands"),
	rules.Flag(optFactories, "AA 16.3.3", "option.factory_value_3"),
	rules.Flag(optPrinted, "AA 16.3.4", "option.printed_symbols"),
	rules.Flag(optChinese, "AA 16.3.5", "option.chinese_stack_limit"),
	rules.Flag(optCorrections, "", "option.official_2009"),
}

// newOptions reads the options of a game. The preset turns all corrections on (AA 16.3).
func newOptions(o rules.Options) options {
	all := o.On(optCorrections)
	return options{
		research: o.On(optResearch), objectives: o.On(optObjectives), cities: uint8(o.Int(optCities)),
		rocketLimit: all || o.On(optRockets), tinyIslands: all || o.On(optIslands), bigFactories: all || o.On(optFactories),
		printed: all || o.On(optPrinted), chinese: all || o.On(optChinese),
	}
}
