package warledger_test

import (
	"context"
	"errors"
	"log"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
)

// The loop of a bot, as docs/howto/clients.md has it: watch, list, submit.
func Example() {
	var wallet warledger.Wallet
	wallet.Add("games/34nol3k4obdtavdlayh3bowx7y", "wl_s_...")
	client, err := warledger.Dial("localhost:7480")
	if err != nil {
		log.Print(err)
		return
	}
	defer client.Close()
	game := client.Game("games/34nol3k4obdtavdlayh3bowx7y", "us").WithTokens(&wallet)
	if err := playFirstActions(context.Background(), game); err != nil {
		log.Print(err)
	}
}

func playFirstActions(ctx context.Context, game *warledger.Game) error {
	for update, err := range game.Watch(ctx, warledger.WatchOptions{BoardFirst: true}) {
		if err != nil {
			return err
		}
		if update.Record == nil && update.CaughtUp == nil {
			continue
		}
		actions, err := game.ListLegal(ctx, warledger.LegalQuery{})
		if err != nil {
			return err
		}
		if len(actions) == 0 { // another seat is asked
			continue
		}
		_, err = game.Submit(ctx, warledger.Move{Notation: actions[0].Command, Expected: actions[0].Version})
		var refused *warledger.Refused
		switch {
		case errors.As(err, &refused): // what is listed is accepted, so this is about a command of your own
			log.Printf("%s: %s", refused.Rule, refused.Message)
		case err != nil && !errors.Is(err, warledger.ErrVersionConflict):
			return err
		}
	}
	return ctx.Err()
}

// TestDocumentedLoop runs the loop of docs/howto/clients.md for both seats of a game at a real server. It plays the
// game to its end, and never sends
// an offer, which would end it sooner.
func TestDocumentedLoop(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/howto/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, loop, _ := strings.Cut(string(page), "```go\n")
	loop, _, _ = strings.Cut(loop, "```\n")
	for line := range strings.Lines(loop[max(strings.Index(loop, "for update"), 0):]) {
		if !strings.Contains(string(source), "\t"+line) {
			t.Errorf("the example does not run this line of docs/howto/clients.md: %s", line)
		}
	}
	wallet := &warledger.Wallet{}
	c := dial(t, newHost(t).addr, warledger.WithTokens(wallet))
	red, blue := seated(t, c, wallet)
	ctx, stop := context.WithCancel(t.Context())
	var players sync.WaitGroup
	for _, seat := range []*warledger.Game{red, blue} {
		players.Go(func() {
			if err := playFirstActions(ctx, seat); err != nil && ctx.Err() == nil {
				t.Errorf("%s: %v", seat.Seat(), err)
			}
		})
	}
	defer players.Wait()
	defer stop()
	for _, r := range follow(t, c.Game(red.Name(), ""), warledger.WatchOptions{}) {
		if word, _, _ := strings.Cut(r.Notation, " "); slices.Contains([]string{"draw", "accept", "concede"}, word) {
			t.Errorf("the loop of %s sent %q", r.Seat, r.Notation)
		}
	}
}
