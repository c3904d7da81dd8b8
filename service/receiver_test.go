package service_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/webhook"
)

// loopback lets webhooks reach this host.
var loopback = webhook.Guard{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("::1/128")}}

// posting has a server post to webhooks. A receiver that is slow because the machine is has all the time it needs.
func posting(t testing.TB, set ...func(*webhook.Options)) func(*setting) {
	o := webhook.Options{Guard: loopback, Timeout: patience}
	for _, f := range set {
		f(&o)
	}
	client := webhook.New(o)
	t.Cleanup(client.Close)
	return func(s *setting) { s.notices.Webhooks, s.notices.Page = client, "https://play.example" }
}

// delivered is a notice as it arrived.
type delivered struct {
	id     string
	body   string
	notice *v1.Notice
}

// receiver is a server that notices are posted to. It checks each signature with the program of those
// who made the standard.
type receiver struct {
	t      testing.TB
	server *httptest.Server
	// answer makes the answer, and says whether the notice counts as received; nil takes all.
	mu      sync.Mutex
	answer  func(w http.ResponseWriter, n *v1.Notice, tries int) bool
	secrets map[string]string
	tries   map[string]int
	got     []delivered
}

func receive(t testing.TB) *receiver {
	r := &receiver{t: t, secrets: make(map[string]string), tries: make(map[string]int)}
	r.server = httptest.NewServer(r)
	t.Cleanup(func() {
		r.server.CloseClientConnections()
		r.server.Close()
	})
	return r
}

// ServeHTTP takes a notice.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	secret, answer, id := r.secrets[req.URL.Path], r.answer, req.Header.Get(webhook.HeaderID)
	r.tries[id]++
	tries := r.tries[id]
	r.mu.Unlock()
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err == nil {
		err = verifier.VerifyIgnoringTimestamp(body, req.Header) // the server's clock is the test's
	}
	notice := new(v1.Notice)
	if err == nil {
		err = protojson.Unmarshal(body, notice)
	}
	if err != nil || req.Method != http.MethodPost || req.Header.Get("Content-Type") != "application/json" {
		r.t.Errorf("got a notice that cannot be believed: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if verifier.VerifyIgnoringTimestamp(append(bytes.Clone(body), ' '), req.Header) == nil {
		r.t.Error("a changed notice is believed")
	}
	if answer != nil && !answer(w, notice, tries) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, delivered{id, string(body), notice})
}

func (r *receiver) answers(f func(w http.ResponseWriter, n *v1.Notice, tries int) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

func (r *receiver) all() []delivered {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]delivered(nil), r.got...)
}

func (r *receiver) tried(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries[id]
}

// triedAny is how many requests came.
func (r *receiver) triedAny() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, tries := range r.tries {
		n += tries
	}
	return n
}

// records are the versions of the records that arrived, in order.
func (r *receiver) records() (versions []uint64) {
	for _, d := range r.all() {
		if d.notice.Type == "game.record" {
			versions = append(versions, d.notice.Data.Record.Version)
		}
	}
	return versions
}

func (r *receiver) types() (types []string) {
	for _, d := range r.all() {
		types = append(types, d.notice.Type)
	}
	return types
}

func (h *host) notifications() v1.NotificationServiceClient {
	return v1.NewNotificationServiceClient(h.conn)
}

// hook makes a webhook of a seat, or of the owner.
func (g *table) hook(r *receiver, path, token string, kinds ...logv1.NoticeKind) *v1.Webhook {
	g.t.Helper()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" // known before the first notice comes
	r.mu.Lock()
	r.secrets[path] = secret
	r.mu.Unlock()
	out, err := g.notifications().CreateWebhook(as(token), &v1.CreateWebhookRequest{
		Parent: g.name, RequestId: id(), Secret: secret, Webhook: &v1.Webhook{Url: r.server.URL + path, Kinds: kinds},
	})
	must(g.t, err)
	return out.Webhook
}

func (g *table) hookState(token, name string) *v1.Delivery {
	g.t.Helper()
	out, err := g.notifications().GetWebhook(as(token), &v1.GetWebhookRequest{Name: name})
	must(g.t, err)
	return out.Webhook.Delivery
}

func minutes(n int64) *durationpb.Duration { return durationpb.New(time.Duration(n) * time.Minute) }
