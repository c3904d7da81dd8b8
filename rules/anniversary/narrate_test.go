package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protoreflect"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// eventOf reads an event of a sample.
func eventOf(t *testing.T, text string) *event {
	t.Helper()
	e := &event{}
	if err := prototext.Unmarshal([]byte(text), e); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

// told puts an event, given as text, into words.
func told(t *testing.T, sc *Scenario, lang rules.Lang, text string) string {
	t.Helper()
	n := teller.Tell(sc, eventOf(t, text))
	if n.Key == "" {
		return ""
	}
	return catalogue.Format(lang, n)
}

// Every event is told in English as written here, and in Japanese without anything left over.
func TestNarration(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	for _, s := range samples {
		if diff := cmp.Diff(s.want, told(t, sc, rules.English, s.event)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", s.event, diff)
		}
		ja := told(t, sc, rules.Japanese, s.event)
		if (ja == "") != (s.want == "") || strings.ContainsAny(ja, "{}[]@") {
			t.Errorf("%s in Japanese: %q", s.event, ja)
		}
	}
}

// untold are the kinds of event that are never told: each raid, assault and battle of a step tells itself.
var untold = map[protoreflect.Name]bool{"combat_step_began": true}

// Every kind of event has a sample, with words unless its kind is untold.
func TestNarrationKnowsEveryEvent(t *testing.T) {
	t.Parallel()
	fields := (&anniversaryv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("kind").Fields()
	told := map[protoreflect.Name]bool{}
	for _, s := range samples {
		name, _, _ := strings.Cut(s.event, " ")
		told[protoreflect.Name(name)] = told[protoreflect.Name(name)] || s.want != ""
	}
	for i := range fields.Len() {
		if name := fields.Get(i).Name(); told[name] == untold[name] {
			t.Errorf("samples of %s have words: %v", name, told[name])
		}
	}
	if n := teller.Tell(shippedScenario(t, "1941"), &anniversaryv1.Event{}); n.Key != "" {
		t.Errorf("an event without a kind is told as %s", n.Key)
	}
}
