package server_test

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

const listGames = "/warledger.v1.GameService/ListGames"

// crowded is a server whose list of games takes more than 300,000 bytes.
func crowded(t *testing.T, set ...func(*server.Options)) *running {
	t.Helper()
	r := start(t, set...)
	for i := range 150 {
		game := strings.Repeat("a", 24) + string([]byte{'a' + byte(i/26), 'a' + byte(i%26)})
		meta, err := proto.Marshal(&logv1.GameMeta{Summary: &logv1.GameSummary{
			Game: game, Ruleset: "toy", Over: true, Result: strings.Repeat("長", 500), Title: strings.Repeat("長", 200),
		}})
		must(t, err)
		entry := eventstore.Entry{Version: 1, Data: []byte("x")}
		must(t, r.store.Append(t.Context(), eventstore.Append{Stream: "games/" + game, Entries: []eventstore.Entry{entry}, Meta: meta}))
	}
	return r
}

// listing begins a list of all games whose caller reads only what the windows of HTTP/2 allow at first.
func listing(t *testing.T, r *running) *http2.Framer {
	t.Helper()
	_, framer := dialHTTP2(t, r.ports()["web"])
	call(t, framer, 1, listGames, "application/json", false)
	must(t, framer.WriteData(1, true, []byte(`{"pageSize":1000}`)))
	return framer
}

var errCut = errors.New("the server has ended the stream")

// reads takes the answer to a listing and grants more window with each part, after grant has returned.
func reads(framer *http2.Framer, grant func()) (bytes int, err error) {
	for {
		f, err := framer.ReadFrame()
		if err != nil {
			return bytes, err
		}
		switch f := f.(type) {
		case *http2.RSTStreamFrame:
			return bytes, errCut
		case *http2.DataFrame:
			n := len(f.Data())
			if bytes += n; f.StreamEnded() {
				return bytes, nil
			}
			if n == 0 {
				continue
			}
			grant()
			for _, stream := range []uint32{0, 1} {
				if err := framer.WriteWindowUpdate(stream, uint32(n)); err != nil {
					return bytes, err
				}
			}
		}
	}
}

// TestAnswersEndInTime has a stranger take each part of an answer in time, but the whole too slowly.
func TestAnswersEndInTime(t *testing.T) {
	t.Parallel()
	const patience = 400 * time.Millisecond
	r := crowded(t, impatient(server.Patience{Answer: patience}))
	_, err := reads(listing(t, r), func() { time.Sleep(patience / 10) })
	if !errors.Is(err, errCut) {
		t.Errorf("the whole answer came, part by part: %v", err)
	}
	if n, err := reads(listing(t, r), func() {}); err != nil || n < 300_000 {
		t.Errorf("a caller who reads got %d bytes: %v", n, err)
	}
}

// TestUnreadAnswersByHTTP has a stranger leave an answer unread. Other callers are refused when too much lies in
// memory, until it is read.
func TestUnreadAnswersByHTTP(t *testing.T) {
	t.Parallel()
	th := throttle.New(throttle.Options{AllUnread: 400_000, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	r := crowded(t, func(o *server.Options) { o.Gate = th })
	list := func(size int) (int, string) {
		code, _, body := r.post(listGames, fmt.Sprintf(`{"pageSize":%d}`, size))
		return code, body
	}
	slow := listing(t, r)
	for th.Unread() < 300_000 {
		runtime.Gosched()
	}
	if code, body := list(1000); code != http.StatusTooManyRequests || !strings.Contains(body, "TOO_MANY_CALLS") || !strings.Contains(body, "unread") {
		t.Errorf("a second answer of this size: %d %.200s", code, body)
	}
	if code, body := list(1); code != http.StatusOK {
		t.Errorf("a small answer: %d %.200s", code, body)
	}
	if _, err := reads(slow, func() {}); err != nil {
		t.Errorf("the first answer, when it is read: %v", err)
	}
	for th.Unread() > 0 {
		runtime.Gosched()
	}
	if code, body := list(1000); code != http.StatusOK {
		t.Errorf("when the first answer was read: %d %.200s", code, body)
	}
}
