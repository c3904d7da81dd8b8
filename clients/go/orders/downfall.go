package orders

import (
	"fmt"
	"slices"
)

// Downfall is a standing order of Downfall, for the whole game or a part of it. The narrowest order answers.
type Downfall struct {
	Order DownfallOrder
	// Choice is what is done. DownfallZones takes the id of a zone too.
	Choice DownfallChoice
	// At is the only hex under attack that the order is for, such as "2819"; empty for all.
	At string
	// Units are the only own units that the order is for, where one takes part; none for all.
	Units []string
}

// DownfallOrder is which standing order.
type DownfallOrder string

// The orders of Downfall.
const (
	DownfallSupport   DownfallOrder = "support"
	DownfallBombard   DownfallOrder = "bombard"
	DownfallFire      DownfallOrder = "fire"
	DownfallAbort     DownfallOrder = "abort"
	DownfallRetreat   DownfallOrder = "retreat"
	DownfallWithdraw  DownfallOrder = "withdraw"
	DownfallAdvance   DownfallOrder = "advance"
	DownfallBombs     DownfallOrder = "bombs"
	DownfallLosses    DownfallOrder = "losses"
	DownfallZones     DownfallOrder = "zones"
	DownfallRemove    DownfallOrder = "remove"
	DownfallAirSupply DownfallOrder = "air-supply"
	DownfallDivision  DownfallOrder = "division"
	DownfallPass      DownfallOrder = "pass"
	DownfallForced    DownfallOrder = "forced"
	DownfallAll       DownfallOrder = "all"
)

// DownfallChoice is what is done by an order.
type DownfallChoice string

// The choices of orders of Downfall.
const (
	// DownfallAsk asks after all, whatever wider orders say.
	DownfallAsk DownfallChoice = "ask"
	// DownfallDrop takes the order back, so that a wider one answers.
	DownfallDrop DownfallChoice = "drop"
	// DownfallNone is no support, bombardment, bomb or air supply.
	DownfallNone DownfallChoice = "none"
	// DownfallAir, DownfallNaval and DownfallBoth are what supports. Of DownfallSupport.
	DownfallAir   DownfallChoice = "air"
	DownfallNaval DownfallChoice = "naval"
	DownfallBoth  DownfallChoice = "both"
	// DownfallWeakest and DownfallStrongest are who is hit. Of DownfallBombard, DownfallFire and DownfallLosses.
	DownfallWeakest   DownfallChoice = "weakest"
	DownfallStrongest DownfallChoice = "strongest"
	// DownfallNever, DownfallEliminated and DownfallAlways are when to break off: never, if a unit is eliminated, or if
	// a step is lost. Of DownfallAbort and DownfallRetreat.
	DownfallNever      DownfallChoice = "never"
	DownfallEliminated DownfallChoice = "eliminated"
	DownfallAlways     DownfallChoice = "always"
	// DownfallSafest is where the fewest Japanese units are near. Of DownfallWithdraw.
	DownfallSafest DownfallChoice = "safest"
	// DownfallNobody and DownfallEverybody are who advances. Of DownfallAdvance.
	DownfallNobody    DownfallChoice = "nobody"
	DownfallEverybody DownfallChoice = "all"
	// DownfallEvenly is as many markers for each zone. Of DownfallZones.
	DownfallEvenly DownfallChoice = "evenly"
	// DownfallFullest and DownfallEmptiest are which zone loses markers. Of DownfallRemove.
	DownfallFullest  DownfallChoice = "fullest"
	DownfallEmptiest DownfallChoice = "emptiest"
	// DownfallMost is where most steps are supplied. Of DownfallAirSupply.
	DownfallMost DownfallChoice = "most"
	// DownfallKeep leaves the division its orders. Of DownfallDivision.
	DownfallKeep DownfallChoice = "keep"
	// DownfallEnd ends phases in which nothing else can be done. Of DownfallPass.
	DownfallEnd DownfallChoice = "end"
	// DownfallUsual gives the usual orders in place of all. Of DownfallAll.
	DownfallUsual DownfallChoice = "usual"
)

// downfallChoices are the choices of each order of Downfall.
var downfallChoices = map[DownfallOrder][]DownfallChoice{
	DownfallSupport:   {DownfallNone, DownfallAir, DownfallNaval, DownfallBoth},
	DownfallBombard:   {DownfallNone, DownfallWeakest, DownfallStrongest},
	DownfallFire:      {DownfallWeakest, DownfallStrongest},
	DownfallAbort:     {DownfallNever, DownfallEliminated, DownfallAlways},
	DownfallRetreat:   {DownfallNever, DownfallEliminated, DownfallAlways},
	DownfallWithdraw:  {DownfallSafest},
	DownfallAdvance:   {DownfallNobody, DownfallEverybody},
	DownfallBombs:     {DownfallNone},
	DownfallLosses:    {DownfallWeakest, DownfallStrongest},
	DownfallZones:     {DownfallEvenly},
	DownfallRemove:    {DownfallFullest, DownfallEmptiest},
	DownfallAirSupply: {DownfallNone, DownfallMost},
	DownfallDivision:  {DownfallKeep},
	DownfallPass:      {DownfallEnd},
	DownfallForced:    {},
	DownfallAll:       {DownfallUsual},
}

// Notation is the order as a command. The error says what the order lacks.
func (o Downfall) Notation() (string, error) {
	choices, known := downfallChoices[o.Order]
	if !known {
		return "", fmt.Errorf("%q is no standing order of Downfall", string(o.Order))
	}
	word := string(o.Choice)
	switch {
	case o.Choice == DownfallDrop:
		word = "-"
	case o.Choice == DownfallAsk || slices.Contains(choices, o.Choice):
	case o.Order != DownfallZones || word == "" || word == "-":
		return "", fmt.Errorf("%q is no choice of the order %s", word, o.Order)
	}
	words := []string{"standing", string(o.Order), word}
	if o.At != "" {
		words = append(words, "at", o.At)
	}
	if len(o.Units) > 0 {
		words = append(append(words, "of"), o.Units...)
	}
	if err := ids(o.Units); err != nil {
		return "", err
	}
	return written(words)
}
