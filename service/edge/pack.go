package edge

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"connectrpc.com/connect"
	"github.com/andybalholm/brotli"
)

var errUnpacked = errors.New("it unpacks to more than a request may have")

// brotliLevel makes a board a fifth smaller than gzip does, in about the same time. Higher levels gain little until
// the highest, which takes seconds.
const brotliLevel = 5

// packing lets messages be compressed by gzip and by brotli. A request is unpacked only up to the largest size that is
// allowed. The library alone would unpack it to the end in order to report its size, and a small request can unpack to
// a thousand times its size.
func packing(most int) connect.HandlerOption {
	return connect.WithHandlerOptions(
		connect.WithCompression("gzip", func() connect.Decompressor {
			return &unpacker{reader: new(gzip.Reader), most: most + 1}
		}, func() connect.Compressor { return gzip.NewWriter(io.Discard) }),
		connect.WithCompression("br", func() connect.Decompressor {
			return &unpacker{reader: new(brotli.Reader), most: most + 1}
		}, func() connect.Compressor { return brotli.NewWriterLevel(io.Discard, brotliLevel) }))
}

// unpacker is a reader of what was compressed, with a bound.
type unpacker struct {
	reader interface {
		io.Reader
		Reset(io.Reader) error
	}
	most, left int
}

// Reset begins another request.
func (u *unpacker) Reset(r io.Reader) error {
	u.left = u.most
	return u.reader.Reset(r)
}

// Read reads on, up to the bound.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.left == 0 && len(p) > 0 {
		return 0, errUnpacked
	}
	n, err := u.reader.Read(p[:min(len(p), u.left)])
	u.left -= n
	return n, err
}

// Close ends nothing that is open: neither reader holds anything.
func (u *unpacker) Close() error { return nil }

// smallest compresses answers by brotli if the caller accepts it. Browsers name gzip first, and the library takes the
// first coding that it knows.
func smallest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if takesBrotli(r.Header.Get("Accept-Encoding")) {
			r.Header.Set("Accept-Encoding", "br")
		}
		next.ServeHTTP(w, r)
	})
}

// takesBrotli reports whether a list of codings names brotli, with a weight other than 0.
func takesBrotli(accepts string) bool {
	return slices.ContainsFunc(strings.Split(accepts, ","), func(one string) bool {
		name, weight, _ := strings.Cut(strings.TrimSpace(one), ";")
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return strings.TrimSpace(name) == "br" && (err != nil || q > 0)
	})
}
