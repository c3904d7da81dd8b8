package service_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// keyringKeep is for how long the keyrings of tests are kept.
const keyringKeep = 400 * 24 * time.Hour

// keeping has a server keep keyrings, for people whom the provider knows as well.
func keeping(secret string, who people) func(*setting) {
	return func(s *setting) {
		s.keyrings = service.Keyrings{Keep: keyringKeep, Secret: []byte(secret), Most: 100}
		s.identities, s.signIn = who, &provider{}
	}
}

// serverSecret seals the keyrings of people in tests.
const serverSecret = "a secret of the server, of 32 bytes or more"

// secretOf is what somebody has drawn for their keyring.
func secretOf(who string) string {
	sum := sha256.Sum256([]byte(who))
	return "wl_k_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:]))
}

// ring is the keyring of whoever holds a credential.
type ring struct {
	v1.KeyringServiceClient
	as string
}

func (h *host) ring(as string) ring { return ring{v1.NewKeyringServiceClient(h.conn), as} }

func (r ring) put(content, etag string) (string, error) {
	out, err := r.UpdateKeyring(as(r.as), &v1.UpdateKeyringRequest{
		Keyring: &v1.Keyring{Content: []byte(content), Etag: etag},
	})
	return out.GetKeyring().GetEtag(), err
}

func (r ring) get() (content, etag string, err error) {
	out, err := r.GetKeyring(as(r.as), &v1.GetKeyringRequest{})
	return string(out.GetKeyring().GetContent()), out.GetKeyring().GetEtag(), err
}

func (r ring) drop() error { return second(r.DeleteKeyring(as(r.as), &v1.DeleteKeyringRequest{})) }

// wants asserts what a keyring holds.
func (r ring) wants(t *testing.T, want string) (etag string) {
	t.Helper()
	got, etag, err := r.get()
	if err != nil || got != want {
		t.Fatalf("it holds %q, %v; want %q", got, err, want)
	}
	return etag
}

func logins() people {
	later := time.Now().Add(1000 * 24 * time.Hour)
	return people{
		"ann.first.x": {Subject: "issuer ann", Expires: later}, "ann.second.x": {Subject: "issuer ann", Expires: later},
		"bob.first.x": {Subject: "issuer bob", Expires: later},
		"ann.old.x":   {Subject: "issuer ann", Expires: time.Now().Add(-time.Second)},
	}
}

