package kit

import "github.com/warledger/warledger/rules"

// Policy is a policy of forecasts with its values, the default first. The catalogue describes it as policy.ID, and its
// values as policy.ID-VALUE.
func Policy(id string, values ...string) rules.Policy {
	p := rules.Policy{ID: id, Key: "policy." + id}
	for _, v := range values {
		p.Values = append(p.Values, rules.PolicyValue{Value: v, Key: p.Key + "-" + v})
	}
	return p
}
