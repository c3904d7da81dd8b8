package login_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/login"
)

// silent is an issuer that takes requests and does not answer before the test lets it.
type silent struct {
	asked   atomic.Int32
	arrived chan struct{}
	release chan struct{}
	// later is by how much the provider's clock has moved.
	later atomic.Int64
}

func newSilent(t *testing.T) (*silent, *login.Provider) {
	t.Helper()
	s := &silent{arrived: make(chan struct{}, 100), release: make(chan struct{})}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.arrived <- struct{}{}
		select {
		case <-s.release:
		case <-r.Context().Done():
		}
		http.Error(w, "down", http.StatusServiceUnavailable)
	}))
	t.Cleanup(srv.Close)
	p, err := login.New(srv.URL, "warledger", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	start := time.Now()
	p.SetClock(func() time.Time { return start.Add(time.Duration(s.later.Load())) })
	return s, p
}

// calls need what an issuer says about itself. Each returns the error of its call.
var calls = map[string]func(context.Context, *login.Provider) error{
	"identify": func(ctx context.Context, p *login.Provider) error {
		_, err := p.Identify(ctx, "a.b.c")
		return err
	},
	"redeem": func(ctx context.Context, p *login.Provider) error {
		_, err := p.Redeem(ctx, redemption())
		return err
	},
	"about": func(ctx context.Context, p *login.Provider) error {
		if _, _, at := p.About(ctx); at != "" {
			return errors.New("it says where it is")
		}
		return ctx.Err()
	},
}

// TestSilentIssuer: while an issuer does not answer, callers that give up return. However many call, it gets one
// request, and their answers come from that.
func TestSilentIssuer(t *testing.T) {
	t.Parallel()
	s, p := newSilent(t)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for name, call := range calls {
		for range 30 {
			wg.Go(func() {
				// On a slow machine the request may have ended by itself meanwhile.
				if err := call(ctx, p); !errors.Is(err, context.Canceled) && !unavailable(err) && err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	<-s.arrived
	cancel()
	wg.Wait() // although the issuer is silent still
	waits := make(chan error, 1)
	go func() { waits <- calls["identify"](context.Background(), p) }()
	for name, call := range calls {
		if err := call(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, when another waits: %v", name, err)
		}
	}
	close(s.release)
	if err := <-waits; !unavailable(err) {
		t.Errorf("the caller that waited got %v", err)
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("the issuer has had %d requests, want 1", n)
	}
}

// TestAwayIsRemembered: an issuer that did not answer is left alone for a while, and then asked again.
func TestAwayIsRemembered(t *testing.T) {
	t.Parallel()
	s, p := newSilent(t)
	close(s.release)
	ask := func(want int32) {
		t.Helper()
		for range 3 {
			for _, name := range []string{"identify", "redeem"} {
				if err := calls[name](context.Background(), p); !isReason(err, fault.IdentityUnavailable) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, id, at := p.About(context.Background()); id != "warledger" || at != "" {
				t.Errorf("it says %q, %q", id, at)
			}
		}
		if n := s.asked.Load(); n != want {
			t.Errorf("the issuer has had %d requests, want %d", n, want)
		}
	}
	ask(1)
	s.later.Store(int64(login.AwayTime - 1))
	ask(1)
	s.later.Store(int64(login.AwayTime))
	ask(2)
}

// TestClosedProvider: a provider that is closed does not wait for its issuer any more.
func TestClosedProvider(t *testing.T) {
	t.Parallel()
	s, p := newSilent(t)
	waits := make(chan error, 1)
	go func() { waits <- calls["identify"](context.Background(), p) }()
	<-s.arrived
	p.Close()
	if err := <-waits; !unavailable(err) {
		t.Errorf("got %v", err)
	}
}

// TestAuthorizedParty: a token counts only if it was issued to this client, whatever audiences it has (OpenID Connect
// Core 3.1.3.7).
func TestAuthorizedParty(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	p := i.provider()
	both := []string{"another", "warledger"}
	for name, c := range map[string]struct {
		claims map[string]any
		counts bool
	}{
		"one audience":                         {map[string]any{"aud": "warledger"}, true},
		"one audience in a list":               {map[string]any{"aud": []string{"warledger"}}, true},
		"one audience, issued to us":           {map[string]any{"aud": "warledger", "azp": "warledger"}, true},
		"one audience, issued to another":      {map[string]any{"aud": "warledger", "azp": "another"}, false},
		"one audience, issued to nobody":       {map[string]any{"aud": "warledger", "azp": ""}, false},
		"several audiences, issued to us":      {map[string]any{"aud": both, "azp": "warledger"}, true},
		"several audiences":                    {map[string]any{"aud": both}, false},
		"several audiences, issued to another": {map[string]any{"aud": both, "azp": "another"}, false},
		"no text":                              {map[string]any{"aud": both, "azp": 7}, false},
		"issued to us for others":              {map[string]any{"aud": "another", "azp": "warledger"}, false},
	} {
		who, err := p.Identify(context.Background(), i.token(i.key, c.claims))
		if (err == nil) != c.counts || unavailable(err) || !c.counts && who != (service.Identity{}) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
}
