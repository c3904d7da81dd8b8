package notice

import (
	"crypto/sha256"
	"maps"
	"sync"
	"time"
)

// How often an address may be asked whether it wants mail, by anybody.
const (
	// MostConfirmations is how often within confirmationsWithin.
	MostConfirmations   = 3
	confirmationsWithin = 24 * time.Hour
	// mostAddresses bounds what is remembered; beyond it no other address is asked for a while.
	mostAddresses = 10_000
)

// confirmations count how often addresses were asked, so that nobody can have the server pester somebody. They are
// forgotten when it ends.
type confirmations struct {
	mu    sync.Mutex
	asked map[[sha256.Size]byte][]time.Time
}

func newConfirmations() *confirmations {
	return &confirmations{asked: make(map[[sha256.Size]byte][]time.Time)}
}

// ask counts one more; if that is too many, it says when there may be another.
func (c *confirmations) ask(address string, now time.Time) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := sha256.Sum256([]byte(address))
	var recent []time.Time
	for _, at := range c.asked[key] {
		if now.Sub(at) < confirmationsWithin {
			recent = append(recent, at)
		}
	}
	if len(recent) >= MostConfirmations {
		return recent[0].Add(confirmationsWithin).Sub(now)
	}
	if len(c.asked) >= mostAddresses {
		maps.DeleteFunc(c.asked,
			func(_ [sha256.Size]byte, at []time.Time) bool { return now.Sub(at[len(at)-1]) >= confirmationsWithin })
	}
	if len(c.asked) >= mostAddresses && recent == nil { // more strangers in a day than any honest server has
		return time.Hour
	}
	c.asked[key] = append(recent, now)
	return 0
}
