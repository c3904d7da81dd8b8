package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// Modifiers of one name are told as their sum (OCS 4.9c), and what cancels out is not told.
func TestModifiersOfOneName(t *testing.T) {
	t.Parallel()
	var n named
	add := n.of(byUnits, func(id string) bool { return id == bySide })
	for _, m := range []struct {
		id    string
		value int
	}{{"density", 2}, {bySide, -1}, {"strat", 3}, {byAir, 0}, {bySide, 1}} {
		add(m.id, m.value)
	}
	want := []*ocsv1.NamedModifier{{Id: byUnits, Value: 5}}
	if diff := cmp.Diff(want, n.told(), protocmp.Transform()); diff != "" || n.total() != 5 {
		t.Errorf("the sum is %d (-want +got):\n%s", n.total(), diff)
	}
}
