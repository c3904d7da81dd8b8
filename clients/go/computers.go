package warledger

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Computers lists the computer players that are on offer for a ruleset ("rulesets/{ruleset}") and a scenario of it;
// empty for any. The server's own come first; each part is sorted as readers of a language do ("de"), English if empty.
func (c *Client) Computers(ctx context.Context, ruleset, scenario, language string) ([]*v1.Computer, error) {
	req := &v1.ListComputersRequest{Ruleset: ruleset, Scenario: scenario, LanguageCode: language}
	resp, err := call(ctx, c, nil, "", req, c.computers.ListComputers)
	return resp.GetComputers(), err
}

// Seating says how a computer shall play.
type Seating func(*v1.SeatComputerRequest)

// GivingUp asks a computer to give up when it sees no hope, if it can tell. Otherwise it plays on to the end.
func GivingUp() Seating { return func(req *v1.SeatComputerRequest) { req.GivesUp = true } }

// SeatComputer gives a free seat to a computer ("computers/{computer}").
func (g *Game) SeatComputer(ctx context.Context, seat, computer string, how ...Seating) (*v1.Game, error) {
	req := &v1.SeatComputerRequest{Name: g.name, Seat: seat, Computer: computer, RequestId: newID()}
	for _, ask := range how {
		ask(req)
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.computers.SeatComputer)
	return resp.GetGame(), err
}

// UnseatComputer takes a seat back from a computer.
func (g *Game) UnseatComputer(ctx context.Context, seat string) (*v1.Game, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.UnseatComputerRequest{Name: g.name, Seat: seat, RequestId: newID()}, g.client.computers.UnseatComputer)
	return resp.GetGame(), err
}

// accountPrefix begins the tokens of computers' accounts.
const accountPrefix = "wl_b_"

// NewAccount draws the token of an account for a computer. Whoever has it is that computer, at every server: keep it
// as a secret, and use it for one computer only.
func NewAccount() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return accountPrefix + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random[:]))
}

// Offer offers a computer, with the token of its account, until the context ends. It yields the computer as the server
// lists it, each time that the stream begins, and the seats that it is to play: exactly one of the two is set. A stream
// that breaks is begun anew, and seats come again that were told before. It ends after an error that waiting does not
// mend, such as a name that is taken.
func (c *Client) Offer(
	ctx context.Context, account string, req *v1.OfferComputerRequest,
) iter.Seq2[Offered, error] {
	return func(yield func(Offered, error) bool) {
		for failures := 0; ctx.Err() == nil; {
			stopped, err := c.offerOnce(ctx, account, req, func(o Offered) bool {
				failures = 0
				return yield(o, nil)
			})
			failures++
			if stopped || ctx.Err() != nil {
				return
			}
			if !offerMendable(err, failures) {
				yield(Offered{}, err)
				return
			}
			if wait(ctx, c.pause.after(failures)) != nil {
				return
			}
		}
	}
}

// Offered is one thing that [Client.Offer] brings.
type Offered struct {
	// Computer is what is on offer.
	Computer *v1.Computer
	// Seat is a seat to play.
	Seat *v1.ComputerSeat
}

// offerOnce offers a computer by one stream. stopped is true if the receiver wants no more.
func (c *Client) offerOnce(
	ctx context.Context, account string, req *v1.OfferComputerRequest, yield func(Offered) bool,
) (stopped bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := usualHeartbeat * 5 / 2
	if h := req.GetHeartbeat(); h != nil {
		quiet = h.AsDuration() * 5 / 2
	}
	alarm := time.AfterFunc(quiet, func() { cancel(errSilent) })
	defer alarm.Stop()
	stream, err := c.computers.OfferComputer(WithBearer(ctx, account), req)
	for err == nil {
		var m *v1.OfferComputerResponse
		if m, err = stream.Recv(); err != nil {
			break
		}
		alarm.Stop() // the receiver may take its time
		o := Offered{Computer: m.GetOffered(), Seat: m.GetSeat()}
		if m.GetGoingAway() != nil {
			return false, errGoingAway
		}
		if (o.Computer != nil || o.Seat != nil) && !yield(o) {
			return true, nil
		}
		alarm.Reset(quiet)
	}
	if errors.Is(context.Cause(ctx), errSilent) {
		return false, errSilent
	}
	return false, err
}

// offerMendable reports whether a stream that ended with an error may do better when it is begun anew.
func offerMendable(err error, failures int) bool {
	switch {
	case errors.Is(err, ErrOfferReplaced): // the two would end each other for ever
		return false
	case errors.Is(err, errSilent), errors.Is(err, errGoingAway), errors.Is(err, io.EOF):
		return true
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.ResourceExhausted, codes.Canceled, codes.DeadlineExceeded, codes.Aborted:
		return true
	case codes.Internal, codes.Unknown: // what a broken connection leaves behind has no reason
		return failures < mostGaps
	}
	return false
}
