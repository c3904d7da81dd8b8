package warledger_test

import (
	"context"
	"errors"
	"log"

	warledger "github.com/warledger/warledger/clients/go"
)

// The loop of a bot, as docs/howto/clients.md has it: watch, list, submit.
func Example() {
	var wallet warledger.Wallet
	wallet.Add("games/34nol3k4obdtavdlayh3bowx7y", "wl_s_...")
	if err := playFirstActions(context.Background(), &wallet); err != nil {
		log.Print(err)
	}
}

func playFirstActions(ctx context.Context, wallet *warledger.Wallet) error {
	client, err := warledger.Dial("localhost:7480")
	if err != nil {
		return err
	}
	defer client.Close()
	game := client.Game("games/34nol3k4obdtavdlayh3bowx7y", "us").WithTokens(wallet)
	for update, err := range game.Watch(ctx, warledger.WatchOptions{BoardFirst: true}) {
		if err != nil {
			return err
		}
		if update.Record == nil && update.CaughtUp == nil {
			continue
		}
		actions, err := game.ListLegal(ctx, warledger.LegalQuery{})
		if err != nil || len(actions) == 0 {
			return err
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
