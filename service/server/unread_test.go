package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/http2"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
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
		must(t, r.store.Append(t.Context(),
			eventstore.Append{Stream: "games/" + game, Entries: []eventstore.Entry{entry}, Meta: meta}))
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
	th := throttle.New(throttle.Options{AllUnread: 400_000, Cost: func(string) throttle.Cost {
		return throttle.Cost{Units: 1}
	}})
	r := crowded(t, func(o *server.Options) { o.Gate = th })
	list := func(size int) (int, string) {
		code, _, body := r.post(listGames, fmt.Sprintf(`{"pageSize":%d}`, size))
		return code, body
	}
	slow := listing(t, r)
	for th.Unread() < 300_000 {
		runtime.Gosched()
	}
	if code, body := list(1000); code != http.StatusTooManyRequests || !strings.Contains(body, "TOO_MANY_CALLS") ||
		!strings.Contains(body, "unread") {
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

// givenUp is how many lists of games are counted as ended by too many calls.
func givenUp(t *testing.T, from prometheus.Gatherer) (n float64) {
	t.Helper()
	families, err := from.Gather()
	must(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			labels := ""
			for _, l := range m.GetLabel() {
				labels += l.GetName() + "=" + l.GetValue() + " "
			}
			if f.GetName() == "warledger_errors_total" && labels == "method=ListGames reason=TOO_MANY_CALLS " {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// noted is a Gate that notes what is counted of the answer to one call, and refuses one of the counts.
type noted struct {
	refuse int
	counts chan int
}

func (*noted) Enter(context.Context, string) (func(), error) { return func() {}, nil }

func (n *noted) Answer(context.Context) func(int) error {
	count := 0
	return func(bytes int) error {
		n.counts <- bytes
		if count++; count == n.refuse {
			return fault.New(fault.TooManyCalls, "too much is unread")
		}
		return nil
	}
}

// counted returns what has been counted.
func (n *noted) counted() (counts []int) {
	for len(n.counts) > 0 {
		counts = append(counts, <-n.counts)
	}
	return counts
}

// TestAnswersCountFromTheHandler has an answer counted from when its handler returns it until it is sent, as it is
// then. It was counted when it had come to the side that speaks HTTP, and as JSON only when it was too late to give it
// up; its JSON was not counted while a compressed form of it was sent.
func TestAnswersCountFromTheHandler(t *testing.T) {
	t.Parallel()
	n := &noted{counts: make(chan int, 100)}
	var figures *prometheus.Registry
	r := crowded(t, func(o *server.Options) { o.Gate, figures = n, o.Metrics })
	for _, coding := range []string{"identity", "gzip"} {
		code, _, body := r.post(listGames, `{"pageSize":1000}`, "Accept-Encoding", coding)
		counts := n.counted()
		if code != http.StatusOK || len(counts) < 5 || counts[0] < 300_000 {
			t.Fatalf("%s: %d, counted %v", coding, code, counts)
		}
		text := len(body)
		if coding == "gzip" {
			text = counts[2]
		}
		size, sent := counts[0], len(body)
		if coding == "gzip" {
			sent += text
		}
		if diff := cmp.Diff([]int{size, size, text, sent, 0}, counts[:5]); diff != "" || counts[len(counts)-1] != 0 ||
			text < size {
			t.Errorf("%s: counted %v:\n%s", coding, counts, diff)
		}
	}
	for n.refuse = 1; n.refuse <= 3; n.refuse++ { // by the handler, when it has come, and when it is JSON
		if code, _, body := r.post(listGames, `{"pageSize":1000}`); code != http.StatusTooManyRequests ||
			!strings.Contains(body, "TOO_MANY_CALLS") {
			t.Errorf("count %d is refused: %d %.200s", n.refuse, code, body)
		}
		if counts := n.counted(); counts[len(counts)-1] != 0 {
			t.Errorf("count %d is refused: counted %v", n.refuse, counts)
		}
		if found := givenUp(t, figures); found != float64(n.refuse) {
			t.Errorf("count %d is refused: the metrics have %v answers that were given up", n.refuse, found)
		}
	}
}

// TestLargeAnswersByGRPC has many large answers made at once: those for which there is no room are given up.
func TestLargeAnswersByGRPC(t *testing.T) {
	t.Parallel()
	th := throttle.New(throttle.Options{AllUnread: 200_000, Cost: func(string) throttle.Cost {
		return throttle.Cost{Units: 1}
	}})
	var count *prometheus.Registry
	r := crowded(t, func(o *server.Options) { o.Gate, count = th, o.Metrics })
	list := func(size int32) error {
		return second(v1.NewGameServiceClient(r.conn).ListGames(t.Context(), &v1.ListGamesRequest{PageSize: size}))
	}
	if err := list(1000); reasonOf(err) != "TOO_MANY_CALLS" {
		t.Errorf("a large answer: %v", err)
	}
	if n := givenUp(t, count); n != 1 {
		t.Errorf("%v answers were given up, by the metrics", n)
	}
	must(t, list(1))
	if n := th.Unread(); n != 0 {
		t.Errorf("%d bytes are counted still", n)
	}
}
