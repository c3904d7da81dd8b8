package unknown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/unknown"
)

func paths(fields []unknown.Field) (out []string) {
	for _, f := range fields {
		out = append(out, f.Path)
	}
	return out
}

func TestInJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, doc string
		of        proto.Message
		want      []string
	}{
		{"nothing", `{"name":"x","validateOnly":true,"command_id":"y"}`, &v1.SubmitCommandRequest{}, nil},
		{"a misspelt name", `{"name":"x","validateOnli":true}`, &v1.SubmitCommandRequest{}, []string{"validateOnli"}},
		{"several, with values of all shapes", `{"a":{"b":[1,{"c":[]}]},"name":"x","d":[[]],"e":null,"":"}"}`,
			&v1.SubmitCommandRequest{}, []string{"a", "d", "e", ""}},
		{"in a message", `{"deadlines":{"lapse":null,"lapze":1}}`, &v1.CreateGameRequest{},
			[]string{"deadlines.lapze"}},
		{"in an Any, its type last", `{"command":{"mov":{},"@type":"type.googleapis.com/warledger.toy.v1.Command"}}`,
			&v1.SubmitCommandRequest{}, []string{"command.mov"}},
		{"in a message of an Any",
			`{"command":{"@type":"type.googleapis.com/warledger.toy.v1.Command","move":{"unit":"r1","spac":"0101"}}}`,
			&v1.SubmitCommandRequest{}, []string{"command.move.spac"}},
		{"beside a value of an Any",
			`{"command":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s","x":1}}`,
			&v1.SubmitCommandRequest{}, []string{"command.x"}},
		{"an extension", `{"[warledger.v1.x]":1}`, &v1.SubmitCommandRequest{}, []string{"[warledger.v1.x]"}},
		{"an unfinished document", `{"a":{"b":[`, &v1.SubmitCommandRequest{}, []string{"a"}},
		{"no object", `[{"a":1}]`, &v1.SubmitCommandRequest{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want,
				paths(unknown.InJSON([]byte(c.doc), c.of.ProtoReflect().Descriptor()))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// later is a message of a newer program: it has a field with the number 999.
func later[M proto.Message](m M) M {
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 999, protowire.VarintType), 1))
	return m
}

func TestInMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		m    proto.Message
		want []string
	}{
		{"nothing", &v1.SubmitCommandRequest{
			Name: "x", Form: &v1.SubmitCommandRequest_Command{Command: &anypb.Any{Value: []byte{0xff}}},
		}, nil},
		{"in the request", later(&v1.SubmitCommandRequest{Name: "x"}), []string{"999"}},
		{"in a message of it",
			&v1.SubmitCommandRequest{Form: &v1.SubmitCommandRequest_Command{Command: later(&anypb.Any{})}},
			[]string{"command.999"}},
		{"in a list", &v1.ListGamesResponse{Games: []*v1.Game{{}, later(&v1.Game{})}}, []string{"games[1].999"}},
		{"in a command", &toyv1.Command{Command: &toyv1.Command_Move{Move: later(&toyv1.Move{})}},
			[]string{"move.999"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, paths(unknown.InMessage(c.m.ProtoReflect()))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzInJSON checks that InJSON finds a name exactly where protobuf's JSON refuses a document only for an unknown
// name.
func FuzzInJSON(f *testing.F) {
	for _, doc := range []string{
		`{"name":"x","validateOnli":true}`,
		`{"command":{"@type":"type.googleapis.com/warledger.toy.v1.Command","move":{"x":1}}}`,
		`{"manualDice":[1,2],"a":[{}]}`, `{`, `null`,
		`{"command":{"@type":"type.googleapis.com/google.protobuf.Any",` +
			`"value":{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"a":1}}}}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		found := unknown.InJSON(doc, (&v1.SubmitCommandRequest{}).ProtoReflect().Descriptor())
		strict, loose := protojson.Unmarshal(doc, new(v1.SubmitCommandRequest)),
			protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(doc, new(v1.SubmitCommandRequest))
		if strict == nil && len(found) > 0 {
			t.Errorf("%q has no unknown field, found %v", doc, found)
		}
		if strict != nil && strings.Contains(strict.Error(), "unknown field") && loose == nil && len(found) == 0 {
			t.Errorf("nothing found in %q: %v", doc, strict)
		}
	})
}
