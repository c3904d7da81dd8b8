package server_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/warledger/warledger/service/server"
)

// as asks for a path as if the server had another name.
func (r *running) as(base, method, path, host string) (int, string) {
	r.t.Helper()
	req, err := http.NewRequest(method, base+path, strings.NewReader("{}"))
	must(r.t, err)
	req.Host = host
	req.Header.Set("Content-Type", "application/json")
	code, _, body := r.send(req)
	return code, body
}

// TestForeignNamesGetNothing: a page of another name, which somebody made lead to this address (DNS rebinding), gets
// nothing from either HTTP port: no figures, profiles, traces, pages or calls.
func TestForeignNamesGetNothing(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *server.Options) {
		o.Origins = []string{"*"}
		o.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) })
	})
	asks := []struct{ base, method, path string }{
		{r.ops, "GET", "/metrics"}, {r.ops, "GET", "/debug/pprof/"}, {r.ops, "GET", "/debug/pprof/cmdline"},
		{r.ops, "GET", "/debug/pprof/trace?seconds=0.01"},
		{r.ops, "GET", "/debug/pprof/heap"}, {r.ops, "POST", "/grpc.channelz.v1.Channelz/GetServers"},
		{r.ops, "POST", "/grpc.health.v1.Health/Check"},
		{r.web, "GET", "/"}, {r.web, "POST", "/warledger.v1.GameService/ListGames"},
		{r.web, "OPTIONS", "/warledger.v1.GameService/ListGames"},
		{r.web, "GET", "/warledger.v1.GameService/ListGames?connect=v1&encoding=json&message=%7B%7D"},
	}
	for _, a := range asks {
		for _, host := range []string{
			"evil.example", "evil.example:7482", "203.0.113.9", "localhost.evil.example", "127.0.0.1.evil.example",
			"[2001:db8::1]:80",
			"[::1]evil.example", "[::1", "[localhost]", "[127.0.0.1]:80", "[]",
		} {
			code, body := r.as(a.base, a.method, a.path, host)
			if code != http.StatusMisdirectedRequest || !strings.Contains(body, "does not answer for the host") ||
				strings.Count(body, "\n") > 1 {
				t.Errorf("%s %s for %s: %d %.200s", a.method, a.path, host, code, body)
			}
		}
		for _, host := range []string{"localhost", "LOCALHOST.:1", "127.0.0.1:99", "[::1]:99", "::1", "127.0.0.2"} {
			if code, body := r.as(a.base, a.method, a.path, host); code == http.StatusMisdirectedRequest {
				t.Errorf("%s %s for %s: %d %.200s", a.method, a.path, host, code, body)
			}
		}
	}
	// A probe of the process may use any name, such as the address of a container.
	for _, path := range []string{"/healthz", "/readyz"} {
		if code, body := r.as(r.ops, "GET", path, "10.0.0.7:7481"); code != 200 || body != "ok\n" {
			t.Errorf("%s by another name: %d %s", path, code, body)
		}
	}
}

// TestNamesOfTheServer: a server answers under the names in its settings, and under those of its certificate.
func TestNamesOfTheServer(t *testing.T) {
	t.Parallel()
	ask := func(r *running, host string) int {
		code, _ := r.as(r.web, "POST", "/warledger.v1.GameService/ListGames", host)
		return code
	}
	told := start(t, func(o *server.Options) {
		o.Hosts = []string{"Play.example"}
		o.HostKnown = func(host string) bool { return host == "cert.example" }
	})
	for host, want := range map[string]int{"play.EXAMPLE:443": 200, "cert.example": 200, "other.example": 421,
		"a.play.example": 421} {
		if got := ask(told, host); got != want {
			t.Errorf("%s: %d, want %d", host, got, want)
		}
	}
	open := start(t, func(o *server.Options) { o.Hosts = []string{server.AnyHost} })
	if got := ask(open, "evil.example"); got != 200 {
		t.Errorf("a server for every name: %d", got)
	}
}

// TestForeignNamesByHTTP2 says the name in :authority, and leaves it out by HTTP/1.0.
func TestForeignNamesByHTTP2(t *testing.T) {
	t.Parallel()
	r := start(t)
	for host, want := range map[string]int{"evil.example": 421, "localhost": 200} {
		req, err := http.NewRequest(http.MethodPost, r.web+"/warledger.v1.GameService/ListGames",
			strings.NewReader("{}"))
		must(t, err)
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		answer, err := r.httpClient().Do(req)
		must(t, err)
		must(t, answer.Body.Close())
		if answer.ProtoMajor != 2 || answer.StatusCode != want {
			t.Errorf("%s: %s %d, want %d", host, answer.Proto, answer.StatusCode, want)
		}
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.ops, "http://"))
	must(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET /metrics HTTP/1.0\r\n\r\n"))
	must(t, err)
	head := make([]byte, 12)
	if _, err := conn.Read(head); err != nil || string(head) != "HTTP/1.0 421" {
		t.Errorf("without a name: %q %v", head, err)
	}
}
