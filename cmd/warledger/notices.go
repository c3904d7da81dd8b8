package main

import (
	"fmt"
	"strings"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// webhookCmd is for programs that want to be told of what happens.
type webhookCmd struct {
	Add    webhookAddCmd    `cmd:"" help:"Have the server post what happens to an address, and print the secret that it signs with. For the seat of --as, or without one the owner's."`
	List   webhookListCmd   `cmd:"" help:"List your webhooks of a game and how they fare."`
	Ping   webhookPingCmd   `cmd:"" help:"Have the server post to a webhook at once; one that was given up goes on if it arrives."`
	Delete webhookDeleteCmd `cmd:"" help:"End a webhook."`
}

// kindsOf are the words for what is told of.
var kindsOf = map[string]logv1.NoticeKind{
	"record": logv1.NoticeKind_NOTICE_KIND_RECORD, "asked": logv1.NoticeKind_NOTICE_KIND_ASKED,
	"reminder": logv1.NoticeKind_NOTICE_KIND_REMINDER, "over": logv1.NoticeKind_NOTICE_KIND_OVER,
	"message": logv1.NoticeKind_NOTICE_KIND_MESSAGE,
}

type webhookAddCmd struct {
	Game string   `arg:"" help:"Game."`
	URL  string   `arg:"" name:"url" help:"Address, https."`
	Tell []string `help:"What to report: record, asked, reminder, over, message; everything but messages if not given." enum:"record,asked,reminder,over,message" placeholder:"KIND,..."`
	Note string   `help:"What it is for."`
}

// Run makes a webhook and prints its secret, alone on its line, for it is told once.
func (c webhookAddCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	h := warledger.Hook{URL: c.URL, Note: c.Note}
	for _, word := range c.Tell {
		h.Kinds = append(h.Kinds, kindsOf[word])
	}
	hook, secret, err := game.CreateWebhook(a.ctx, h)
	if err != nil {
		return err
	}
	return a.message(&v1.CreateWebhookResponse{Webhook: hook, Secret: secret}, func() { a.say("%s\n", secret) })
}

type webhookListCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run lists webhooks.
func (c webhookListCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	hooks, err := game.ListWebhooks(a.ctx)
	if err != nil {
		return err
	}
	return a.message(&v1.ListWebhooksResponse{Webhooks: hooks}, func() {
		rows := [][]string{a.heads("SEAT", "STATE", "WEBHOOK", "ADDRESS", "NOTE")}
		for _, h := range hooks {
			rows = append(rows, []string{orOwner(h.Seat), fares(h.Delivery), h.Name, h.Url, h.Note})
		}
		a.table(rows)
	})
}

func orOwner(seat string) string {
	if seat == "" {
		return "(owner)"
	}
	return seat
}

// fares says how a webhook or mailbox fares in a few words.
func fares(d *v1.Delivery) string {
	state := strings.ToLower(strings.TrimPrefix(d.GetState().String(), "SUBSCRIPTION_STATE_"))
	if d.GetFailure() != "" {
		return fmt.Sprintf("%s (%s, %d)", state, d.Failure, d.Attempts)
	}
	return state
}

// handleOf is the game that a webhook or mailbox belongs to, by its name.
func (a *app) handleOf(name, part string) (*warledger.Game, error) {
	game, _, ok := strings.Cut(name, "/"+part+"/")
	if !ok {
		return nil, usageError{fmt.Sprintf("%q is no name: expected games/.../%s/..., as list gives it", name, part)}
	}
	return a.game(game)
}

type webhookPingCmd struct {
	Webhook string `arg:"" help:"Name of the webhook (\"games/.../webhooks/...\")."`
}

// Run pings a webhook.
func (c webhookPingCmd) Run(a *app) error {
	game, err := a.handleOf(c.Webhook, "webhooks")
	if err != nil {
		return err
	}
	out, err := game.PingWebhook(a.ctx, c.Webhook)
	if err != nil {
		return err
	}
	err = a.message(out, func() {
		if out.Delivered {
			a.say("It arrived: status %d.\n", out.StatusCode)
			return
		}
		a.say("It did not arrive: %s, status %d.\n", out.Failure, out.StatusCode)
	})
	if err == nil && !out.Delivered {
		return quietError{exitFailed}
	}
	return err
}

type webhookDeleteCmd struct {
	Webhook string `arg:"" help:"Name of the webhook (\"games/.../webhooks/...\")."`
}

// Run ends a webhook.
func (c webhookDeleteCmd) Run(a *app) error {
	game, err := a.handleOf(c.Webhook, "webhooks")
	if err != nil {
		return err
	}
	if err := game.DeleteWebhook(a.ctx, c.Webhook); err != nil {
		return err
	}
	return a.message(&v1.DeleteWebhookResponse{}, func() { a.say("%s is gone.\n", c.Webhook) })
}

// mailCmd is for people who want to be told of what is asked of them.
type mailCmd struct {
	Add     mailAddCmd     `cmd:"" help:"Have the server ask an address whether it wants mail of your seat."`
	Confirm mailConfirmCmd `cmd:"" help:"Agree to mail, with the code that came."`
	List    mailListCmd    `cmd:"" help:"List where your seats get mail and how it fares."`
	Delete  mailDeleteCmd  `cmd:"" help:"End mail to an address."`
}

type mailAddCmd struct {
	Game    string        `arg:"" help:"Game."`
	Address string        `arg:"" help:"Address."`
	Every   time.Duration `help:"Least time between two mails; 15 minutes if not given."`

	Messages bool `help:"Also send what others say to the table or to your side."`
}

// Run asks for mail.
func (c mailAddCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	var tell []func(*v1.Mailbox)
	if c.Messages {
		tell = append(tell, warledger.TellMessages)
	}
	box, err := game.CreateMailbox(a.ctx, c.Address, c.Every, tell...)
	if err != nil {
		return err
	}
	return a.message(box, func() {
		a.say("A mail is on its way to %s. Follow its link, or: warledger mail confirm %s CODE\n",
			box.Address, box.Name)
	})
}

type mailConfirmCmd struct {
	Mailbox string `arg:"" help:"Name of the mailbox (\"games/.../mailboxes/...\")."`
	Code    string `arg:"" help:"Code of the mail."`
}

// Run agrees to mail.
func (c mailConfirmCmd) Run(a *app) error {
	game, err := a.handleOf(c.Mailbox, "mailboxes")
	if err != nil {
		return err
	}
	if err := game.ConfirmMailbox(a.ctx, c.Mailbox, c.Code); err != nil {
		return err
	}
	return a.message(&v1.ConfirmMailboxResponse{}, func() { a.say("Mail will come when something is asked.\n") })
}

type mailListCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run lists mailboxes.
func (c mailListCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	boxes, err := game.ListMailboxes(a.ctx)
	if err != nil {
		return err
	}
	return a.message(&v1.ListMailboxesResponse{Mailboxes: boxes}, func() {
		rows := [][]string{a.heads("SEAT", "STATE", "MAILBOX", "ADDRESS")}
		for _, b := range boxes {
			rows = append(rows, []string{b.Seat, fares(b.Delivery), b.Name, b.Address})
		}
		a.table(rows)
	})
}

type mailDeleteCmd struct {
	Mailbox string `arg:"" help:"Name of the mailbox (\"games/.../mailboxes/...\")."`
}

// Run ends mail.
func (c mailDeleteCmd) Run(a *app) error {
	game, err := a.handleOf(c.Mailbox, "mailboxes")
	if err != nil {
		return err
	}
	if err := game.DeleteMailbox(a.ctx, c.Mailbox); err != nil {
		return err
	}
	return a.message(&v1.DeleteMailboxResponse{}, func() { a.say("%s is gone.\n", c.Mailbox) })
}
