package rulesets

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// sink receives what a server posts and mails.
type sink struct {
	client *webhook.Client
	server *httptest.Server
	mu     sync.Mutex
	posts  map[string][]string // bodies by path, in order
	mails  map[string][]string // by address
	spoils func(body string, post bool) string
}

// spoil lets a plant spoil what arrives.
func (k *sink) spoil(s *site, p *plant) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spoils = func(body string, post bool) string {
		switch {
		case p != nil && post && p.posts != nil:
			return p.posts(s, body)
		case p != nil && !post && p.mails != nil:
			return p.mails(s, body)
		}
		return body
	}
}

func newSink() *sink {
	k := &sink{posts: map[string][]string{}, mails: map[string][]string{}}
	// the clock of a site stands still, so nothing may wait for its turn
	k.client = webhook.New(webhook.Options{
		Guard: webhook.Guard{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Timeout: time.Minute,
		PerHost: 64,
	})
	k.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.posts[r.URL.Path] = append(k.posts[r.URL.Path], k.spoils(string(body), true))
	}))
	return k
}

// Send keeps a mail.
func (k *sink) Send(_ context.Context, m mail.Message) (mail.Result, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.mails[m.To] = append(k.mails[m.To], k.spoils(m.Subject+"\n"+m.Text+"\n"+m.Unsubscribe, false))
	return mail.Result{}, nil
}

// wait returns what arrived at a path or an address once there are enough.
func (k *sink) wait(t *testing.T, what map[string][]string, at string, n int) []string {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		k.mu.Lock()
		got := what[at]
		k.mu.Unlock()
		if len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d notices for %s, expected %d", len(got), at, n)
		}
	}
}

func (k *sink) close() {
	k.server.CloseClientConnections()
	k.server.Close()
	k.client.Close()
}

// signing signs checkpoints with the same key everywhere.
func signing(t *testing.T) *service.Signing {
	secret, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{7}, 64)), "play.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return &service.Signing{Signer: signer, VerifierKey: public}
}
