package login_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
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
	// garbled has it answer with what is no answer.
	garbled atomic.Bool
	// tokens answers what exchanges a code; nil if nobody can.
	tokens atomic.Pointer[http.HandlerFunc]
	// says answers all else.
	says atomic.Pointer[oidctest.Server]
	// keys answers requests for the keys, instead of says; nil for says. asked is how many there were.
	keys  atomic.Pointer[http.HandlerFunc]
	asked atomic.Int32
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{t: t, key: key}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		if i.garbled.Load() {
			_, _ = w.Write([]byte("<html>under repair</html>"))
			return
		}
		if grant := i.tokens.Load(); grant != nil && r.URL.Path == "/token" {
			grant.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == "/keys" {
			i.asked.Add(1)
			if instead := i.keys.Load(); instead != nil {
				instead.ServeHTTP(w, r)
				return
			}
		}
		i.says.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	i.url = srv.URL
	i.signsWith("k")
	return i
}

// signsWith has the issuer sign with its key under another id, and no longer under the one before.
func (i *issuer) signsWith(id string) {
	s := &oidctest.Server{
		PublicKeys: []oidctest.PublicKey{{PublicKey: i.key.Public(), KeyID: id, Algorithm: oidc.RS256}},
	}
	s.SetIssuer(i.url)
	i.says.Store(s)
}

// token signs claims; those given replace the usual ones.
func (i *issuer) token(key *rsa.PrivateKey, change map[string]any) string {
	i.t.Helper()
	return i.tokenBy(key, "k", change)
}

// tokenBy signs with a key that the token calls by an id.
func (i *issuer) tokenBy(key *rsa.PrivateKey, id string, change map[string]any) string {
	i.t.Helper()
	claims := map[string]any{"iss": i.url, "aud": "warledger", "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(),
		"iat": time.Now().Unix()}
	for name, value := range change {
		claims[name] = value
	}
	text, err := json.Marshal(claims)
	if err != nil {
		i.t.Fatal(err)
	}
	return oidctest.SignIDToken(key, id, oidc.RS256, string(text))
}

func (i *issuer) provider() *login.Provider {
	i.t.Helper()
	p, err := login.New(i.url, "warledger", "")
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(p.Close)
	return p
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p, later := i.clocked()
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
		later.Add(int64(login.AwayTime)) // the issuer may be asked whether it has new keys
		who, err := p.Identify(context.Background(), token)
		if err == nil {
			t.Errorf("%s: it is %+v", name, who)
		}
		if unavailable(err) {
			t.Errorf("%s: the issuer is said to be away: %v", name, err)
		}
	}
}

// TestIssuerAway has the server say that it cannot know, and recover by itself.
func TestIssuerAway(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p := i.provider()
	i.down.Store(true)
	if _, err := p.Identify(context.Background(), i.token(i.key, nil)); !unavailable(err) {
		t.Errorf("got %v", err)
	}
	i.down.Store(false)
	p.SetClock(func() time.Time { return time.Now().Add(login.AwayTime) })
	if _, err := p.Identify(context.Background(), i.token(i.key, nil)); err != nil {
		t.Errorf("when it is back: %v", err)
	}
}

// unavailable reports whether an error says that the issuer, and not the token, is at fault.
func unavailable(err error) bool {
	var known *fault.Error
	return errors.As(err, &known) && known.Reason == fault.IdentityUnavailable
}

// TestKeysAway has an issuer go down after it said where its keys are and before it gave them. What needs no key is
// refused all the same, and with the keys at hand tokens are known without the issuer.
func TestKeysAway(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]func(*issuer) *atomic.Bool{
		"refuses":    func(i *issuer) *atomic.Bool { return &i.down },
		"is garbled": func(i *issuer) *atomic.Bool { return &i.garbled },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			p := i.provider()
			// asks the issuer where its keys are
			if _, err := p.Identify(context.Background(), "a.b.c"); err == nil || unavailable(err) {
				t.Fatalf("no token: %v", err)
			}
			away(i).Store(true)
			if _, err := p.Identify(context.Background(), i.token(i.key, nil)); !unavailable(err) {
				t.Errorf("a token whose key cannot be had: %v", err)
			}
			if _, err := p.Identify(context.Background(), "a.b.c"); err == nil || unavailable(err) {
				t.Errorf("no token: %v", err)
			}
			away(i).Store(false)
			p.SetClock(func() time.Time { return time.Now().Add(login.AwayTime) })
			if _, err := p.Identify(context.Background(), i.token(i.key, nil)); err != nil {
				t.Errorf("when it is back: %v", err)
			}
			away(i).Store(true)
			if _, err := p.Identify(context.Background(), i.token(i.key, nil)); err != nil {
				t.Errorf("with the keys at hand: %v", err)
			}
		})
	}
}

// TestAlgorithms accepts of what an issuer announces only what needs a private key.
func TestAlgorithms(t *testing.T) {
	t.Parallel()
	s := &oidctest.Server{Algorithms: []string{"none", "HS256", oidc.ES256}}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s.PublicKeys = []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: oidc.ES256}}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.SetIssuer(srv.URL)
	i := &issuer{t: t, url: srv.URL}
	p := i.provider()
	claims := fmt.Sprintf(`{"iss":%q,"aud":"warledger","sub":"ann","exp":%d}`, srv.URL,
		time.Now().Add(time.Hour).Unix())
	if _, err := p.Identify(context.Background(), oidctest.SignIDToken(key, "k", oidc.ES256, claims)); err != nil {
		t.Errorf("a signature that was announced: %v", err)
	}
	part := base64.RawURLEncoding.EncodeToString
	for alg, signature := range map[string]string{"none": "", "HS256": part(make([]byte, 32))} {
		token := part(fmt.Appendf(nil, `{"alg":%q,"kid":"k"}`, alg)) + "." + part([]byte(claims)) + "." + signature
		if who, err := p.Identify(context.Background(), token); err == nil || unavailable(err) {
			t.Errorf("%s: %+v, %v", alg, who, err)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"", "a"}, {"issuer", "a"}, {"http://issuer.example", "a"}, {"ftp://issuer.example", "a"},
		{"https://issuer.example", ""},
	} {
		if _, err := login.New(c[0], c[1], ""); err == nil {
			t.Errorf("%q is a provider", c)
		}
	}
}
