package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// chainAudit lists the chains that seats committed to anew. Whether the seat's player or somebody else with the seat's
// token did that, no log can tell.
type chainAudit struct {
	renewed map[string][]uint64
	known   map[string]bool
}

// mostListed is how many records are named where there may be many.
const mostListed = 8

func (c *chainAudit) add(a *auditor, r *Record) {
	if r.Header().Kind != logv1.RecordKind_RECORD_KIND_TABLE {
		return
	}
	if c.known == nil {
		c.known, c.renewed = make(map[string]bool), make(map[string][]uint64)
	}
	events, _ := r.TableEvents() // the chain has read them before
	for _, e := range events {
		if e := e.GetChainRenewed(); e != nil {
			c.renewed[e.Seat] = append(c.renewed[e.Seat], r.Version())
		}
		for _, to := range []interface {
			GetSeat() string
			GetChain() *logv1.HashChain
		}{e.GetSeatTaken(), e.GetChainRenewed(), e.GetDiceAnswered()} {
			if to.GetChain() == nil {
				continue
			}
			id := to.GetSeat() + " " + string(to.GetChain().GetAnchor())
			if c.known[id] {
				a.find(r.Version(), Notice, CheckDice,
					"commits %s to a chain that it had before, so others may know its links", to.GetSeat())
			}
			c.known[id] = true
		}
	}
}

func (c *chainAudit) unchecked() (what []string) {
	for _, seat := range slices.Sorted(maps.Keys(c.renewed)) {
		what = append(what, fmt.Sprintf("dice: the chain of %s was renewed in %s; only its player knows whether by a "+
			"program of theirs", seat, listed(c.renewed[seat])))
	}
	return what
}

// listed names records, the first of them if there are many.
func listed(records []uint64) string {
	named, more := records, ""
	if n := len(records); n > mostListed {
		named, more = records[:mostListed], fmt.Sprintf(" and %d more", n-mostListed)
	}
	return fmt.Sprintf("%s %s%s", plural(len(records), "record"), strings.Trim(fmt.Sprint(named), "[]"), more)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
