package live

import (
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Sittings counts how often each caller has sat down in a game since somebody played. It is not stored: a game that was
// dropped from memory counts anew.
type Sittings struct {
	played uint64 // version of the last record that was played; 0 for none
	by     map[string]int
}

// Count is how often a caller has sat down since somebody played. Asides and changes of the table are not play.
func (s *Sittings) Count(m *Moment, caller string) int {
	played := 0
	for i, k := range slices.Backward(m.Marks) {
		if k.Kind != uint8(logv1.RecordKind_RECORD_KIND_TABLE) && !k.Aside {
			played = i + 1
			break
		}
	}
	if s.played != uint64(played) {
		s.played, s.by = uint64(played), nil
	}
	return s.by[caller]
}

// Add counts one more, after Count.
func (s *Sittings) Add(caller string) {
	if s.by == nil {
		s.by = make(map[string]int)
	}
	s.by[caller]++
}
