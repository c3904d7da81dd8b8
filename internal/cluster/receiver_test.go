//go:build linux

package cluster

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/warledger/warledger/service/webhook"
)

// receiver gets what servers post.
type receiver struct {
	address string

	mu   sync.Mutex
	got  map[string]map[uint64]string // ids of the notices of each game, by version
	ids  map[string]uint64            // versions, by the notice's id
	bad  []string
	seen int
}

func newReceiver(t testing.TB, s *namespace) *receiver {
	t.Helper()
	r := &receiver{address: s.address.String() + ":8080", got: make(map[string]map[uint64]string),
		ids: make(map[string]uint64)}
	var l net.Listener
	var err error
	s.do(func() { l, err = net.Listen("tcp", r.address) })
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: r}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

func (r *receiver) url(g *game) string { return "http://" + r.address + "/" + g.name }

// ServeHTTP takes a notice. One in twenty gets no answer that counts, so that it is posted again.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var notice struct { // v1.Notice, of which no more is needed; its events are of any ruleset
		Data struct {
			Record struct {
				Version uint64 `json:",string"`
			}
		}
	}
	if err == nil {
		err = json.Unmarshal(body, &notice)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	game, id := strings.TrimPrefix(req.URL.Path, "/"), req.Header.Get(webhook.HeaderID)
	version := notice.Data.Record.Version
	if err != nil || id == "" || version == 0 {
		r.bad = append(r.bad, string(body))
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if r.seen++; r.seen%20 == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if r.got[game] == nil {
		r.got[game] = make(map[uint64]string)
	}
	if old, known := r.got[game][version]; known && old != id {
		r.bad = append(r.bad, "a record came under two ids: "+old+" and "+id)
	}
	if old, known := r.ids[id]; known && old != version {
		r.bad = append(r.bad, "an id came for two records: "+id)
	}
	r.got[game][version], r.ids[id] = id, version
}

// missing are the versions of a game that did not come, of those after one version up to another.
func (r *receiver) missing(g *game, after, last uint64) (missing []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for v := after + 1; v <= last; v++ {
		if r.got[g.name][v] == "" {
			missing = append(missing, v)
		}
	}
	return missing
}
