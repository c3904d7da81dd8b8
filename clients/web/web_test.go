package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
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
	small := get(t, "GET", "/index.html", "Accept-Encoding", "gzip, br;q=0")
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

// TestBrotliWhereABrowserTakesIt: browsers that can are sent less than gzip would be, and it is the same file.
func TestBrotliWhereABrowserTakesIt(t *testing.T) {
	t.Parallel()
	for _, name := range assets(t) {
		plain := text(t, get(t, "GET", name).Body)
		zipped := get(t, "GET", name, "Accept-Encoding", "gzip")
		small := get(t, "GET", name, "Accept-Encoding", "gzip, deflate, br")
		if small.Header.Get("Content-Encoding") != "br" {
			t.Fatalf("%s: headers %v", name, small.Header)
		}
		if a, b := small.ContentLength, zipped.ContentLength; a >= b {
			t.Errorf("%s takes %d bytes as brotli, %d as gzip", name, a, b)
		}
		if got := text(t, brotli.NewReader(small.Body)); got != plain {
			t.Errorf("%s is another as brotli", name)
		}
	}
}

// assets are the scripts and styles of the built page.
func assets(t *testing.T) (names []string) {
	t.Helper()
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if strings.HasPrefix(name, "/assets/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) < 3 {
		t.Fatalf("the page has the assets %v", names)
	}
	return names
}

// budget is how many bytes a browser loads before the first board, the board aside: script, style and the page take
// 0.54 s at 1.6 Mbit/s. What is not needed for a board is loaded later.
const budget = 108_500

// TestBytesBeforeTheFirstBoard: the page that a browser loads stays within what slow 4G carries in time.
func TestBytesBeforeTheFirstBoard(t *testing.T) {
	t.Parallel()
	index := get(t, "GET", "/", "Accept-Encoding", "br")
	sum := int(index.ContentLength)
	for _, m := range regexp.MustCompile(`(?:src|href)="\./(assets/[^"]+)"`).FindAllStringSubmatch(
		text(t, get(t, "GET", "/").Body), -1) {
		sum += int(get(t, "GET", "/"+m[1], "Accept-Encoding", "br").ContentLength)
	}
	if sum > budget || sum < budget/2 {
		t.Errorf("the page takes %d bytes before the first board, %d are allowed", sum, budget)
	}
}

// TestHeadScriptMayRun: the policy names the script of the page's head, and lets no other run.
func TestHeadScriptMayRun(t *testing.T) {
	t.Parallel()
	r := get(t, "GET", "/")
	m := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindStringSubmatch(text(t, r.Body))
	if m == nil {
		t.Fatal("the page has no script of its own")
	}
	sum := sha256.Sum256([]byte(m[1]))
	want := "script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
	if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, want) || strings.Contains(p, "%!") {
		t.Errorf("the policy is %q, want %q in it", p, want)
	}
}
