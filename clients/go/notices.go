package warledger

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Hook says where the server shall post what happens.
type Hook struct {
	// URL is where: https, unless the server lets others through.
	URL string
	// Kinds are what to tell of; everything if empty.
	Kinds []logv1.NoticeKind
	// Note says what it is for, at most 80 characters.
	Note string
	// Secret to sign with ("whsec_..."); the server draws one if it is empty.
	Secret string
	// ID of the request, a random UUID and as secret as what it gives; one is drawn if it is empty.
	ID string
}

// CreateWebhook has the server post what happens, as the handle's seat sees it; for the owner, of a handle without a
// seat, as spectators do. The caller keeps the secret: it is told once.
func (g *Game) CreateWebhook(ctx context.Context, h Hook) (hook *v1.Webhook, secret string, err error) {
	req := &v1.CreateWebhookRequest{
		Parent: g.name, Secret: h.Secret, RequestId: h.ID,
		Webhook: &v1.Webhook{Seat: g.seat, Url: h.URL, Kinds: h.Kinds, Note: h.Note, LanguageCode: g.lang},
	}
	if req.RequestId == "" {
		req.RequestId = newID()
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.notices.CreateWebhook)
	return resp.GetWebhook(), resp.GetSecret(), err
}

// ListWebhooks returns the webhooks of the caller's own tokens, and how they fare.
func (g *Game) ListWebhooks(ctx context.Context) ([]*v1.Webhook, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.ListWebhooksRequest{Parent: g.name},
		g.client.notices.ListWebhooks)
	return resp.GetWebhooks(), err
}

// GetWebhook returns a webhook by its name ("games/{game}/webhooks/{webhook}"), and how it fares.
func (g *Game) GetWebhook(ctx context.Context, name string) (*v1.Webhook, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.GetWebhookRequest{Name: name}, g.client.notices.GetWebhook)
	return resp.GetWebhook(), err
}

// DeleteWebhook ends a webhook. One that is gone is no error.
func (g *Game) DeleteWebhook(ctx context.Context, name string) error {
	_, err := call(ctx, g.client, g.tokens, g.name, &v1.DeleteWebhookRequest{Name: name},
		g.client.notices.DeleteWebhook)
	return err
}

// PingWebhook has the server post a notice of type "ping" and returns the outcome.
func (g *Game) PingWebhook(ctx context.Context, name string) (*v1.PingWebhookResponse, error) {
	return call(ctx, g.client, g.tokens, g.name, &v1.PingWebhookRequest{Name: name}, g.client.notices.PingWebhook)
}

// CreateMailbox has the server ask an address whether it wants mail, for the handle's seat and in its language. every
// is the least time between two mails; 0 for what is usual. It is told what tell says, such as [TellMessages].
func (g *Game) CreateMailbox(
	ctx context.Context, address string, every time.Duration, tell ...func(*v1.Mailbox),
) (*v1.Mailbox, error) {
	req := &v1.CreateMailboxRequest{Parent: g.name, RequestId: newID(),
		Mailbox: &v1.Mailbox{Seat: g.seat, Address: address, LanguageCode: g.lang}}
	if every != 0 {
		req.Mailbox.MinInterval = durationpb.New(every)
	}
	for _, f := range tell {
		f(req.Mailbox)
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.notices.CreateMailbox)
	return resp.GetMailbox(), err
}

// TellMessages has a mailbox told also what others say to the table or to its seat's side.
func TellMessages(b *v1.Mailbox) { b.Messages = true }

// ListMailboxes returns the mailboxes of the caller's seats, and how they fare.
func (g *Game) ListMailboxes(ctx context.Context) ([]*v1.Mailbox, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.ListMailboxesRequest{Parent: g.name},
		g.client.notices.ListMailboxes)
	return resp.GetMailboxes(), err
}

// ConfirmMailbox agrees to mail, with the code that was sent to the address. It needs no token.
func (g *Game) ConfirmMailbox(ctx context.Context, name, code string) error {
	_, err := call(ctx, g.client, nil, g.name, &v1.ConfirmMailboxRequest{Name: name, Code: code},
		g.client.notices.ConfirmMailbox)
	return err
}

// DeleteMailbox ends mail to an address. One that is gone is no error.
func (g *Game) DeleteMailbox(ctx context.Context, name string) error {
	_, err := call(ctx, g.client, g.tokens, g.name, &v1.DeleteMailboxRequest{Name: name},
		g.client.notices.DeleteMailbox)
	return err
}
