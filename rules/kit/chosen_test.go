package kit

import (
	"testing"

	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
)

// Each kind of a command can be chosen by its name, and is then the chosen one.
func TestChoose(t *testing.T) {
	t.Parallel()
	if got := Chosen(&toyv1.Command{}); got != "" {
		t.Errorf("an empty command has chosen %q", got)
	}
	fields := kinds((&toyv1.Command{}).ProtoReflect()).Fields()
	if fields.Len() == 0 {
		t.Fatal("no kinds")
	}
	for i := range fields.Len() {
		m, name := &toyv1.Command{}, string(fields.Get(i).Name())
		body := Choose(m, name)
		if got := Chosen(m); got != name || body.Descriptor() != fields.Get(i).Message() {
			t.Errorf("%s: chosen %q with %s", name, got, body.Descriptor().FullName())
		}
		data, err := proto.Marshal(m)
		back := &toyv1.Command{}
		if err != nil || proto.Unmarshal(data, back) != nil || Chosen(back) != name {
			t.Errorf("%s is %x, read as %q", name, data, Chosen(back))
		}
	}
}
