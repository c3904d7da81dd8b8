package live

import (
	"hash/maphash"

	"github.com/warledger/warledger/service/ledger"
)

// requestIDs are digests of the ids that a game's records carry, so that a new request, as nearly all are, need not be
// looked for in the store. Of a stranger it may say that it is there, never of a known one that it is not.
type requestIDs struct {
	digests map[uint32]struct{}
	// later are digests that are not among digests yet: a game that is looked at and not played needs none.
	later []uint32
}

// idSeed is the same for all games: digests are kept in memory only.
var idSeed = maphash.MakeSeed()

func digestID(id string) uint32 { return uint32(maphash.String(idSeed, id)) }

func (r *requestIDs) add(id string) {
	if id != "" {
		r.later = append(r.later, digestID(id))
	}
}

func (r *requestIDs) addAll(records []*ledger.Record) {
	for _, record := range records {
		r.add(record.Header().CommandId)
	}
}

func (r *requestIDs) mayHave(id string) bool {
	if r.digests == nil {
		r.digests = make(map[uint32]struct{}, len(r.later))
	}
	for _, d := range r.later {
		r.digests[d] = struct{}{}
	}
	r.later = nil
	_, found := r.digests[digestID(id)]
	return found
}
