package orders

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OCS is a standing order of OCS, for the whole game or a part of it. The narrowest order answers.
type OCS struct {
	Order OCSOrder
	// Value is what is done. The order OCSKeep has none, unless it is asked or dropped.
	Value OCSValue
	// Keep is how many tokens stay: in each store with OCSPay, in the hex with OCSKeep. 0 to 998 with OCSPay, and 1 to
	// 1000 with OCSKeep.
	Keep int
	// At is the only hex that the order is for; empty for all.
	At string
	// Units are the only own units that the order is for; none for all.
	Units []string
	// Once ends the order with the combat or mission under way, or else with the next that it fits.
	Once bool
}

// OCSOrder is which standing order.
type OCSOrder string

// The orders of OCS.
const (
	OCSAttackSupply  OCSOrder = "attack-supply"
	OCSDefenceSupply OCSOrder = "defence-supply"
	OCSLead          OCSOrder = "lead"
	OCSTerrain       OCSOrder = "terrain"
	OCSAttackLosses  OCSOrder = "attack-losses"
	OCSDefenceLosses OCSOrder = "defence-losses"
	OCSRetreat       OCSOrder = "retreat"
	OCSAdvance       OCSOrder = "advance"
	OCSReact         OCSOrder = "react"
	OCSIntercept     OCSOrder = "intercept"
	OCSPass          OCSOrder = "pass"
	OCSUsual         OCSOrder = "usual"
	OCSLoses         OCSOrder = "loses"
	OCSStore         OCSOrder = "store"
	OCSKeep          OCSOrder = "keep"
	OCSGrounded      OCSOrder = "grounded"
	OCSAirCombat     OCSOrder = "air-combat"
	OCSBeach         OCSOrder = "beach"
	OCSDisplace      OCSOrder = "displace"
	OCSRefuge        OCSOrder = "refuge"
	OCSYield         OCSOrder = "yield"
	OCSRestock       OCSOrder = "restock"
	OCSFeed          OCSOrder = "feed"
)

// OCSValue is what is done by an order.
type OCSValue string

// The values of orders of OCS.
const (
	// OCSAsk asks after all, whatever wider orders say. With OCSUsual it cancels all orders.
	OCSAsk OCSValue = "ask"
	// OCSDrop takes the order back, so that a wider one answers.
	OCSDrop OCSValue = "drop"
	// OCSPay pays for all units. Of both supply orders.
	OCSPay OCSValue = "pay"
	// OCSNothing pays for nobody. Of OCSDefenceSupply.
	OCSNothing OCSValue = "nothing"
	// OCSBest is the best rating, terrain or fighter. Of OCSLead, OCSTerrain and OCSIntercept.
	OCSBest OCSValue = "best"
	// OCSRetreats and OCSSteps are how optional losses are taken. Of both orders of losses.
	OCSRetreats OCSValue = "retreats"
	OCSSteps    OCSValue = "steps"
	// OCSCheapest is the way that costs least. Of OCSRetreat.
	OCSCheapest OCSValue = "cheapest"
	// OCSMust and OCSAll say which units advance: those that must, or all that fit. Of OCSAdvance; OCSAll also of
	// OCSUsual.
	OCSMust OCSValue = "must"
	OCSAll  OCSValue = "all"
	// OCSTable and OCSFight are how assaults on own beaches are resolved. Of OCSBeach.
	OCSTable OCSValue = "table"
	OCSFight OCSValue = "fight"
	// OCSNearest and OCSFarthest are where transports go whose hex is taken: near it, or far from the enemy. Of
	// OCSDisplace.
	OCSNearest  OCSValue = "nearest"
	OCSFarthest OCSValue = "farthest"
	// OCSOrdinary and OCSOrganic are which trucks are captured first. Of OCSYield.
	OCSOrdinary OCSValue = "ordinary"
	OCSOrganic  OCSValue = "organic"
	// OCSAlways feeds units while there is supply. Of OCSFeed.
	OCSAlways OCSValue = "always"
	// OCSNobody releases no unit. Of OCSReact.
	OCSNobody OCSValue = "nobody"
	// OCSNever is never to intercept, to pay or to eat. Of OCSIntercept, OCSStore and OCSFeed.
	OCSNever OCSValue = "never"
	// OCSFirst is first to lose, to pay or to go to, or the first choice of each list. Of OCSLoses, OCSStore,
	// OCSRefuge, OCSAirCombat and OCSRestock.
	OCSFirst OCSValue = "first"
	// OCSLast is last to lose or to pay. Of OCSLoses and OCSStore.
	OCSLast OCSValue = "last"
	// OCSStay keeps air units from intercepting. Of OCSGrounded.
	OCSStay OCSValue = "stay"
	// OCSEnd ends segments in which nothing else can be done. Of OCSPass.
	OCSEnd OCSValue = "end"
	// OCSGive gives the usual orders except those for beaches, captures and restocking, which OCSAll adds. Of OCSUsual.
	OCSGive OCSValue = "give"
)

