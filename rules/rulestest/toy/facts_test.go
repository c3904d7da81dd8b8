package toy

import (
	"testing"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules/kit"
)

// Every fact makes the event that holds it.
func TestFacts(t *testing.T) {
	t.Parallel()
	empty := (&toyv1.Event{}).ProtoReflect()
	kinds := empty.Descriptor().Oneofs().Get(0).Fields()
	for i := range kinds.Len() {
		m := empty.NewField(kinds.Get(i)).Message()
		e := fact(m.Interface())
		if got := kit.Chosen(e); got != string(kinds.Get(i).Name()) ||
			e.ProtoReflect().Get(kinds.Get(i)).Message() != m {
			t.Errorf("%s makes an event of %q", m.Descriptor().Name(), got)
		}
	}
}
