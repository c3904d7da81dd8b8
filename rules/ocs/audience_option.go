package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// optionAudience is who may see the fact of an optional rule: answers and declarations are open, which units did
// what is not (OCS 4.9).
func (p *Position) optionAudience(e *event) rules.Audience {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_IndependentsFuelled:
		return p.only(k.IndependentsFuelled.GetSeat())
	case *ocsv1.Event_UnitEvaded:
		return p.only(k.UnitEvaded.GetSeat())
	}
	return rules.Everyone
}
