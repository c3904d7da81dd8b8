package edge

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"
)

// packed is a compressed run of blanks.
func packed(t *testing.T, coding string, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&out)
	if coding == "br" {
		w = brotli.NewWriter(&out)
	}
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
	s := serve(t, Limits{Receive: most, Send: most})
	ask := func(t *testing.T, coding string, size int) (code int, text string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/grpc.health.v1.Health/Check",
			bytes.NewReader(packed(t, coding, size)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Content-Encoding", coding)
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
	for coding, u := range map[string]*unpacker{
		"gzip": {reader: new(gzip.Reader), most: most}, "br": {reader: new(brotli.Reader), most: most},
	} {
		t.Run(coding, func(t *testing.T) {
			for range 2 {
				if err := u.Reset(bytes.NewReader(packed(t, coding, 1<<20))); err != nil {
					t.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, u); n != most || !errors.Is(err, errUnpacked) {
					t.Errorf("%d bytes, then %v", n, err)
				}
			}
			code, text := ask(t, coding, 1<<20)
			if code != http.StatusTooManyRequests || !strings.Contains(text, errUnpacked.Error()) {
				t.Errorf("a request that is too long: %d %s", code, text)
			}
			if code, text := ask(t, coding, most/2); code != http.StatusBadRequest ||
				!strings.Contains(text, "invalid_argument") {
				t.Errorf("blanks: %d %s", code, text)
			}
		})
	}
}

// TestAnswersAreCompressedAsSmallAsTheCallerTakesThem: a browser names gzip before brotli and gets brotli.
func TestAnswersAreCompressedAsSmallAsTheCallerTakesThem(t *testing.T) {
	t.Parallel()
	s := serve(t, Limits{Receive: 1 << 20, Send: 1 << 20})
	body, err := proto.Marshal(&healthv1.HealthCheckRequest{Service: "large"})
	if err != nil {
		t.Fatal(err)
	}
	for accepts, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "br": "br", "gzip, br;q=0": "gzip", "gzip;q=1.0, br;q=0.5": "br",
		"gzip": "gzip", "identity": "", "broken": "",
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/grpc.health.v1.Health/Check",
			bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/proto")
		req.Header.Set("Accept-Encoding", accepts)
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		<-s.got
		var of io.Reader = answer.Body
		switch answer.Header.Get("Content-Encoding") {
		case "br":
			of = brotli.NewReader(of)
		case "gzip":
			if of, err = gzip.NewReader(of); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(of)
		if got := answer.Header.Get("Content-Encoding"); got != want || err != nil ||
			bytes.Count(data, []byte("large ")) != compressFrom {
			t.Errorf("for %q: %d %q of %d bytes, %v, want %q", accepts, answer.StatusCode, got, len(data), err, want)
		}
		if err := answer.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}
