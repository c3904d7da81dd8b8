package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, method, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPageAndItsParts follows the page to every part that it names, as a browser would.
func TestPageAndItsParts(t *testing.T) {
	t.Parallel()
	index := get(t, "GET", "/")
	body := text(t, index.Body)
	if index.StatusCode != 200 || !strings.Contains(body, `<div id="app">`) ||
		index.Header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("%d %v %.200s", index.StatusCode, index.Header, body)
	}
	if !strings.Contains(index.Header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("headers %v", index.Header)
	}
	parts := regexp.MustCompile(`(?:src|href)="\./([^"]+)"`).FindAllStringSubmatch(body, -1)
	if len(parts) < 3 {
		t.Fatalf("the page names %d parts: %s", len(parts), body)
	}
	for _, part := range parts {
		r := get(t, "GET", "/"+part[1])
		if r.StatusCode != 200 || r.Header.Get("Content-Type") == "" || len(text(t, r.Body)) == 0 {
			t.Errorf("%s: %d %v", part[1], r.StatusCode, r.Header)
		}
		if asset := strings.HasPrefix(part[1],
			"assets/"); asset != strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: Cache-Control %q", part[1], r.Header.Get("Cache-Control"))
		}
	}
}

func TestCompressedAndUnchanged(t *testing.T) {
	t.Parallel()
	plain := get(t, "GET", "/index.html")
	small := get(t, "GET", "/index.html", "Accept-Encoding", "br, gzip")
	if small.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("headers %v", small.Header)
	}
	z, err := gzip.NewReader(small.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text(t, z) != text(t, plain.Body) {
		t.Error("the compressed page is another")
	}
	again := get(t, "GET", "/index.html", "If-None-Match", plain.Header.Get("ETag"))
	if again.StatusCode != 304 || text(t, again.Body) != "" {
		t.Errorf("unchanged: %d", again.StatusCode)
	}
}

func TestWhatIsNoPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path string
		code         int
	}{
		{"GET", "/nothing", 404}, {"GET", "/assets/", 404}, {"GET", "/../web.go", 404},
		{"POST", "/warledger.v1.GameService/NoSuchThing", 404},
		{"POST", "/", 405}, {"HEAD", "/", 200},
	} {
		if r := get(t, c.method, c.path); r.StatusCode != c.code {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, r.StatusCode, c.code)
		}
	}
}
