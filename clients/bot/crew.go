package bot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Crew offers a bot at a server as a computer player, and plays the seats that it is given, each with the token of that
// seat alone. It agrees to whatever it is asked, because it is there for the people at the table.
type Crew struct {
	// Client is a connection to the server. Its own tokens are not used.
	Client *warledger.Client
	// Account is the token of the computer's account.
	Account string
	// Offer says what is offered.
	Offer *v1.OfferComputerRequest
	// Make makes the bot of one seat of a game of a ruleset.
	Make func(ruleset string) (Bot, error)
	// Turns bounds how many seats decide at once. Crews may share it, and waiting seats get their turns in the order
	// in which they came, so that no game waits for another. Nil is no bound.
	Turns *semaphore.Weighted
	// Percent is how much of its time a turn may be spent deciding, 1 to 100; 0 is 100. The turn rests for the other
	// part, so that what shares the processor with the crew gets it.
	Percent int
	// Patience is how long a bot may take to decide; 1 minute if 0. One that takes longer is given up, and its seat
	// plays random moves from then on.
	Patience time.Duration
	// Rest is the shortest pause after something failed, which doubles each time up to a minute; 1 second if 0.
	Rest time.Duration
	// Offered is told what is on offer, each time that the offer begins anew; may be nil.
	Offered func(*v1.Computer)
	// Given is told of each new seat before it is played; may be nil.
	Given func(seat *v1.ComputerSeat)
	// Decided is called with the time that a seat's bot thought for a decision, not counting the wait for its turn; may
	// be nil.
	Decided func(seat *v1.ComputerSeat, took time.Duration)
	// Failed is told what went wrong with a seat; may be nil. The crew goes on.
	Failed func(seat *v1.ComputerSeat, err error)

	mu      sync.Mutex
	playing map[string]bool // by token
}

// mostFailures is how often in a row a bot may fail before its seat plays random moves.
const mostFailures = 3

// Run offers the bot and plays until the context ends; then it returns nil. The error is that of
// [warledger.Client.Offer].
func (c *Crew) Run(ctx context.Context) error {
	var seats sync.WaitGroup
	defer seats.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o, err := range c.Client.Offer(ctx, c.Account, c.Offer) {
		if err != nil {
			return err
		}
		if o.Computer != nil && c.Offered != nil {
			c.Offered(o.Computer)
		}
		if seat := o.Seat; seat != nil && c.begin(seat) {
			if c.Given != nil {
				c.Given(seat)
			}
			seats.Go(func() {
				defer c.end(seat)
				c.play(ctx, seat)
			})
		}
	}
	return nil
}

// begin reports whether a seat is new.
func (c *Crew) begin(seat *v1.ComputerSeat) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.playing[seat.Token] {
		return false
	}
	if c.playing == nil {
		c.playing = make(map[string]bool)
	}
	c.playing[seat.Token] = true
	return true
}

func (c *Crew) end(seat *v1.ComputerSeat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.playing, seat.Token)
}

