package edge

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// packed is a compressed run of blanks.
func packed(t *testing.T, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, strings.Repeat(" ", size)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRequestsAreUnpackedToTheirBound: five megabytes that unpack to five thousand took a second of processor for the
// price of the cheapest call, to say how long the request was.
func TestRequestsAreUnpackedToTheirBound(t *testing.T) {
	t.Parallel()
	const most = 1 << 12
	u := &unpacker{most: most}
	for range 2 {
		if err := u.Reset(bytes.NewReader(packed(t, 1<<20))); err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, u); n != most || !errors.Is(err, errUnpacked) {
			t.Errorf("%d bytes, then %v", n, err)
		}
	}
	s := serve(t, Limits{Receive: most, Send: most})
	ask := func(size int) (code int, text string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/grpc.health.v1.Health/Check",
			bytes.NewReader(packed(t, size)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Content-Encoding", "gzip")
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	if code, text := ask(1 << 20); code != http.StatusTooManyRequests || !strings.Contains(text, errUnpacked.Error()) {
		t.Errorf("a request that is too long: %d %s", code, text)
	}
	if code, text := ask(most / 2); code != http.StatusBadRequest || !strings.Contains(text, "invalid_argument") {
		t.Errorf("blanks: %d %s", code, text)
	}
}
