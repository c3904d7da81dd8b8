package anniversary

import (
	"strconv"

	"github.com/warledger/warledger/rules"
)

// options are the choices of a game (AA 16): the flags that are on, by bit, how many victory cities win, and the IPCs
// of each power's bid, 0 to 20.
type options struct {
	flags  uint16
	cities uint8
	bid    [NumSeats]uint8
}

// The flags, in the order of the list after the victory cities.
const (
	optResearch      = 1 << iota // AA 16.1.1
	optObjectives                // AA 16.2.1
	optRocketLimit               // AA 16.3.1
	optNoTinyIslands             // AA 16.3.2: what this program always does
	optBigFactories              // AA 16.3.3
	optPrinted                   // AA 16.3.4
	optChinese                   // AA 16.3.5
	optCorrections               // turns all corrections on (AA 16.3)
	optForced                    // the only answer to a question is given for its seat
	corrections      = optRocketLimit | optNoTinyIslands | optBigFactories | optPrinted | optChinese
)

var optionList = []rules.Option{
	{ID: "victory_cities", Rule: "AA 3.1.1", Key: "option.victory_cities", Values: []string{"15", "13", "18"}},
	{ID: "research", Rule: "AA 16.1.1", Key: "option.research", Values: []string{"true", "false"}},
	{ID: "objectives", Rule: "AA 16.2.1", Key: "option.objectives", Values: []string{"true", "false"}},
	rules.Flag("rocket_limit", "AA 16.3.1"),
	rules.Flag("no_invisible_islands", "AA 16.3.2"),
	rules.Flag("factory_value_3", "AA 16.3.3"),
	rules.Flag("printed_symbols", "AA 16.3.4"),
	rules.Flag("chinese_stack_limit", "AA 16.3.5"),
	rules.Flag("official_2009", ""),
	rules.Flag("forced_choices", ""),
	bidOf("bid_germany"),
	bidOf("bid_japan"),
	bidOf("bid_italy"),
	bidOf("bid_soviet_union"),
	bidOf("bid_united_kingdom"),
	bidOf("bid_united_states"),
}

// firstBid is the index of the first power's bid in the list; those of the others follow in the order of seats.
const firstBid = 10

// bidOf is an option that gives a power IPCs before the game, so that players may even the sides as they see them. It
// is in no rulebook.
func bidOf(id string) rules.Option {
	o := rules.Option{ID: id, Key: "option." + id}
	for n := range 21 {
		o.Values = append(o.Values, strconv.Itoa(n))
	}
	return o
}

// newOptions reads the options of a game. The preset is what it turns on.
func newOptions(given rules.Options) options {
	o := options{cities: uint8(given.Int(optionList[0].ID))}
	for i, option := range optionList[1:firstBid] {
		if given.On(option.ID) {
			o.flags |= 1 << i
		}
	}
	for power, option := range optionList[firstBid:] {
		o.bid[power] = uint8(given.Int(option.ID))
	}
	if o.has(optCorrections) {
		o.flags = o.flags&^optCorrections | corrections
	}
	return o
}

func (o *options) has(flag uint16) bool { return o.flags&flag != 0 }

// values are the options in the order of the list.
func (o *options) values() []string {
	list := []string{strconv.Itoa(int(o.cities))}
	for i := range optionList[1:firstBid] {
		list = append(list, strconv.FormatBool(o.has(1<<i)))
	}
	for _, ipcs := range o.bid {
		list = append(list, strconv.Itoa(int(ipcs)))
	}
	return list
}
