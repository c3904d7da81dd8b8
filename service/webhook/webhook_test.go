package webhook_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/goleak"

	"github.com/warledger/warledger/service/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var local = webhook.Guard{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// TestSignature holds a signature against the program of those who made the standard, and against the example
// of its documentation.
func TestSignature(t *testing.T) {
	t.Parallel()
	const text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	secret, err := webhook.ParseSecret(text)
	if err != nil || webhook.FormatSecret(secret) != text {
		t.Fatalf("the secret reads as %q: %v", webhook.FormatSecret(secret), err)
	}
	at := time.Unix(1614265330, 0)
	if got := webhook.Sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", at,
		[]byte(`{"test": 2432232314}`)); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("the example is signed %s", got)
	}
	theirs, err := standardwebhooks.NewWebhook(text)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set(webhook.HeaderID, "msg_1")
	h.Set(webhook.HeaderTimestamp, "1614265330")
	h.Set(webhook.HeaderSignature, webhook.Sign(secret, "msg_1", at, []byte("body")))
	if err := theirs.VerifyIgnoringTimestamp([]byte("body"), h); err != nil {
		t.Error(err)
	}
}

func TestBadSecrets(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=",
		"whsec_" + strings.Repeat("A", 400), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!"} {
		if _, err := webhook.ParseSecret(text); err == nil {
			t.Errorf("%q passes", text)
		} else if len(text) > 6 && strings.Contains(err.Error(), text) {
			t.Errorf("the error quotes the secret: %v", err)
		}
	}
}

// TestGuard: what only the server can reach is let through by no spelling of it.
func TestGuard(t *testing.T) {
	t.Parallel()
	inside := []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "198.18.0.1",
		"192.0.0.8", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fc00::1]",
		"[fd12::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]",
		"[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:1::]", "[2001:db8::1]", "[::127.0.0.1]", "[fec0::1]",
	}
	for _, host := range inside {
		if (webhook.Guard{}).CheckURL("https://"+host+"/x") == "" {
			t.Errorf("%s may be reached", host)
		}
	}
	for _, host := range []string{"8.8.8.8", "[2606:4700::1111]", "example.org", "example.org:8443", "172.32.0.1"} {
		if fault := (webhook.Guard{}).CheckURL("https://" + host + "/x?y=z"); fault != "" {
			t.Errorf("%s may not be reached: %s", host, fault)
		}
	}
	for _, bad := range []string{"", "https://", "https:///x", "http://example.org", "https://a@example.org",
		"https://example.org/#x", "https:example.org", "://", "https://" + strings.Repeat("a", 3000), "javascript:1"} {
		if (webhook.Guard{}).CheckURL(bad) == "" {
			t.Errorf("%q passes", bad)
		}
	}
	if fault := local.CheckURL("http://127.0.0.1/x"); fault != "" {
		t.Errorf("an allowed network may not be reached: %s", fault)
	}
	if local.CheckURL("https://10.0.0.1/") == "" {
		t.Error("allowing one network allows others")
	}
}

// TestGuardAtTheDoor: a name is only looked at when it has become an address, whatever the check
// of the URL said before.
func TestGuardAtTheDoor(t *testing.T) {
	t.Parallel()
	reached := false
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(s.Close)
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	c := webhook.New(webhook.Options{})
	t.Cleanup(c.Close)
	r, err := c.Post(context.Background(), "https://localhost"+port+"/", []byte("k"), "msg_1", time.Now(), nil)
	if err != nil || r.Failure != webhook.FailedAddress || reached {
		t.Errorf("got %v, %v, reached %v", r, err, reached)
	}
	// Without TLS only what is allowed is reached, also where something is allowed.
	other := webhook.New(
		webhook.Options{Guard: webhook.Guard{Allowed: []netip.Prefix{netip.MustParsePrefix("192.168.0.0/16")}}},
	)
	t.Cleanup(other.Close)
	r, err = other.Post(context.Background(), "http://localhost"+port+"/", []byte("k"), "msg_1", time.Now(), nil)
	if err != nil || r.Failure != webhook.FailedAddress || reached {
		t.Errorf("got %v, %v, reached %v", r, err, reached)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	at := time.Now().Truncate(time.Second)
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   webhook.Result
	}{
		"taken": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, webhook.Result{Status: 204}},
		"moved": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, webhook.Result{Status: 302, Failure: webhook.FailedStatus}},
		"gone": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) },
			webhook.Result{Status: 410, Failure: webhook.FailedGone}},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(429)
		}, webhook.Result{Status: 429, Failure: webhook.FailedStatus, After: 90 * time.Second}},
		"too busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "999999")
			w.WriteHeader(503)
		}, webhook.Result{Status: 503, Failure: webhook.FailedStatus, After: time.Hour}},
		"later": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", at.Add(5*time.Minute).UTC().Format(http.TimeFormat))
			w.WriteHeader(503)
		}, webhook.Result{Status: 503, Failure: webhook.FailedStatus, After: 5 * time.Minute}},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for range 1000 {
				if _, err := io.WriteString(w, strings.Repeat("x", 16<<10)); err != nil {
					return
				}
			}
		}, webhook.Result{Status: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(c.answer))
			t.Cleanup(s.Close)
			client := webhook.New(webhook.Options{Guard: local})
			t.Cleanup(client.Close)
			got, err := client.Post(context.Background(), s.URL, []byte("k"), "msg_1", at, []byte("{}"))
			if err != nil || got != c.want {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
}

// TestOneHostIsNotFlooded: more than its share waits, others do not.
func TestOneHostIsNotFlooded(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { entered <- struct{}{}; <-leave }),
	)
	t.Cleanup(s.Close)
	c := webhook.New(webhook.Options{Guard: local, PerHost: 1})
	t.Cleanup(c.Close)
	post := func() (webhook.Result, error) {
		return c.Post(context.Background(), s.URL, []byte("k"), "msg_1", time.Now(), nil)
	}
	done := make(chan error, 1)
	go func() { _, err := post(); done <- err }()
	<-entered
	if _, err := post(); err != webhook.ErrBusy {
		t.Errorf("got %v, want that the host is busy", err)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// FuzzCheckURL: whatever passes is what it seems: https to a host without user, and no address inside.
func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"https://example.org/x", "https://127.0.0.1/", "https://[::ffff:7f00:1]/",
		"https://0x7f.1/", "http://x", "https://a:b@c/#d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if (webhook.Guard{}).CheckURL(text) != "" {
			return
		}
		req, err := http.NewRequest(http.MethodPost, text, nil)
		if err != nil {
			t.Skip() // the client says so later
		}
		if req.URL.Scheme != "https" || req.URL.User != nil || req.URL.Hostname() == "" {
			t.Errorf("%q passes", text)
		}
		if addr, err := netip.ParseAddr(req.URL.Hostname()); err == nil &&
			(addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()) {
			t.Errorf("%q passes", text)
		}
	})
}

// FuzzParseSecret: what can be read is written the same.
func FuzzParseSecret(f *testing.F) {
	f.Add("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	f.Add("whsec_MfKQ\r9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	f.Fuzz(func(t *testing.T, text string) {
		if secret, err := webhook.ParseSecret(text); err == nil && webhook.FormatSecret(secret) != text {
			t.Errorf("%q is written %q", text, webhook.FormatSecret(secret))
		}
	})
}
