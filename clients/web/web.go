// Package web holds the web board as it was built, and serves it. Its sources are in src; `npm run build` makes dist of
// them, and `go run ./internal/dev check` notices when they do not belong together.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var dist embed.FS

// policy lets the page load what it came with and call the server that it came from, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src " +
	"'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is a file of the page, ready to be sent.
type file struct {
	kind, tag    string
	plain, small []byte
	// lasting is true if the name changes with the contents, so that a browser may keep it for ever.
	lasting bool
}

// pages reads and compresses the files once, when the first is asked for.
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
		f, err := newFile(name, data)
		all[strings.TrimPrefix(name, "dist")] = f
		return err
	})
	all["/"] = all["/index.html"]
	return all, err
})

func newFile(name string, data []byte) (*file, error) {
	sum := sha256.Sum256(data)
	f := &file{
		kind: mime.TypeByExtension(path.Ext(name)), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, plain: data,
		lasting: strings.HasPrefix(name, "dist/assets/"),
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() < len(data) {
		f.small = out.Bytes()
	}
	return f, nil
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
	h.Set("Content-Security-Policy", policy)
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
	body := f.plain
	if f.small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = f.small
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a browser that has gone
	}
}
