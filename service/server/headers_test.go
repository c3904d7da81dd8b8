package server_test

import (
	"bytes"
	"io"
	"net"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestLongHeaders has a stranger send a call by gRPC whose headers hold two hundred thousand fields, each a byte long.
// They took forty bytes of memory each, half a million were allowed, and no bound counted them, because a call begins
// with the end of its headers. The connection is closed before they have come.
func TestLongHeaders(t *testing.T) {
	t.Parallel()
	r := start(t)
	for fields, served := range map[int]bool{100: true, 200_000: false} {
		c, err := net.Dial("tcp", r.conn.Target())
		must(t, err)
		defer c.Close()
		var block bytes.Buffer
		enc := hpack.NewEncoder(&block)
		for _, f := range []hpack.HeaderField{
			{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "http"},
			{Name: ":authority", Value: "localhost"},
			{Name: ":path", Value: v1.CatalogService_ListRulesets_FullMethodName},
			{Name: "content-type", Value: "application/grpc"}, {Name: "te", Value: "trailers"}, {Name: "a"},
		} {
			must(t, enc.WriteField(f))
		}
		block.Write(bytes.Repeat([]byte{0xbe}, fields)) // the newest field again
		go sendHeaders(c, block.Bytes())
		if got := answered(c); got != served {
			t.Errorf("with %d fields the call is answered: %t", fields, got)
		}
	}
}

// sendHeaders begins a connection and a call, whose request is empty.
func sendHeaders(c net.Conn, block []byte) {
	_, _ = io.WriteString(c, http2.ClientPreface)
	f := http2.NewFramer(c, nil)
	err := f.WriteSettings()
	for first := true; err == nil && (first || len(block) > 0); first = false {
		part := block[:min(len(block), 16<<10)]
		block = block[len(part):]
		if first {
			err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: part, EndHeaders: len(block) == 0})
		} else {
			err = f.WriteContinuation(1, len(block) == 0, part)
		}
	}
	if err == nil { // an empty message of gRPC
		_ = f.WriteData(1, true, make([]byte, 5))
	}
}

// answered reports whether a call gets an answer before the connection ends.
func answered(c net.Conn) bool {
	f := http2.NewFramer(nil, c)
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return false
		}
		if _, headers := frame.(*http2.HeadersFrame); headers {
			return true
		}
	}
}
