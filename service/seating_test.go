package service_test

import (
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
)

// duel is Outpost for two people: nobody holds both seats.
type duel struct{ rules.Ruleset }

func (d duel) About() *rules.About {
	about := *d.Ruleset.About()
	about.Seating = func(players []rules.Seats) *rules.Refusal {
		for _, seats := range players {
			if seats.Len() > 1 {
				return &rules.Refusal{Reason: rules.ReasonIllegal, Rule: "TY 4.1", Words: "one seat each"}
			}
		}
		return nil
	}
	return &about
}

// What a ruleset says about seating holds whenever a seat is taken: who gives one name is one player, and nothing is
// known of whoever gives none.
func TestSeating(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.ruleset = duel{toy.Ruleset()} }).create()
	take := func(seat, holder, request string) (string, error) {
		out, err := g.games.TakeSeat(as(),
			&v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: holder, RequestId: request})
		return out.GetSeatToken(), err
	}
	red, err := take("red", "Ann", id())
	must(t, err)
	before, again := g.game().Version, id()
	_, err = take("blue", "Ann", again)
	if meta := wantError(t, err, codes.FailedPrecondition, fault.IllegalCommand); meta["rule"] != "TY 4.1" {
		t.Errorf("metadata: %v", meta)
	}
	if help := detail[*errdetails.Help](status.Convert(err)); help == nil {
		t.Error("the refusal names no paragraph to read")
	}
	if now := g.game(); now.Version != before || now.Seats[1].Holder != "" {
		t.Errorf("the refused seat left a trace: %v", now)
	}
	blue, err := take("blue", "Bob", again) // the id of what was refused is free
	must(t, err)
	if _, err = g.games.LeaveSeat(as(red),
		&v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()}); err != nil {
		t.Fatal(err)
	}
	_, err = take("red", "Bob", id())
	wantError(t, err, codes.FailedPrecondition, fault.IllegalCommand)
	_, err = g.games.LeaveSeat(as(blue), &v1.LeaveSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})
	must(t, err)
	for _, seat := range []string{"red", "blue"} {
		if _, err := take(seat, "", id()); err != nil {
			t.Errorf("without a name: %v", err)
		}
	}
	other := g.create()
	for _, seat := range []string{"red", "blue"} {
		_, err := other.games.TakeSeat(as(),
			&v1.TakeSeatRequest{Name: other.name, Seat: seat, Holder: "Cy " + seat, RequestId: id()})
		must(t, err)
	}
}
