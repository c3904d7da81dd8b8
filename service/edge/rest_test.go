package edge

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// TestMergedPutsFieldsInFront: whatever the body, what comes out is the same object with more fields, or what came in,
// so that decoding says what is wrong.
func TestMergedPutsFieldsInFront(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                   `{"name":"x"}`,
		` { } `:              `{"name":"x"} `,
		`{"a":1}`:            `{"name":"x","a":1}`,
		"\n{\t\"a\":{}}\n":   `{"name":"x","a":{}}` + "\n",
		`{"name":"y"}`:       `{"name":"x","name":"y"}`,
		`[1]`:                `[1]`,
		`"{"`:                `"{"`,
		`{`:                  `{"name":"x"`,
		"\ufeff{}":           "\ufeff{}",
		`{"a":"` + "}" + `"`: `{"name":"x","a":"}"`,
	} {
		in := &merged{ReadCloser: io.NopCloser(iotest.OneByteReader(strings.NewReader(body))),
			fields: []byte(`{"name":"x"}`)}
		got, err := io.ReadAll(in)
		if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", body, err, diff)
		}
	}
	broken := &merged{ReadCloser: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF)), fields: []byte(`{}`)}
	if _, err := io.ReadAll(broken); err == nil {
		t.Error("a body that breaks off is complete")
	}
}

// TestLinesOfAStream: messages come as lines however they were cut, and an error as status or as the last line.
func TestLinesOfAStream(t *testing.T) {
	t.Parallel()
	message := func(flags byte, text string) string { return string(envelope(flags, len(text))) + text }
	for name, c := range map[string]struct {
		sent       string
		code       int
		kind, want string
	}{
		"messages": {message(0, `{"a":1}`) + message(0, `{}`) + message(endFlag, `{}`), 200, "application/x-ndjson",
			"{\"a\":1}\n{}\n"},
		"nothing": {message(endFlag, `{"metadata":{}}`), 200, "application/x-ndjson", ""},
		"an error": {message(endFlag, `{"error":{"code":"not_found"}}`), 404, "application/json",
			`{"code":"not_found"}`},
		"an error without a code": {message(endFlag, `{"error":{}}`), 500, "application/json", `{}`},
		"an error in between": {message(0, `{}`) + message(endFlag, `{"error":{"code":"aborted"}}`), 200,
			"application/x-ndjson", "{}\n{\"error\":{\"code\":\"aborted\"}}\n"},
	} {
		for _, part := range []int{1, 4, 1000} {
			w := httptest.NewRecorder()
			l := &lines{ResponseWriter: w}
			l.WriteHeader(http.StatusOK)
			for rest := c.sent; rest != ""; {
				n := min(part, len(rest))
				if wrote, err := l.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatalf("%s: wrote %d of %d, %v", name, wrote, n, err)
				}
				l.Flush()
				rest = rest[n:]
			}
			if w.Code != c.code || w.Header().Get("Content-Type") != c.kind || w.Body.String() != c.want {
				t.Errorf("%s by %d: %d %s %q", name, part, w.Code, w.Header().Get("Content-Type"), w.Body)
			}
		}
	}
	w := httptest.NewRecorder()
	l := &lines{ResponseWriter: w}
	l.WriteHeader(http.StatusTooManyRequests)
	if _, err := l.Write([]byte("later")); err != nil || w.Code != 429 || w.Body.String() != "later" {
		t.Errorf("an answer that is no stream: %d %q, %v", w.Code, w.Body, err)
	}
}