// ocsValues are the values of each order of OCS; their numbers in notation count from 1.
var ocsValues = map[OCSOrder][]OCSValue{
	OCSAttackSupply:  {OCSPay},
	OCSDefenceSupply: {OCSNothing, OCSPay},
	OCSLead:          {OCSBest},
	OCSTerrain:       {OCSBest},
	OCSAttackLosses:  {OCSRetreats, OCSSteps},
	OCSDefenceLosses: {OCSRetreats, OCSSteps},
	OCSRetreat:       {OCSCheapest},
	OCSAdvance:       {OCSMust, OCSAll},
	OCSReact:         {OCSNobody},
	OCSIntercept:     {OCSNever, OCSBest},
	OCSPass:          {OCSEnd},
	OCSUsual:         {OCSGive, OCSAll},
	OCSLoses:         {OCSFirst, OCSLast},
	OCSStore:         {OCSNever, OCSFirst, OCSLast},
	OCSKeep:          {},
	OCSGrounded:      {OCSStay},
	OCSAirCombat:     {OCSFirst},
	OCSBeach:         {OCSTable, OCSFight},
	OCSDisplace:      {OCSNearest, OCSFarthest},
	OCSRefuge:        {OCSFirst},
	OCSYield:         {OCSOrdinary, OCSOrganic},
	OCSRestock:       {OCSFirst},
	OCSFeed:          {OCSNever, OCSAlways},
}

// Notation is the order as a command. The error says what the order lacks.
func (o OCS) Notation() (string, error) {
	n, err := o.number()
	if err == nil {
		err = ids(o.Units)
	}
	if err != nil {
		return "", err
	}
	words := []string{"orders"}
	if len(o.Units) > 0 {
		words = append(words, strings.Join(o.Units, ","))
	}
	words = append(words, "order="+string(o.Order))
	if n > 0 {
		words = append(words, "value="+strconv.Itoa(n))
	}
	if o.At != "" {
		words = append(words, "at="+o.At)
	}
	if o.Once {
		words = append(words, "once=true")
	}
	if o.Value == OCSDrop {
		words = append(words, "drop=true")
	}
	return written(words)
}

// number is the value of the order in notation.
func (o OCS) number() (int, error) {
	values, known := ocsValues[o.Order]
	at := slices.Index(values, o.Value)
	pays, keeps := o.Value == OCSPay && at >= 0, o.Order == OCSKeep && o.Value == ""
	switch {
	case !known:
		return 0, fmt.Errorf("%q is no standing order of OCS", string(o.Order))
	case o.Keep < 0 || o.Keep > 0 && !pays && !keeps:
		return 0, fmt.Errorf("%d tokens stay with the order %s %s, expected none", o.Keep, o.Order, o.Value)
	case o.Value == OCSAsk || o.Value == OCSDrop:
		return 0, nil
	case keeps && o.Keep > 0:
		return o.Keep, nil
	case at < 0:
		return 0, fmt.Errorf("%q is no value of the order %s", string(o.Value), o.Order)
	}
	return at + 1 + o.Keep, nil
}
