package warledger

import (
	"context"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/metadata"
)

// TokenSource gives the tokens that the caller holds of a game ("games/{game}"): of its owner, of seats. The server
// refuses a call that brings a token of another game.
type TokenSource interface {
	Tokens(ctx context.Context, game string) ([]string, error)
}

// TokenFunc is a function as a [TokenSource].
type TokenFunc func(ctx context.Context, game string) ([]string, error)

// Tokens calls the function.
func (f TokenFunc) Tokens(ctx context.Context, game string) ([]string, error) { return f(ctx, game) }

// Wallet keeps tokens and chains in memory, by game. It is for programs that end with their games, because chains do
// not outlive it. The zero value is empty; it is safe for concurrent use.
type Wallet struct {
	mu     sync.Mutex
	held   map[string][]string
	chains map[[2]string]*Chain
}

// Chain returns what is kept of a seat's chain.
func (w *Wallet) Chain(_ context.Context, game, seat string) (*Chain, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.chains[[2]string{game, seat}], nil
}

// KeepChain replaces old with next, if old is still what is kept.
func (w *Wallet) KeepChain(_ context.Context, game, seat string, old, next *Chain) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := [2]string{game, seat}
	if w.chains[key] != old {
		return ErrChainChanged
	}
	if w.chains == nil {
		w.chains = make(map[[2]string]*Chain)
	}
	if next == nil {
		delete(w.chains, key)
		return nil
	}
	w.chains[key] = next
	return nil
}

// Add keeps a token of a game.
func (w *Wallet) Add(game, token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		w.held = make(map[string][]string)
	}
	if !slices.Contains(w.held[game], token) {
		w.held[game] = append(w.held[game], token)
	}
}

// Remove forgets a token of a game.
func (w *Wallet) Remove(game, token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.held[game]; slices.Contains(held, token) {
		w.held[game] = slices.DeleteFunc(slices.Clone(held), func(t string) bool { return t == token })
	}
}

// Tokens returns the tokens kept of a game.
func (w *Wallet) Tokens(_ context.Context, game string) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.held[game]), nil
}

// WithBearer adds tokens to a call. Blanks and line ends around them, as in a file, do not count.
func WithBearer(ctx context.Context, tokens ...string) context.Context {
	for _, t := range tokens {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+strings.TrimSpace(t))
	}
	return ctx
}

// gameHeader names the game that a call is about, so that a load balancer can send all calls about it to one server.
const gameHeader = "warledger-game"

// with adds the name and the tokens of a game to a call.
func (c *Client) with(ctx context.Context, source TokenSource, game string) (context.Context, error) {
	if game != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, gameHeader, game)
	}
	if source == nil {
		return ctx, nil
	}
	tokens, err := source.Tokens(ctx, game)
	if err != nil {
		return nil, err
	}
	return WithBearer(ctx, tokens...), nil
}
