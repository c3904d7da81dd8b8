package ledger

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// TestHeadersAreParsedHere: a header is decoded without proto.Unmarshal, whichever of its fields are set.
func TestHeadersAreParsedHere(t *testing.T) {
	t.Parallel()
	full := &logv1.RecordHeader{
		Game: "g", Version: 300, Parent: 299, Time: &timestamppb.Timestamp{Seconds: 1 << 32, Nanos: 7}, Seat: "red",
		CommandId: "c-300", Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Head: 300, Revealed: true,
		DiceSource: logv1.DiceSource_DICE_SOURCE_MUTUAL, Asked: 298, Aside: true, Carries: 200,
	}
	fields := full.ProtoReflect().Descriptor().Fields()
	for without := range fields.Len() + 1 {
		h := proto.CloneOf(full)
		if without < fields.Len() {
			h.ProtoReflect().Clear(fields.Get(without))
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		got := new(logv1.RecordHeader)
		if !new(Parser).header(data, got, new(timestamppb.Timestamp)) || !proto.Equal(h, got) {
			t.Errorf("%v is read as %v", h, got)
		}
	}
}

// TestADefaultIsNeverWritten: a number that is 0 is left out, so that a record has one form only.
func TestADefaultIsNeverWritten(t *testing.T) {
	t.Parallel()
	for value, sound := range map[byte]bool{0: false, 1: true} {
		c := cursor{buf: []byte{tagAudience, value}, end: 2}
		if got := c.small(tagAudience, "an audience"); got != uint32(value) || (c.err == nil) != sound {
			t.Errorf("%d is read as %d: %v", value, got, c.err)
		}
	}
}
