package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/pluginpb"
)

// request is what buf would ask for: three documented files and one that has no page.
const request = `
file_to_generate: "warledger/v1/a.proto"
file_to_generate: "warledger/v1/many.proto"
file_to_generate: "warledger/v1/six.proto"
file_to_generate: "warledger/toy/v1/b.proto"
proto_file {
  name: "warledger/toy/v1/b.proto" package: "warledger.toy.v1" syntax: "proto3"
  options { go_package: "example/toy" }
  message_type { name: "Command" }
}
proto_file {
  name: "warledger/v1/many.proto" package: "warledger.v1" syntax: "proto3"
  options { go_package: "example/v1" }
  message_type { name: "A" field { name: "f" number: 1 type: TYPE_BOOL label: LABEL_OPTIONAL } }
  message_type { name: "B" } message_type { name: "C" } message_type { name: "D" }
  message_type { name: "F" } message_type { name: "G" } message_type { name: "H" }
}
proto_file {
  name: "warledger/v1/six.proto" package: "warledger.v1" syntax: "proto3"
  options { go_package: "example/v1" }
  message_type { name: "S1" } message_type { name: "S2" } message_type { name: "S3" }
  message_type { name: "S4" } message_type { name: "S5" } message_type { name: "S6" }
}
proto_file {
  name: "warledger/v1/a.proto" package: "warledger.v1" syntax: "proto3" dependency: "warledger/toy/v1/b.proto"
  dependency: "warledger/v1/many.proto"
  options { go_package: "example/v1" }
  service { name: "S"
    method { name: "Do" input_type: ".warledger.v1.In" output_type: ".warledger.v1.In" server_streaming: true
      options { idempotency_level: NO_SIDE_EFFECTS } }
    method { name: "Again" input_type: ".warledger.v1.A" output_type: ".warledger.v1.In.Inner"
      options { idempotency_level: IDEMPOTENT } } }
  message_type {
    name: "In"
    field { name: "a" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
    field { name: "c" number: 2 type: TYPE_MESSAGE type_name: ".warledger.toy.v1.Command" label: LABEL_REPEATED }
    field { name: "e" number: 3 type: TYPE_ENUM type_name: ".warledger.v1.E" label: LABEL_OPTIONAL }
    field { name: "m" number: 4 type: TYPE_MESSAGE type_name: ".warledger.v1.In.MEntry" label: LABEL_REPEATED }
    field { name: "o" number: 5 type: TYPE_UINT32 label: LABEL_OPTIONAL proto3_optional: true oneof_index: 1 }
    nested_type { name: "MEntry" options { map_entry: true }
      field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
      field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".warledger.v1.H" label: LABEL_OPTIONAL } }
    nested_type { name: "Inner" enum_type { name: "K" value { name: "K_UNSPECIFIED" number: 0 } } }
    oneof_decl { name: "which" }
    oneof_decl { name: "_o" }
  }
  enum_type { name: "E" value { name: "E_UNSPECIFIED" number: 0 } value { name: "E_ONE" number: 1 } }
  source_code_info {
    location { path: [2] span: [1, 0, 1] leading_comments: " The package.\n" }
    location { path: [4, 0] span: [2, 0, 1] leading_comments: " In has\n a field.\n\n buf:lint:ignore X\n" }
    location { path: [4, 0, 2, 0] span: [3, 0, 1] leading_comments: " One | two.\n" }
    location { path: [5, 0] span: [4, 0, 1] leading_comments: " E says.\n" }
    location { path: [5, 0, 2, 1] span: [5, 0, 1] leading_comments: " One.\n" }
    location { path: [6, 0] span: [6, 0, 1] leading_comments: " LONG\n" }
    location { path: [6, 0, 2, 0] span: [7, 0, 1] leading_comments: " Do does.\n" }
  }
}`

// The pages, with ~ for a backquote, FULL for a line as long as may be, and SHORT for
// what the next one has room for.
const (
	wantIndex = `# The API, call by call

Generated from the comments of the protos by ~go run ./internal/dev gen~. How the calls go together is told in
[Writing a client](../../howto/clients.md); what can go wrong in [Errors](../errors.md).

## warledger.v1

- [a.proto](v1-a.md): ~S~
- [many.proto](v1-many.md): ~A~, ~B~, ~C~, ~D~, ~F~, ~G~, …
- [six.proto](v1-six.md): ~S1~, ~S2~, ~S3~, ~S4~, ~S5~, ~S6~

## warledger.board.v1


## warledger.log.v1


## warledger.admin.v1


## warledger.lab.v1
`
	wantPage = `# warledger/v1/a.proto

Package ~warledger.v1~, [source](../../../proto/warledger/v1/a.proto). [All pages](README.md).

The package.

## S

FULL
xy SHORT
wörter

### Do

Do does.

Takes [In](#in), returns a stream of [In](#in). Changes nothing.

### Again

Takes [A](v1-many.md#a), returns [In.Inner](#ininner). A repeat of the same request changes nothing more.

## In

In has a field.

| field | type | what it is |
|---|---|---|
| ~a~ | string | (one of ~which~) One \| two. |
| ~c~ | list of ~warledger.toy.v1.Command~ |  |
| ~e~ | [E](#e) |  |
| ~m~ | map of string to [H](v1-many.md#h) |  |
| ~o~ | uint32 | (optional) |

## In.Inner

## In.Inner.K

| value | number | what it is |
|---|---:|---|
| ~K_UNSPECIFIED~ | 0 |  |

## E

E says.

| value | number | what it is |
|---|---:|---|
| ~E_UNSPECIFIED~ | 0 |  |
| ~E_ONE~ | 1 | One. |
`
	wantMany = `# warledger/v1/many.proto

Package ~warledger.v1~, [source](../../../proto/warledger/v1/many.proto). [All pages](README.md).

## A

| field | type | what it is |
|---|---|---|
| ~f~ | bool |  |

## B

## C

## D

## F

## G

## H
`
	wantSix = `# warledger/v1/six.proto

Package ~warledger.v1~, [source](../../../proto/warledger/v1/six.proto). [All pages](README.md).

## S1

## S2

## S3

## S4

## S5

## S6
`
)

var (
	rest  = strings.TrimSpace(strings.Repeat("wörter ", 17))
	full  = rest + " w" // 120 characters
	spell = strings.NewReplacer("~", "`", "FULL", full, "SHORT", strings.TrimSuffix(rest, " wörter"))
)

func TestPages(t *testing.T) {
	t.Parallel()
	var req pluginpb.CodeGeneratorRequest
	// A line that is full, by characters and not by bytes, and what does not fit any more.
	if err := prototext.Unmarshal([]byte(strings.Replace(request, "LONG", full+" xy "+rest, 1)), &req); err != nil {
		t.Fatal(err)
	}
	plugin, err := protogen.Options{}.New(&req)
	if err != nil {
		t.Fatal(err)
	}
	write(plugin)
	got := map[string]string{}
	for _, f := range plugin.Response().File {
		got[f.GetName()] = f.GetContent()
	}
	if d := cmp.Diff(map[string]string{
		"README.md": spell.Replace(wantIndex), "v1-a.md": spell.Replace(wantPage),
		"v1-many.md": spell.Replace(wantMany),
		"v1-six.md":  spell.Replace(wantSix),
	}, got); d != "" {
		t.Errorf("pages (-want +got)\n%s", d)
	}
}
