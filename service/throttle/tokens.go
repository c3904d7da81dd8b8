package throttle

import (
	"context"
	"crypto/sha256"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Checked is called once the tokens of a call were checked. If they opened something, the first has a bucket of its
// own from now on; if an identity provider names a person, that person's tokens share one. If not, it counts as a
// stranger's until it opens something.
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
	case s == nil && len(t.known) >= mostKnown: // it still counts by its address
		return
	case s == nil && person != "":
		s = t.share(tokenKey("person", person))
		t.known[k] = s
	case s == nil:
		s = t.share(k)
	}
	s.used = t.o.Clock()
}

// checked is the share of the first token of a call, if that has opened something; otherwise nil. Callers hold the
// lock.
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
	k.token[0] |= 0x80 // unlike the key others
	return k
}

// firstToken is the first bearer token in the metadata "authorization", without its scheme and blanks: one token has
// one bucket, however it is spelt.
func firstToken(ctx context.Context) string {
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(values[0], ",")
	_, token, _ := strings.Cut(strings.TrimSpace(first), " ")
	return strings.TrimSpace(token)
}
