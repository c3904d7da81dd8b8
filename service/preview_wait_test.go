package service

import (
	"context"
	"errors"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/internal/live"
)

// TestPreviewsWaitTheirTurn: while as many are under way as may be, another waits as long as its caller does; what is
// refused does not wait.
func TestPreviewsWaitTheirTurn(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, options)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		t.Fatal(err)
	}
	s, m := &Service{previews: make(chan struct{}, 1), metrics: newMetrics()}, &live.Moment{Position: g}
	ask := func(ctx context.Context, text string) error {
		c, err := g.ParseCommand(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.preview(ctx, m, toy.Red, c, rules.Policies{})
		return err
	}
	s.previews <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := ask(ctx, "plan 0103"); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	var refused *rules.Refusal
	if err := ask(context.Background(), "end"); !errors.As(err, &refused) {
		t.Errorf("refused: %v", err)
	}
	<-s.previews
	if err := ask(context.Background(), "plan 0103"); err != nil || len(s.previews) != 0 {
		t.Errorf("at its turn: %v, %d places taken", err, len(s.previews))
	}
}
