package discord

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/disgoorg/disgo"
	"github.com/disgoorg/disgo/bot"
	"github.com/disgoorg/disgo/cache"
	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"
	"golang.org/x/sync/semaphore"

	warledger "github.com/warledger/warledger/clients/go"
)

// Config says what a bridge works with.
type Config struct {
	// Token of the application's bot. It is kept out of every log.
	Token string
	// Server is the Warledger server. The bridge gives the tokens of each call itself.
	Server *warledger.Client
	// File is where games, seats and positions are kept; made if it is not there. It holds the players' tokens.
	File string
	// Guild is the only guild in which the commands are offered; 0 for all of them.
	Guild snowflake.ID
	// Board is the address of the web board to link to, as in "https://play.example/"; empty for no link.
	Board string
	// Settle is how long a game must be quiet before somebody is called to it; 3 seconds if 0.
	Settle time.Duration
	// Retry is how long to wait at first before what failed at Discord is tried again, doubling up to five
	// minutes; a second if 0.
	Retry time.Duration
	// Log is where the bridge says how it is doing; nowhere if nil.
	Log *slog.Logger
	// REST is the address of Discord's API, if not the usual one. It names the gateway.
	REST string

	// live opens the gateway; the library's own if nil. Tests with the race detector have another, since the library's
	// has races of its own.
	live func(ctx context.Context, client *bot.Client) error
}

// Bridge is a bridge that runs. Use [Run].
type Bridge struct {
	set    Config
	app    snowflake.ID
	store  *store
	client *bot.Client
	log    *slog.Logger

	// ctx ends when the bridge is to stop; everything that it began counts in working.
	ctx     context.Context
	working sync.WaitGroup
	busy    *semaphore.Weighted
	failed  chan error

	// self is the bot as a user.
	self snowflake.ID

	mu        sync.Mutex
	stopping  bool
	followers map[string]*follower
	ears      map[string]*ear
}

// mostBusy is how many interactions are worked on at once; further ones wait.
const mostBusy = 16

// Run runs a bridge until the context ends. It fails at once if the token, the file or the first connection to Discord
// does not do; what breaks later is tried again.
func Run(ctx context.Context, set Config) (err error) {
	b, err := newBridge(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.store.close()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	b.ctx = ctx
	if err := b.connect(); err != nil {
		return err
	}
	defer b.hangUp()
	defer b.drain(stop)
	if err := b.resume(); err != nil {
		return err
	}
	live := set.live
	if live == nil {
		live = func(ctx context.Context, client *bot.Client) error { return client.OpenGateway(ctx) }
	}
	err = live(ctx, b.client)
	if ctx.Err() != nil { // stopped while it connected
		return nil
	}
	if err != nil {
		return fmt.Errorf("discord's gateway: %w", err)
	}
	b.log.Info("the bridge is up", "application", b.app)
	select {
	case <-ctx.Done():
		return nil
	case err := <-b.failed:
		return fmt.Errorf("discord closed its gateway for good: %w", err)
	}
}

// fail ends the bridge: the library will not connect again.
func (b *Bridge) fail(err error) {
	select {
	case b.failed <- err:
	default:
	}
}

func newBridge(ctx context.Context, set Config) (*Bridge, error) {
	app, err := application(set.Token)
	if err != nil {
		return nil, err
	}
	if set.Settle == 0 {
		set.Settle = 3 * time.Second
	}
	if set.Retry == 0 {
		set.Retry = time.Second
	}
	if set.Log == nil {
		set.Log = slog.New(slog.DiscardHandler)
	}
	kept, err := openStore(set.File)
	if err != nil {
		return nil, err
	}
	set.Server = set.Server.KeepingChains(kept)
	return &Bridge{
		set: set, app: app, store: kept, log: set.Log, ctx: ctx, busy: semaphore.NewWeighted(mostBusy),
		failed: make(chan error, 1), followers: make(map[string]*follower),
		ears: make(map[string]*ear),
	}, nil
}

// application reads the id of the application, which a bot's token begins with.
func application(token string) (snowflake.ID, error) {
	first, _, ok := strings.Cut(token, ".")
	id, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(first, "="))
	if !ok || err != nil {
		return 0, errors.New("this is no token of a Discord bot")
	}
	app, err := snowflake.Parse(string(id))
	if err != nil {
		return 0, errors.New("this is no token of a Discord bot")
	}
	return app, nil
}

