// Package web holds the web board as it was built, and serves it. Its sources are in src; `npm run build` makes dist of
// them, and `go run ./internal/dev check` notices when they do not belong together.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

//go:embed all:dist
var dist embed.FS

// policy lets the page load what it came with and call the server that it came from, and nothing else. The script of
// the page's head is named by its hash.
const policy = "default-src 'none'; script-src 'self'%s; style-src 'self' 'unsafe-inline'; img-src " +
	"'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is a file of the page, ready to be sent.
type file struct {
	kind, tag, policy string
	plain             []byte
	// smaller and smallest are the contents as gzip and as brotli, compressed when first requested. Where that saves
	// nothing they are the plain contents.
	smaller, smallest func() ([]byte, error)
	// lasting is true if the name changes with the contents, so that a browser may keep it for ever.
	lasting bool
}

// pages reads the files once, when the first is asked for.
var pages = sync.OnceValues(func() (map[string]*file, error) {
	all := map[string]*file{}
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		all[strings.TrimPrefix(name, "dist")] = newFile(name, data)
		return nil
	})
	all["/"] = all["/index.html"]
	return all, err
})

func newFile(name string, data []byte) *file {
	sum := sha256.Sum256(data)
	return &file{
		kind: mime.TypeByExtension(path.Ext(name)), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, plain: data,
		policy: policyOf(name, data), lasting: strings.HasPrefix(name, "dist/assets/"),
		smaller: sync.OnceValues(func() ([]byte, error) {
			return squeeze(data, func(w io.Writer) (io.WriteCloser, error) {
				return gzip.NewWriterLevel(w, gzip.BestCompression)
			})
		}),
		smallest: sync.OnceValues(func() ([]byte, error) {
			return squeeze(data, func(w io.Writer) (io.WriteCloser, error) {
				return brotli.NewWriterLevel(w, level), nil
			})
		}),
	}
}

// level is that of brotli. The highest levels take seconds for a file, and the first visitor would have to wait.
const level = 9

// inlined matches the script in the head of a page.
var inlined = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// policyOf is the policy of a file. A page may run the scripts that it came with, which are named by their hashes.
func policyOf(name string, data []byte) string {
	hashes := ""
	if path.Ext(name) == ".html" {
		for _, m := range inlined.FindAllSubmatch(data, -1) {
			sum := sha256.Sum256(m[1])
			hashes += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
	}
	return fmt.Sprintf(policy, hashes)
}

// squeeze compresses data, or returns it unchanged if that saves nothing.
func squeeze(data []byte, by func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var out bytes.Buffer
	w, err := by(&out)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() >= len(data) {
		return data, nil
	}
	return out.Bytes(), nil
}

// Handler serves the page. Every place in it is in the fragment of the address, so there are no other paths
// than those of its files.
func Handler() http.Handler { return http.HandlerFunc(serve) }

func serve(w http.ResponseWriter, r *http.Request) {
	all, err := pages()
	if err != nil {
		http.Error(w, "the page cannot be read", http.StatusInternalServerError)
		return
	}
	f := all[r.URL.Path]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Content-Security-Policy", f.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache")
	if f.lasting {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body, coding, err := f.coded(r.Header.Get("Accept-Encoding"))
	if err != nil {
		http.Error(w, "the page cannot be compressed", http.StatusInternalServerError)
		return
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a browser that has gone
	}
}

// coded is the smallest form of a file that a browser takes.
func (f *file) coded(accepts string) (body []byte, coding string, err error) {
	switch {
	case takes(accepts, "br"):
		body, err = f.smallest()
		coding = "br"
	case takes(accepts, "gzip"):
		body, err = f.smaller()
		coding = "gzip"
	default:
		return f.plain, "", nil
	}
	if len(body) == len(f.plain) {
		coding = ""
	}
	return body, coding, err
}

// takes reports whether a list of codings names one, with a weight other than 0.
func takes(accepts, coding string) bool {
	for _, one := range strings.Split(accepts, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(one), ";")
		if strings.TrimSpace(name) != coding {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return err != nil || q > 0
	}
	return false
}