// TestKeyringsAreOnesOwn: each credential opens one keyring, that of nobody else, and no other token opens any.
func TestKeyringsAreOnesOwn(t *testing.T) {
	t.Parallel()
	h := open(t, keeping(serverSecret, logins()))
	rings := map[string]ring{"ann": h.ring("ann.first.x"), "bob": h.ring("bob.first.x"), "cid": h.ring(secretOf("cid")),
		"dot": h.ring(secretOf("dot"))}
	for name, r := range rings {
		wantError(t, third(r.get()), codes.NotFound, fault.KeyringNotFound)
		must(t, second(r.put("games of "+name, "")))
	}
	for name, r := range rings {
		r.wants(t, "games of "+name)
	}
	h.ring("ann.second.x").wants(t, "games of ann")
	must(t, rings["bob"].drop())
	must(t, rings["bob"].drop()) // nothing to forget is no error
	wantError(t, third(rings["bob"].get()), codes.NotFound, fault.KeyringNotFound)
	rings["ann"].wants(t, "games of ann")

	g := h.seated()
	for name, c := range map[string]struct {
		tokens []string
		reason fault.Reason
	}{
		"nobody":           {nil, fault.TokenRequired},
		"an owner":         {[]string{g.owner}, fault.TokenMalformed},
		"a seat":           {[]string{g.red}, fault.TokenMalformed},
		"a seat besides":   {[]string{secretOf("cid"), g.red}, fault.TokenMalformed},
		"two secrets":      {[]string{secretOf("cid"), secretOf("dot")}, fault.TokenMalformed},
		"two of one":       {[]string{"ann.first.x", secretOf("cid")}, fault.TokenMalformed},
		"expired":          {[]string{"ann.old.x"}, fault.TokenExpired},
		"forged":           {[]string{"eve.forged.x"}, fault.IdentityInvalid},
		"a shorter secret": {[]string{secretOf("cid")[:50]}, fault.TokenMalformed},
	} {
		client := v1.NewKeyringServiceClient(h.conn)
		for call, err := range map[string]error{
			"get": second(client.GetKeyring(as(c.tokens...), &v1.GetKeyringRequest{})),
			"update": second(client.UpdateKeyring(as(c.tokens...),
				&v1.UpdateKeyringRequest{Keyring: &v1.Keyring{Content: []byte("x")}})),
			"delete": second(client.DeleteKeyring(as(c.tokens...), &v1.DeleteKeyringRequest{})),
		} {
			if got := reasonOf(err); got != c.reason {
				t.Errorf("%s by %s: %v, want %s", call, name, err, c.reason)
			}
		}
	}
	rings["cid"].wants(t, "games of cid")
	// The secret of a keyring opens no game.
	wantError(t, second(h.games.GetGame(as(secretOf("cid")), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenUnknown)
}

// reasonOf is the reason of an error that came over the network.
func reasonOf(err error) fault.Reason {
	return fault.Reason(detail[*errdetails.ErrorInfo](status.Convert(err)).GetReason())
}

// third is the error of a call that returns two values besides.
func third[A, B any](_ A, _ B, err error) error { return err }

// TestKeyringVersions: only the version that one has read is replaced, and a request that comes again does nothing.
func TestKeyringVersions(t *testing.T) {
	t.Parallel()
	h := open(t, keeping(serverSecret, nil))
	r := h.ring(secretOf("cid"))
	wantError(t, second(r.put("one", "abc")), codes.Aborted, fault.KeyringChanged)
	one, err := r.put("one", "")
	must(t, err)
	wantError(t, second(r.put("other", "")), codes.Aborted, fault.KeyringChanged)
	two, err := r.put("two", one)
	must(t, err)
	wantError(t, second(r.put("three", one)), codes.Aborted, fault.KeyringChanged)
	if again, err := r.put("two", one); err != nil || again != two {
		t.Errorf("again: %q, %v; want %q", again, err, two)
	}
	if got := r.wants(t, "two"); got != two {
		t.Errorf("the etag read is %q, want %q", got, two)
	}
	must(t, r.drop())
	wantError(t, second(r.put("three", two)), codes.Aborted, fault.KeyringChanged)
	must(t, second(r.put("three", "")))
	wantError(t, second(r.put("", "")), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, second(r.put(strings.Repeat("x", 256<<10+1), r.wants(t, "three"))), codes.InvalidArgument,
		fault.ValidationFailed)
	must(t, second(r.put(strings.Repeat("x", 256<<10), r.wants(t, "three"))))
}

// TestKeyringsStayForgotten: a first write that was begun before a keyring was made and deleted does not bring it back.
// Whoever looks again may make one, and so may clients that know of no such etag.
func TestKeyringsStayForgotten(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	h := open(t, keeping(serverSecret, nil), func(s *setting) {
		s.clock = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	r := h.ring(secretOf("cid"))
	none := func() (etag string) {
		t.Helper()
		err := third(r.get())
		wantError(t, err, codes.NotFound, fault.KeyringNotFound)
		return detail[*errdetails.ErrorInfo](status.Convert(err)).GetMetadata()["etag"]
	}
	first := none()
	made, err := r.put("made elsewhere", first)
	must(t, err)
	wantError(t, second(r.put("late", first)), codes.Aborted, fault.KeyringChanged)
	must(t, r.drop())
	wantError(t, second(r.put("late", first)), codes.Aborted, fault.KeyringChanged)
	wantError(t, second(r.put("late", made)), codes.Aborted, fault.KeyringChanged)
	gone := none()
	must(t, r.drop())
	if again := none(); again != gone || gone == first {
		t.Errorf("the etags of none are %q, %q, %q", first, gone, again)
	}
	must(t, second(r.put("made again", gone)))
	must(t, second(r.put("made again", gone))) // the same request
	must(t, r.drop())
	must(t, second(r.put("by an older client", "")))

	later.Store(int64(keyringKeep))
	expired := none()
	must(t, second(h.service.SweepKeyrings(context.Background())))
	if swept := none(); swept != expired {
		t.Errorf("the sweep makes %q of %q", swept, expired)
	}
	must(t, second(r.put("after a year", expired)))
	r.wants(t, "after a year")
}

// TestKeyringsAreSealed: nothing in the store tells what a keyring holds or whose it is, and one in another's place
// does not open.
func TestKeyringsAreSealed(t *testing.T) {
	t.Parallel()
	const content = "wl_o_and-other-secrets"
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	h := open(t, keeping(serverSecret, logins()), func(s *setting) { s.store = store })
	secret := secretOf("cid")
	must(t, second(h.ring(secret).put(content, "")))
	must(t, second(h.ring("ann.first.x").put(content, "")))
	list, err := store.List(context.Background(), "keyrings/", "", 10)
	must(t, err)
	if len(list) != 2 {
		t.Fatalf("%d keyrings are stored", len(list))
	}
	plain := sha256.Sum256([]byte("issuer ann"))
	spelt := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(plain[:])
	for _, info := range list {
		entries, err := store.Read(context.Background(), info.Name, 1, 9, 0)
		must(t, err)
		all := []byte(fmt.Sprint(info.Name, string(info.Meta)))
		for _, e := range entries {
			all = append(append(all, e.Data...), e.Key...)
		}
		for _, what := range []string{content, "wl_", secret[5:], "issuer", "ann", strings.ToLower(spelt)} {
			if bytes.Contains(all, []byte(what)) {
				t.Errorf("the store has %q", what)
			}
		}
	}
	first, other := list[0], list[1]
	must(t, store.SetMeta(context.Background(), other.Name, first.Meta, eventstore.AnyMeta))
	must(t, store.SetMeta(context.Background(), first.Name, other.Meta, eventstore.AnyMeta))
	for _, as := range []string{secret, "ann.first.x"} {
		wantError(t, third(h.ring(as).get()), codes.FailedPrecondition, fault.KeyringSealed)
	}
}

// TestKeyringsOfAnotherKey: a server with another key of its own finds no keyring of people, and those of secrets all
// the same.
func TestKeyringsOfAnotherKey(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	with := func(secret string) *host {
		return open(t, keeping(secret, logins()), func(s *setting) { s.store = store })
	}
	h := with(serverSecret)
	must(t, second(h.ring("ann.first.x").put("games of ann", "")))
	must(t, second(h.ring(secretOf("cid")).put("games of cid", "")))
	h.stop()
	h = with(serverSecret + ", another")
	wantError(t, third(h.ring("ann.first.x").get()), codes.NotFound, fault.KeyringNotFound)
	h.ring(secretOf("cid")).wants(t, "games of cid")
	h.stop()
	with(serverSecret).ring("ann.first.x").wants(t, "games of ann")
}

// TestKeyringsOff: a server without a key of its own keeps none for people, and one that is told so keeps none at all.
func TestKeyringsOff(t *testing.T) {
	t.Parallel()
	h := open(t, keeping("", logins()))
	wantError(t, second(h.ring("ann.first.x").put("x", "")), codes.FailedPrecondition, fault.KeyringsOff)
	must(t, second(h.ring(secretOf("cid")).put("x", "")))
	says := func(h *host) *v1.GetSignInResponse {
		out, err := h.ring("").GetSignIn(context.Background(), &v1.GetSignInRequest{})
		must(t, err)
		return out
	}
	equal(t, "sign-in", says(h), &v1.GetSignInResponse{Issuer: "https://issuer.example", ClientId: "warledger",
		AuthorizationUri: "https://issuer.example/auth", KeepsForSecrets: true})
	h = open(t, keeping(serverSecret, logins()), func(s *setting) { s.keyrings.Keep, s.ownersLogIn = 0, true })
	wantError(t, second(h.ring("ann.first.x").put("x", "")), codes.FailedPrecondition, fault.KeyringsOff)
	wantError(t, second(h.ring(secretOf("cid")).put("x", "")), codes.FailedPrecondition, fault.KeyringsOff)
	equal(t, "sign-in", says(h), &v1.GetSignInResponse{Issuer: "https://issuer.example", ClientId: "warledger",
		AuthorizationUri: "https://issuer.example/auth", Required: true})
	h = open(t)
	equal(t, "sign-in", says(h), &v1.GetSignInResponse{})
	wantError(t, second(h.ring("").ExchangeCode(as(), exchange("good"))), codes.FailedPrecondition, fault.SignInOff)
}

// TestKeyringsEnd: a keyring that nobody writes for too long is gone, and the next sweep empties it in the store.
func TestKeyringsEnd(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	h := open(t, keeping(serverSecret, nil), func(s *setting) {
		s.store, s.clock = store, func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	old, fresh := h.ring(secretOf("old")), h.ring(secretOf("fresh"))
	must(t, second(old.put("old games", "")))
	etag, err := fresh.put("fresh games", "")
	must(t, err)
	later.Store(int64(keyringKeep - time.Hour))
	old.wants(t, "old games")
	must(t, second(fresh.put("fresh games", etag)))
	later.Store(int64(keyringKeep + time.Hour))
	wantError(t, third(old.get()), codes.NotFound, fault.KeyringNotFound)
	removed, err := h.service.SweepKeyrings(context.Background())
	if err != nil || removed != 1 {
		t.Fatalf("%d were removed, %v", removed, err)
	}
	fresh.wants(t, "fresh games")
	list, err := store.List(context.Background(), "keyrings/", "", 10)
	must(t, err)
	if small := min(len(list[0].Meta), len(list[1].Meta)); len(list) != 2 || small > 20 {
		t.Errorf("the removed one still has %d bytes", small)
	}
	must(t, second(old.put("again", "")))
	old.wants(t, "again")
}

// TestKeyringsHaveBounds: keyrings are bounded in number, count against what an address may store, and do not take the
// room that is kept for games.
func TestKeyringsHaveBounds(t *testing.T) {
	t.Parallel()
	stores := &storing{}
	var full atomic.Bool
	h := open(t, keeping(serverSecret, nil), func(s *setting) {
		s.keyrings.Most, s.admission, s.room = 2, stores, func() bool { return !full.Load() }
	})
	r := h.ring(secretOf("one"))
	etag, err := r.put("one", "")
	must(t, err)
	if n := stores.bytes.Load(); n < 64<<10 {
		t.Errorf("a new keyring counts %d bytes", n)
	}
	before := stores.bytes.Load()
	etag, err = r.put(strings.Repeat("x", 1000), etag)
	must(t, err)
	if n := stores.bytes.Load() - before; n < 1000 || n > 1100 {
		t.Errorf("1000 bytes count as %d", n)
	}
	full.Store(true)
	wantError(t, second(r.put(strings.Repeat("x", 1001), etag)), codes.ResourceExhausted, fault.StoreFull)
	must(t, second(r.put("less", etag)))
	wantError(t, second(h.ring(secretOf("two")).put("x", "")), codes.ResourceExhausted, fault.StoreFull)
	full.Store(false)
	must(t, second(h.ring(secretOf("two")).put("x", "")))
	wantError(t, second(h.ring(secretOf("three")).put("x", "")), codes.ResourceExhausted, fault.TooManyKeyrings)
	must(t, h.ring(secretOf("two")).drop())
	must(t, second(h.ring(secretOf("two")).put("x", "")))
	stores.refuse.Store(true)
	wantError(t, second(r.put("more", r.wants(t, "less"))), codes.ResourceExhausted, fault.RateLimited)
}

// storing counts what is stored.
type storing struct {
	gate
	bytes  atomic.Int64
	refuse atomic.Bool
}

func (s *storing) Admit(context.Context, string) (func(), error) { return func() {}, nil }

func (s *storing) Store(_ context.Context, bytes int) error {
	if s.refuse.Load() {
		return fault.New(fault.RateLimited, "too much")
	}
	s.bytes.Add(int64(bytes))
	return nil
}

// TestKeyringsOfSeveralServers: of several servers that replace one version one wins.
func TestKeyringsOfSeveralServers(t *testing.T) {
	t.Parallel()
	for name, opened := range keyringStores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handle := opened(t)
			var servers []*host
			for range 2 {
				servers = append(servers, open(t, keeping(serverSecret, logins()),
					func(s *setting) { s.store = handle() }))
			}
			for _, as := range []string{"ann.first.x", secretOf("cid")} {
				etag, err := servers[0].ring(as).put("first", "")
				must(t, err)
				if got := servers[1].ring(as).wants(t, "first"); got != etag {
					t.Errorf("the other server has the etag %q, want %q", got, etag)
				}
				done := make(chan error, len(servers))
				for i, h := range servers {
					go func() { done <- second(h.ring(as).put(fmt.Sprint("of server ", i), etag)) }()
				}
				won := 0
				for range servers {
					if err := <-done; err == nil {
						won++
					} else if reasonOf(err) != fault.KeyringChanged {
						t.Error(err)
					}
				}
				if won != 1 {
					t.Errorf("%d of two won", won)
				}
			}
		})
	}
}

// provider is a stand-in for an identity provider's sign-in.
type provider struct{ asked service.Redemption }

func (*provider) About(context.Context) (issuer, clientID, endpoint string) {
	return "https://issuer.example", "warledger", "https://issuer.example/auth"
}

func (p *provider) Redeem(_ context.Context, r service.Redemption) (service.Signed, error) {
	if p.asked = r; r.Code != "good" {
		return service.Signed{}, fault.New(fault.SignInFailed, "no token")
	}
	return service.Signed{Token: "ann.first.x", Name: "Ann", Expires: time.Unix(2_000_000_000, 0)}, nil
}

// exchange asks for the token of a code.
func exchange(code string) *v1.ExchangeCodeRequest {
	return &v1.ExchangeCodeRequest{Code: code, CodeVerifier: strings.Repeat("v", 43),
		RedirectUri: "https://play.example/", Nonce: strings.Repeat("n", 22)}
}

func TestExchangeCode(t *testing.T) {
	t.Parallel()
	p := &provider{}
	h := open(t, keeping(serverSecret, logins()), func(s *setting) { s.signIn = p })
	client := v1.NewKeyringServiceClient(h.conn)
	out, err := client.ExchangeCode(as(), exchange("good"))
	if err != nil || out.IdentityToken != "ann.first.x" || out.DisplayName != "Ann" ||
		out.ExpireTime.GetSeconds() != 2_000_000_000 {
		t.Errorf("got %v, %v", out, err)
	}
	want := service.Redemption{Code: "good", Verifier: strings.Repeat("v", 43), RedirectURI: "https://play.example/",
		Nonce: strings.Repeat("n", 22)}
	if p.asked != want {
		t.Errorf("the provider was asked for %+v, want %+v", p.asked, want)
	}
	wantError(t, second(client.ExchangeCode(as(), exchange("bad"))), codes.Unauthenticated, fault.SignInFailed)
	for name, change := range map[string]func(*v1.ExchangeCodeRequest){
		"no code":         func(r *v1.ExchangeCodeRequest) { r.Code = "" },
		"a short secret":  func(r *v1.ExchangeCodeRequest) { r.CodeVerifier = strings.Repeat("v", 42) },
		"a script":        func(r *v1.ExchangeCodeRequest) { r.RedirectUri = "javascript:alert(1)" },
		"no nonce":        func(r *v1.ExchangeCodeRequest) { r.Nonce = "" },
		"a long verifier": func(r *v1.ExchangeCodeRequest) { r.CodeVerifier = strings.Repeat("v", 129) },
	} {
		req := exchange("good")
		change(req)
		p.asked = service.Redemption{}
		wantError(t, second(client.ExchangeCode(as(), req)), codes.InvalidArgument, fault.ValidationFailed)
		if p.asked != (service.Redemption{}) {
			t.Errorf("%s: the provider was asked", name)
		}
	}
}
