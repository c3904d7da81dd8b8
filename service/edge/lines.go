package edge

import (
	"encoding/binary"
	"encoding/json"
	"net/http"

	"connectrpc.com/connect"
	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
)

// Connect's streams are messages with a head before each: flags and length. The last one has a flag and says how the
// stream ended.
const (
	headSize = 5
	endFlag  = 2
)

func envelope(flags byte, size int) []byte {
	return binary.BigEndian.AppendUint32([]byte{flags}, uint32(size))
}

// lines makes lines of JSON of a stream of Connect in JSON. An error before the first message is the answer, with its
// status; a later one is the last line, {"error": ...}.
type lines struct {
	http.ResponseWriter
	// begun is true once something was sent, and whole for an answer that is no stream.
	begun, whole bool
	head         []byte
	// left is how much of the message is still to come.
	left int
	end  []byte
}

// Unwrap is for http.ResponseController.
func (l *lines) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// Flush sends what was written.
func (l *lines) Flush() {
	if l.begun {
		_ = http.NewResponseController(l.ResponseWriter).Flush() // a write says whether the caller is there
	}
}

// WriteHeader waits for the first message, which may be an error.
func (l *lines) WriteHeader(code int) {
	if code != http.StatusOK {
		l.begun, l.whole = true, true
		l.ResponseWriter.WriteHeader(code)
	}
}

// begin sends the status.
func (l *lines) begin(code int, kind string) {
	if l.begun {
		return
	}
	l.begun = true
	l.Header().Set("Content-Type", kind)
	l.Header().Del("Content-Length")
	l.ResponseWriter.WriteHeader(code)
}

// Write passes messages on as lines.
func (l *lines) Write(p []byte) (int, error) {
	if l.whole {
		return l.ResponseWriter.Write(p)
	}
	for rest := p; len(rest) > 0; {
		if l.left == 0 {
			n := min(headSize-len(l.head), len(rest))
			l.head, rest = append(l.head, rest[:n]...), rest[n:]
			if len(l.head) == headSize {
				l.left = int(binary.BigEndian.Uint32(l.head[1:]))
				if err := l.message(nil); err != nil {
					return 0, err
				}
			}
			continue
		}
		n := min(l.left, len(rest))
		l.left -= n
		if err := l.message(rest[:n]); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return len(p), nil
}

// message takes a part of a message whose head has come, and ends the line with its last part.
func (l *lines) message(part []byte) error {
	if l.head[0]&endFlag != 0 {
		if l.end = append(l.end, part...); l.left > 0 {
			return nil
		}
		l.head = l.head[:0]
		return l.last()
	}
	l.begin(http.StatusOK, "application/x-ndjson")
	if l.left == 0 {
		part = append(part[:len(part):len(part)], '\n')
		l.head = l.head[:0]
	}
	_, err := l.ResponseWriter.Write(part)
	return err
}

// last sends how the stream ended, if it was by an error.
func (l *lines) last() error {
	var end struct {
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(l.end, &end); err != nil {
		return err
	}
	if len(end.Error) == 0 {
		l.begin(http.StatusOK, "application/x-ndjson")
		return nil
	}
	var known struct {
		Code connect.Code `json:"code"`
	}
	out := append(append([]byte(`{"error":`), end.Error...), "}\n"...)
	if !l.begun {
		if json.Unmarshal(end.Error, &known) != nil || known.Code == 0 {
			known.Code = connect.CodeUnknown
		}
		out = end.Error
	}
	l.begin(runtime.HTTPStatusFromCode(codes.Code(known.Code)), "application/json")
	_, err := l.ResponseWriter.Write(out)
	return err
}
