package talk

import (
	"testing"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestNotesAreEmptiedForALaterHolderOnly: a server that does not know yet who sits there now must not wipe what they
// have written.
func TestNotesAreEmptiedForALaterHolderOnly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kept   uint64
		notes  int
		reason fault.Reason
	}{
		"the holder's own":      {7, 1, ""},
		"of somebody who left":  {3, 0, ""},
		"of whoever came after": {9, 1, fault.NotYourSeat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			room := &logv1.TalkRoom{Sitting: tt.kept, Messages: []*logv1.TalkMessage{{Id: "note"}}}
			before := proto.CloneOf(room)
			err := begin(&edit{TalkRoom: room}, "red", 7)
			if got := fault.Reason(fault.ReasonOf(err)); got != tt.reason || len(room.Messages) != tt.notes {
				t.Errorf("%d notes, %v", len(room.Messages), err)
			}
			if tt.notes > 0 && !proto.Equal(room, before) {
				t.Errorf("the room is %v", room)
			}
		})
	}
}
