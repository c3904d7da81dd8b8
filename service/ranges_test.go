package service_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// A board is left out where only what is included is wanted, and what is asked about is bounded.
func TestOnlyWhatIsIncluded(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	for _, c := range []struct {
		only, maps bool
		pieces     bool
	}{{false, true, true}, {true, true, false}, {true, false, false}} {
		out, err := g.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name, IncludeMap: c.maps,
			OnlyIncluded: c.only, RangesOf: []string{"r2"}, ThreatsTo: "0304"})
		if err != nil {
			t.Fatal(err)
		}
		if b := out.Board; (b.Map != nil) != c.maps || (len(b.Pieces) > 0) != c.pieces || out.Version == 0 {
			t.Errorf("%+v: version %d, a map %v, %d pieces", c, out.Version, b.Map != nil, len(b.Pieces))
		}
	}
	for _, req := range []*v1.GetBoardRequest{
		{RangesOf: make([]string, 65)}, {RangesOf: []string{"\n"}}, {ThreatsTo: "\n"},
	} {
		req.Name = g.name
		wantError(t, second(g.games.GetBoard(as(g.red), req)), codes.InvalidArgument, fault.ValidationFailed)
	}
}