// play plays a seat until the game is over or the seat is taken back. What fails is tried again.
func (c *Crew) play(ctx context.Context, seat *v1.ComputerSeat) {
	brain := &guarded{patience: c.Patience, chance: NewRandom(rand.Uint64())}
	if brain.patience <= 0 {
		brain.patience = time.Minute
	}
	pause := c.Rest
	if pause <= 0 {
		pause = time.Second
	}
	first := pause
	failures := 0
	for {
		decisions, err := c.try(ctx, seat, brain)
		if err == nil || ctx.Err() != nil || lost(err) {
			return
		}
		if c.Failed != nil {
			c.Failed(seat, err)
		}
		if decisions > 0 {
			failures, pause = 0, first
		}
		if failures++; failures >= mostFailures && ours(err) {
			brain.bot = nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		pause = min(2*pause, time.Minute)
	}
}

// try plays a seat until something fails. A panic of a bot is a failure of its seat alone.
func (c *Crew) try(ctx context.Context, seat *v1.ComputerSeat, brain *guarded) (decisions int, err error) {
	if brain.bot == nil && !brain.spent {
		if brain.bot, err = c.Make(rulesetID(seat.Ruleset)); err != nil {
			brain.bot, brain.spent = nil, true
			return 0, err
		}
	}
	brain.spent = true
	own := new(warledger.Wallet)
	own.Add(seat.Name, seat.Token)
	player := &Player{Game: c.Client.Game(seat.Name, seat.Seat).WithTokens(own), Bot: brain, AgreeToUndo: true,
		AgreeToRest: true, GivesUp: seat.GivesUp}
	if c.Decided != nil {
		brain.decided = func(took time.Duration) { c.Decided(seat, took) }
	}
	if c.Turns != nil {
		player.Turn = func(ctx context.Context) (func(), error) {
			if err := c.Turns.Acquire(ctx, 1); err != nil {
				return nil, err
			}
			begun := time.Now()
			return func() { c.endTurn(time.Since(begun)) }, nil
		}
	}
	stats, err := player.Play(ctx)
	return stats.Decisions, err
}

// endTurn lets the next seat have its turn, after a rest.
func (c *Crew) endTurn(took time.Duration) {
	if c.Percent <= 0 || c.Percent >= 100 {
		c.Turns.Release(1)
		return
	}
	time.AfterFunc(took*time.Duration(100-c.Percent)/time.Duration(c.Percent), func() { c.Turns.Release(1) })
}

// lost reports whether an error says that the seat is not the computer's any more, or that the game is over.
func lost(err error) bool {
	for _, r := range []warledger.Reason{warledger.ErrTokenRevoked, warledger.ErrTokenUnknown,
		warledger.ErrTokenExpired, warledger.ErrNotYourSeat, warledger.ErrGameNotFound, warledger.ErrGameOver} {
		if errors.Is(err, r) {
			return true
		}
	}
	return false
}

// ours reports whether an error is the bot's fault rather than that of the server or the connection.
func ours(err error) bool {
	var said *warledger.Error
	if !errors.As(err, &said) {
		return true
	}
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.NotFound:
		return true
	}
	return false
}

// guarded is a bot that may hang, fail or panic, with chance to stand in for it. A bot of nil has been given up.
type guarded struct {
	bot      Bot
	chance   Bot
	patience time.Duration
	// spent is true once a bot was made for the seat.
	spent bool
	// decided is called with the time that each decision took; may be nil.
	decided func(time.Duration)
}

// answered is what a bot said.
type answered[T any] struct {
	said T
	err  error
}

// ask asks a bot something. A panic is an error. Late is true if it took longer than it may: then it may think on for
// ever, and must not be asked again.
func ask[T any](
	ctx context.Context, patience time.Duration, question func(context.Context) (T, error),
) (said T, late bool, err error) {
	thinking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer := make(chan answered[T], 1)
	go func() {
		var a answered[T]
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			answer <- a
		}()
		a.said, a.err = question(thinking)
	}()
	select {
	case a := <-answer:
		if thinking.Err() == nil {
			return a.said, false, a.err
		}
	case <-thinking.Done():
	}
	return said, true, ctx.Err()
}

// Choose has the bot decide, or chance if the bot has been given up.
func (g *guarded) Choose(ctx context.Context, v View) (Choice, error) {
	if g.decided != nil {
		defer func(begun time.Time) { g.decided(time.Since(begun)) }(time.Now())
	}
	if g.bot == nil {
		return g.chance.Choose(ctx, v)
	}
	b := g.bot // a late one still reads it
	choice, late, err := ask(ctx, g.patience, func(ctx context.Context) (Choice, error) { return b.Choose(ctx, v) })
	if !late || err != nil {
		return choice, err
	}
	g.bot = nil
	return g.chance.Choose(ctx, v)
}

// Chance asks the bot for its chance; 1 if it cannot tell, or takes too long.
func (g *guarded) Chance(ctx context.Context, v View) (float64, error) {
	judge, ok := g.bot.(Judge)
	if !ok {
		return 1, nil
	}
	chance, late, err := ask(ctx, g.patience,
		func(ctx context.Context) (float64, error) { return judge.Chance(ctx, v) })
	if !late || err != nil {
		return chance, err
	}
	g.bot = nil
	return 1, nil
}
