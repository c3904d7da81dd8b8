package doctor

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestPort plants each way in which a port for HTTP does not answer.
func TestPort(t *testing.T) {
	t.Parallel()
	serve := func(code int, secure bool) string {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.Method, code) })
		s := httptest.NewUnstartedServer(h)
		if s.Start(); secure {
			s.Close()
			s = httptest.NewTLSServer(h)
		}
		t.Cleanup(s.Close)
		return s.Listener.Addr().String()
	}
	listen := func(keep bool) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if keep {
			t.Cleanup(func() { _ = l.Close() })
		} else if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return l.Addr().String()
	}
	for name, test := range map[string]struct {
		address  string
		tls      *tls.Config
		patience time.Duration
		state    State
		found    string
	}{
		"refused":   {listen(false), nil, time.Minute, Note, "nothing listens"},
		"mute":      {listen(true), nil, 20 * time.Millisecond, Problem, "gave no answer"},
		"plain":     {serve(200, false), new(tls.Config), time.Minute, Problem, "does not speak TLS"},
		"encrypted": {serve(200, true), nil, time.Minute, Problem, "speaks TLS"},
		"a name":    {serve(421, false), nil, time.Minute, Problem, "not under this name"},
		"not ready": {serve(503, false), nil, time.Minute, Problem, "can't work"},
		"other":     {serve(404, false), nil, time.Minute, Problem, "answers 404"},
		"no port":   {"a b", nil, time.Minute, Problem, "HOST:PORT"},
	} {
		p := Port{Check: "port.x", Flag: "--x", Address: test.address, TLS: test.tls, Patience: test.patience}
		_, bad := p.Ask(t.Context(), "/", "")
		if bad == nil || bad.State != test.state || !strings.Contains(bad.Found, test.found) || bad.Do == "" {
			t.Errorf("%s: %+v, want %s and %q", name, bad, test.state, test.found)
		}
	}
	p := Port{Check: "port.x", Flag: "--x", Address: serve(200, false), Patience: time.Minute}
	if page, bad := p.Ask(t.Context(), "/", "{}"); bad != nil || page.Text != "POST\n" || page.Date.IsZero() {
		t.Errorf("%+v, %+v", page, bad)
	}
}

// TestProgramIn reads the version out of the metrics.
func TestProgramIn(t *testing.T) {
	t.Parallel()
	metrics := "# TYPE warledger_build_info gauge\nwarledger_build_info{version=\"v0.1.0\"} 1\nother 2\n"
	if got := ProgramIn(metrics); got != "v0.1.0" {
		t.Errorf("%q", got)
	}
	if got := ProgramIn("other 2\n"); got != "" {
		t.Errorf("%q of nothing", got)
	}
}

// TestElsewhere finds a port that other hosts reach by each address of this host, and none that only this host reaches.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	cards, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, c := range cards {
		if ip := c.(*net.IPNet).IP; !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && ip.To4() != nil {
			others++
		}
	}
	for listens, want := range map[string]int{"127.0.0.1:0": 0, "0.0.0.0:0": others} {
		l, err := net.Listen("tcp4", listens)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		_, port, _ := net.SplitHostPort(l.Addr().String())
		for _, host := range []string{"localhost", "127.0.0.1"} {
			if got := Elsewhere(t.Context(), net.JoinHostPort(host, port)); len(got) != want {
				t.Errorf("a port that listens at %s answers at %v, want %d other addresses", listens, got, want)
			}
		}
	}
	if got := Elsewhere(t.Context(), "192.0.2.1:80"); got != nil {
		t.Errorf("addresses of another host: %v", got)
	}
}
