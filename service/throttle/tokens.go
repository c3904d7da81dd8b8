package throttle

import (
	"context"
	"crypto/sha256"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Checked tells that the tokens of a call were looked at. If they opened something, the first has a bucket of its own from now on: that of the
// person whom an identity provider names, if there is one, whatever token they bring. If not, it counts as a stranger's until it opens something.
func (t *Throttle) Checked(ctx context.Context, person string, opened bool) {
	if _, bounded := t.caller(ctx); !bounded {
		return
	}
	token := firstToken(ctx)
	if token == "" {
		return
	}
	k := tokenKey("token", token)
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.known[k]
	switch {
	case !opened:
		delete(t.known, k)
		return
	case s == nil && len(t.known) >= mostKnown: // it goes on counting by its address
		return
	case s == nil && person != "":
		s = t.share(tokenKey("person", person))
		t.known[k] = s
	case s == nil:
		s = t.share(k)
	}
	s.used = t.o.Clock()
}

// checked is what the first token of a call has, if it was found to open something; nil if not. Callers hold the lock.
func (t *Throttle) checked(ctx context.Context) *share {
	token := firstToken(ctx)
	if token == "" {
		return nil
	}
	s := t.known[tokenKey("token", token)]
	if s != nil {
		s.used = t.o.Clock()
	}
	return s
}

func tokenKey(kind, text string) (k key) {
	sum := sha256.Sum256([]byte(kind + " " + text))
	copy(k.token[:], sum[:])
	k.token[0] |= 0x80 // unlike the key of all others
	return k
}

// firstToken is the first bearer token in the metadata "authorization", without what the header may be spelt with: one token has one bucket.
func firstToken(ctx context.Context) string {
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(values[0], ",")
	_, token, _ := strings.Cut(strings.TrimSpace(first), " ")
	return strings.TrimSpace(token)
}
