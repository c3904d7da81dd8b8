package main

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
)

// TestOffersAreApart plays the first action of the list again and again, as a simple bot does, in every ruleset. No
// list of what a seat is asked holds an offer, a seat that is not asked has an empty one, and every page holds to that.
func TestOffersAreApart(t *testing.T) {
	eachRuleset(t, func(t *testing.T, set rules.Ruleset) {
		w := begin(t, circumstances[0], set)
		defer w.end()
		offered := 0
		for range 2 * steps() {
			now, err := w.games.GetGame(context.Background(), &v1.GetGameRequest{Name: w.name})
			w.must(err)
			if len(now.Game.WaitingFor) == 0 {
				break
			}
			for _, seat := range set.About().Seats {
				offered += w.holdsNoOffers(seat.ID, slices.Contains(now.Game.WaitingFor, seat.ID))
			}
			seat := now.Game.WaitingFor[0]
			w.take(step{play, seat, w.done(seat)[0].Command})
		}
		if offered == 0 {
			t.Error("nobody had an offer, so the test proves nothing")
		}
	})
}

// holdsNoOffers looks at the list of a seat, whole and by pages, and counts its offers.
func (w *world) holdsNoOffers(seat string, asked bool) int {
	w.t.Helper()
	ctx := bearer(context.Background(), w.tokens[seat])
	whole, err := w.games.ListLegalActions(ctx, &v1.ListLegalActionsRequest{Name: w.name, PageSize: 10_000,
		IncludeCommands: true})
	w.must(err)
	if asked != (len(whole.Actions) > 0) || int(whole.TotalSize) != len(whole.Actions) ||
		len(whole.Commands) != len(whole.Actions) {
		w.t.Fatalf("%s (asked: %t) has %d actions of %d, with %d messages", seat, asked, len(whole.Actions),
			whole.TotalSize, len(whole.Commands))
	}
	if slices.ContainsFunc(whole.Actions, (*boardv1.Action).GetOffer) {
		w.t.Fatalf("an offer is among what %s is asked: %v", seat, whole.Actions)
	}
	if slices.ContainsFunc(whole.Offers, func(a *boardv1.Action) bool { return !a.Offer }) ||
		len(whole.OfferCommands) != len(whole.Offers) {
		w.t.Fatalf("the offers of %s are %v with %d messages", seat, whole.Offers, len(whole.OfferCommands))
	}
	var actions []*boardv1.Action
	var offers []*boardv1.Action
	for page := new(v1.ListLegalActionsResponse); page.NextPageToken != "" || actions == nil; {
		size := int32(len(whole.Actions)/2 + 1)
		page, err = w.games.ListLegalActions(ctx, &v1.ListLegalActionsRequest{Name: w.name, PageSize: size,
			PageToken: page.NextPageToken})
		w.must(err)
		actions, offers = append(actions, page.Actions...), append(offers, page.Offers...)
		if len(page.Actions) == 0 {
			break
		}
	}
	same := func(a, b *boardv1.Action) bool { return proto.Equal(a, b) }
	if !slices.EqualFunc(actions, whole.Actions, same) || !slices.EqualFunc(offers, whole.Offers, same) {
		w.t.Fatalf("the pages of %s hold %d actions and %d offers, the whole %d and %d",
			seat, len(actions), len(offers),
			len(whole.Actions), len(whole.Offers))
	}
	return len(whole.Offers)
}
