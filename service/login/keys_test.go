package login_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/login"
)

// clocked makes a provider with a clock that the test moves.
func (i *issuer) clocked() (p *login.Provider, later *atomic.Int64) {
	i.t.Helper()
	p, later = i.provider(), new(atomic.Int64)
	start := time.Now()
	p.SetClock(func() time.Time { return start.Add(time.Duration(later.Load())) })
	return p, later
}

// known asserts that a token tells who somebody is.
func known(t *testing.T, p *login.Provider, token, when string) {
	t.Helper()
	if _, err := p.Identify(context.Background(), token); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

// TestKeysAreAskedForOnce: whoever makes up keys has the issuer asked once in a while for all callers together, and
// keeps no genuine key out for longer.
func TestKeysAreAskedForOnce(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p, later := i.clocked()
	forged := func(want int32) {
		t.Helper()
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				_, err := p.Identify(context.Background(), i.tokenBy(i.key, fmt.Sprint("made up ", n), nil))
				if err == nil {
					t.Error("a token counts whose key the issuer does not have")
				}
			})
		}
		wg.Wait()
		if n := i.asked.Load(); n != want {
			t.Errorf("the issuer was asked %d times for its keys, want %d", n, want)
		}
	}
	known(t, p, i.token(i.key, nil), "a genuine token")
	forged(1)
	later.Store(int64(login.AwayTime - 1))
	forged(1)
	later.Store(int64(login.AwayTime))
	forged(2)

	i.signsWith("rotated")
	fresh := i.tokenBy(i.key, "rotated", nil)
	// It is not called invalid: a page would sign its person out.
	if _, err := p.Identify(context.Background(), fresh); !isReason(err, fault.IdentityUnavailable) {
		t.Errorf("a new key: %v", err)
	}
	forged(2)
	later.Store(int64(2 * login.AwayTime))
	known(t, p, fresh, "a new key, a while later")
	forged(3)
}

// changes are the ids of a key before and after an issuer changes it. Not every issuer gives the new key another id.
var changes = map[string][2]string{"another id": {"k", "rotated"}, "the same id": {"k", "k"}, "no id": {"", ""}}

// changing makes an issuer that signs with a key of an id, and a provider that knows that key. change has the issuer
// sign with another key.
func changing(t *testing.T, ids [2]string) (i *issuer, p *login.Provider, later *atomic.Int64, change func()) {
	t.Helper()
	i = newIssuer(t)
	p, later = i.clocked()
	another, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.signsWith(ids[0])
	known(t, p, i.tokenBy(i.key, ids[0], nil), "a genuine token")
	return i, p, later, func() {
		i.key = another
		i.signsWith(ids[1])
	}
}

// TestChangedKey: a token of a new key is not called invalid, whatever the key's id, and is accepted a while later. So
// no page signs its person out. A token of a key that the issuer no longer has is called invalid once the issuer may be
// asked again.
func TestChangedKey(t *testing.T) {
	t.Parallel()
	for name, ids := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, p, later, change := changing(t, ids)
			old := i.key
			change()
			genuine, stale := i.tokenBy(i.key, ids[1], nil), i.tokenBy(old, ids[1], nil)
			for range 3 {
				_, err := p.Identify(context.Background(), genuine)
				var retry *errdetails.RetryInfo
				for _, detail := range status.Convert(err).Details() {
					if d, ok := detail.(*errdetails.RetryInfo); ok {
						retry = d
					}
				}
				if !unavailable(err) || retry.GetRetryDelay().AsDuration() != login.AwayTime {
					t.Errorf("a new key: %v, again in %v", err, retry.GetRetryDelay())
				}
			}
			if n := i.asked.Load(); n != 1 {
				t.Errorf("the issuer was asked %d times for its keys, want 1", n)
			}
			later.Store(int64(login.AwayTime))
			known(t, p, genuine, "a new key, a while later")
			later.Store(int64(2 * login.AwayTime))
			if _, err := p.Identify(context.Background(), stale); err == nil || unavailable(err) {
				t.Errorf("the key before, when the issuer has another: %v", err)
			}
		})
	}
}

// TestNewKeyAtSignIn: what the issuer itself hands out is signed by one of its keys, however new.
func TestNewKeyAtSignIn(t *testing.T) {
	t.Parallel()
	for name, ids := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, p, _, change := changing(t, ids)
			change()
			tokens := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "of no use", "token_type": "Bearer",
					"id_token": i.tokenBy(i.key, ids[1], map[string]any{"nonce": redemption().Nonce})})
			})
			i.tokens.Store(&tokens)
			if _, err := p.Redeem(context.Background(), redemption()); err != nil {
				t.Errorf("a person signs in just after the issuer has changed its key: %v", err)
			}
			if n := i.asked.Load(); n != 2 {
				t.Errorf("the issuer was asked %d times for its keys, want 2", n)
			}
		})
	}
}

// TestKeysHang: while an issuer does not give its keys, whoever brings a known one does not wait. Of the others the
// first waits, and after that nobody does for a while.
func TestKeysHang(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p, later := i.clocked()
	known(t, p, i.token(i.key, nil), "a genuine token")
	arrived := make(chan struct{}, 9)
	silent := func() (release chan struct{}) {
		release = make(chan struct{})
		answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			arrived <- struct{}{}
			select {
			case <-release:
			case <-r.Context().Done():
			}
			http.Error(w, "down", http.StatusServiceUnavailable)
		})
		i.keys.Store(&answer)
		return release
	}
	release := silent()
	later.Store(int64(login.AwayTime))
	forged := i.tokenBy(i.key, "made up", nil)
	ask := func() <-chan error {
		answer := make(chan error, 1)
		go func() {
			_, err := p.Identify(context.Background(), forged)
			answer <- err
		}()
		return answer
	}
	first := ask()
	<-arrived
	known(t, p, i.token(i.key, nil), "a known key while the issuer is silent")
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, err := p.Identify(gone, forged); err == nil {
		t.Error("whoever gives up is known")
	}
	close(release)
	if err := <-first; !unavailable(err) {
		t.Errorf("whoever waited: %v", err)
	}
	for range 8 {
		if _, err := p.Identify(context.Background(), forged); !unavailable(err) {
			t.Errorf("after that: %v", err)
		}
	}
	if n := i.asked.Load(); n != 2 {
		t.Errorf("the issuer was asked %d times for its keys, want 2", n)
	}
	known(t, p, i.token(i.key, nil), "a known key after that")

	silent()
	later.Store(int64(2 * login.AwayTime))
	last := ask()
	<-arrived
	p.Close()
	if err := <-last; !unavailable(err) {
		t.Errorf("when the provider is closed: %v", err)
	}
}
