package login_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"go.uber.org/goleak"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/login"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// issuer is a stand-in for an identity provider.
type issuer struct {
	t    *testing.T
	url  string
	key  *rsa.PrivateKey
	down atomic.Bool
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: oidc.RS256}}}
	i := &issuer{t: t, key: key}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	s.SetIssuer(srv.URL)
	i.url = srv.URL
	return i
}

// token signs claims; those given replace the usual ones.
func (i *issuer) token(key *rsa.PrivateKey, change map[string]any) string {
	i.t.Helper()
	claims := map[string]any{"iss": i.url, "aud": "warledger", "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix()}
	for name, value := range change {
		claims[name] = value
	}
	text, err := json.Marshal(claims)
	if err != nil {
		i.t.Fatal(err)
	}
	return oidctest.SignIDToken(key, "k", oidc.RS256, string(text))
}

func (i *issuer) provider() *login.Provider {
	i.t.Helper()
	p, err := login.New(i.url, "warledger")
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(p.Close)
	return p
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p := i.provider()
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	who, err := p.Identify(context.Background(), i.token(i.key, nil))
	if err != nil || who.Subject != i.url+" ann" || time.Until(who.Expires) < 50*time.Minute {
		t.Errorf("got %+v, %v", who, err)
	}
	for name, token := range map[string]string{
		"of another audience": i.token(i.key, map[string]any{"aud": "another"}),
		"of another issuer":   i.token(i.key, map[string]any{"iss": "https://evil.example"}),
		"expired":             i.token(i.key, map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}),
		"signed by another":   i.token(other, nil),
		"of nobody":           i.token(i.key, map[string]any{"sub": ""}),
		"unsigned":            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.",
		"no token":            "a.b.c",
		"too large":           i.token(i.key, map[string]any{"name": strings.Repeat("x", 9000)}),
	} {
		if who, err := p.Identify(context.Background(), token); err == nil {
			t.Errorf("%s: it is %+v", name, who)
		}
	}
}

// TestIssuerAway has the server say that it cannot know, and recover by itself.
func TestIssuerAway(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p := i.provider()
	i.down.Store(true)
	var known *fault.Error
	if _, err := p.Identify(context.Background(), i.token(i.key, nil)); !errors.As(err, &known) || known.Reason != fault.IdentityUnavailable {
		t.Errorf("got %v", err)
	}
	i.down.Store(false)
	if _, err := p.Identify(context.Background(), i.token(i.key, nil)); err != nil {
		t.Errorf("when it is back: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"", "a"}, {"issuer", "a"}, {"http://issuer.example", "a"}, {"ftp://issuer.example", "a"}, {"https://issuer.example", ""}} {
		if _, err := login.New(c[0], c[1]); err == nil {
			t.Errorf("%q is a provider", c)
		}
	}
}