// connect makes the client of Discord and registers the commands.
func (b *Bridge) connect() error {
	// The library logs bodies and addresses of interactions, secrets of players among them: of calls nothing is let
	// through, of the rest only errors.
	quiet, silent := slog.New(atLeast{b.log.Handler(), slog.LevelError}), slog.New(slog.DiscardHandler)
	calls := []rest.ClientConfigOpt{rest.WithLogger(silent),
		rest.WithRateLimiterConfigOpts(rest.WithRateLimiterLogger(silent))}
	if b.set.REST != "" {
		calls = append(calls, rest.WithURL(b.set.REST))
	}
	// Interactions come without any intent, and nothing of the server is kept in memory.
	live := []gateway.ConfigOpt{
		gateway.WithLogger(quiet), gateway.WithCompression(gateway.CompressionNone),
		gateway.WithCloseHandler(func(_ gateway.Gateway, err error, _ bool) { b.fail(err) }),
	}
	client, err := disgo.New(b.set.Token,
		bot.WithLogger(quiet), bot.WithRestClientConfigOpts(calls...),
		bot.WithRestConfigOpts(
			rest.WithDefaultAllowedMentions(discord.AllowedMentions{Parse: []discord.AllowedMentionType{}}),
		),
		bot.WithGatewayConfigOpts(live...), bot.WithCacheConfigOpts(cache.WithCaches(cache.FlagsNone)),
		bot.WithEventListenerFunc(b.onCommand), bot.WithEventListenerFunc(b.onComponent),
		bot.WithEventListenerFunc(b.onAutocomplete),
	)
	if err != nil {
		return fmt.Errorf("discord: %w", plain(err))
	}
	b.client = client
	me, err := client.Rest.GetCurrentUser("", rest.WithCtx(b.ctx))
	if err != nil {
		b.hangUp()
		return fmt.Errorf("signing in at Discord: %w", plain(err))
	}
	b.self = me.ID
	if b.set.Guild != 0 {
		_, err = client.Rest.SetGuildCommands(b.app, b.set.Guild, commands(), rest.WithCtx(b.ctx))
	} else {
		_, err = client.Rest.SetGlobalCommands(b.app, commands(), rest.WithCtx(b.ctx))
	}
	if err != nil {
		b.hangUp()
		return fmt.Errorf("registering the commands at Discord: %w", plain(err))
	}
	return nil
}

// start does something beside all else, unless the bridge stops.
func (b *Bridge) start(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.stopping {
		b.working.Go(do)
	}
}

// drain ends what is being done, and lets nothing begin.
func (b *Bridge) drain(stop func()) {
	b.mu.Lock()
	b.stopping = true
	b.mu.Unlock()
	stop()
	b.working.Wait()
}

func (b *Bridge) hangUp() {
	ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
	defer done()
	b.client.Close(ctx)
}

// resume finishes what was begun before the bridge stopped, and follows the games again.
func (b *Bridge) resume() error {
	open, err := b.store.intents()
	if err != nil {
		return err
	}
	for id, i := range open {
		b.start(func() { b.keepTrying(id, i) })
	}
	all, err := b.store.tables()
	if err != nil {
		return err
	}
	for _, t := range all {
		if !t.Ended {
			b.follow(t.Game)
			b.listen(t.Game)
		}
	}
	return nil
}

// follow begins to tell a game in its channel, once.
func (b *Bridge) follow(game string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.followers[game] != nil || b.stopping {
		return
	}
	ctx, stop := context.WithCancel(b.ctx)
	f := &follower{Bridge: b, game: game, ctx: ctx, stop: stop, kick: make(chan struct{}, 1)}
	b.followers[game] = f
	b.working.Go(func() {
		defer b.unfollow(f)
		f.run()
	})
}

func (b *Bridge) unfollow(f *follower) {
	f.stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.followers[f.game] == f {
		delete(b.followers, f.game)
	}
}

// nudge has a game look again whom it waits for.
func (b *Bridge) nudge(game string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.followers[game]; f != nil {
		f.wake()
	}
}

// spectator is a game as anybody sees it, in a language: what goes into the channel comes from here alone.
func (b *Bridge) spectator(game, lang string) *warledger.Game {
	return b.set.Server.Game(game, "").WithTokens(nil).InLanguage(lang)
}

// seat is a game as the holder of a seat plays it.
func (b *Bridge) seat(t *table, seat, lang string) *warledger.Game {
	return b.set.Server.Game(t.Game, seat).InLanguage(lang).WithTokens(fixed(t.Seats[seat].Token)).ForSeats(seat)
}

// player is a game as somebody sees it with all seats that they hold.
func (b *Bridge) player(t *table, user snowflake.ID, lang string) *warledger.Game {
	return b.set.Server.Game(t.Game, "").InLanguage(lang).WithTokens(fixed(t.tokens(user)...)).ForSeats(t.of(user)...)
}

// atLeast lets only what matters pass.
type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled says whether a level matters.
func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

// WithAttrs keeps the level.
func (h atLeast) WithAttrs(a []slog.Attr) slog.Handler {
	return atLeast{h.Handler.WithAttrs(a), h.level}
}

// WithGroup keeps the level.
func (h atLeast) WithGroup(name string) slog.Handler {
	return atLeast{h.Handler.WithGroup(name), h.level}
}

// plain is what may be logged of an error of Discord: not its address, which has the tokens of
// interactions, and not its body.
func plain(err error) error {
	var e *rest.Error
	if errors.As(err, &e) {
		status := 0
		if e.Response != nil {
			status = e.Response.StatusCode
		}
		return fmt.Errorf("discord answered %d: %d %s", status, e.Code, e.Message)
	}
	for _, ours := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, ours) {
			return ours // without the address that the error would have around it
		}
	}
	return errors.New("discord could not be reached")
}

// fixed are tokens, whatever the game.
func fixed(tokens ...string) warledger.TokenSource {
	return warledger.TokenFunc(func(context.Context, string) ([]string, error) { return tokens, nil })
}
