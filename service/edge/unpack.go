package edge

import (
	"compress/gzip"
	"errors"
	"io"

	"connectrpc.com/connect"
)

var errUnpacked = errors.New("it unpacks to more than a request may have")

// unpacking lets requests be compressed by gzip, and unpacks none further than a request may be long: the library goes
// on to the end, to say how long it was, and a thousand times as many bytes may come out as were sent.
func unpacking(most int) connect.HandlerOption {
	return connect.WithCompression("gzip", func() connect.Decompressor {
		return &unpacker{most: most + 1}
	}, func() connect.Compressor { return gzip.NewWriter(io.Discard) })
}

// unpacker is a gzip reader with a bound.
type unpacker struct {
	gzip.Reader
	most, left int
}

// Reset begins another request.
func (u *unpacker) Reset(r io.Reader) error {
	u.left = u.most
	return u.Reader.Reset(r)
}

// Read reads on, up to the bound.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.left == 0 && len(p) > 0 {
		return 0, errUnpacked
	}
	n, err := u.Reader.Read(p[:min(len(p), u.left)])
	u.left -= n
	return n, err
}
