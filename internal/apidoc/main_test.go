package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/pluginpb"
)

// request is what buf would ask for: one documented file and one that has no page.
const request = `
file_to_generate: "warledger/v1/a.proto"
file_to_generate: "warledger/toy/v1/b.proto"
proto_file {
  name: "warledger/toy/v1/b.proto" package: "warledger.toy.v1" syntax: "proto3"
  options { go_package: "example/toy" }
  message_type { name: "Command" }
}
proto_file {
  name: "warledger/v1/a.proto" package: "warledger.v1" syntax: "proto3" dependency: "warledger/toy/v1/b.proto"
  options { go_package: "example/v1" }
  service { name: "S" method {
    name: "Do" input_type: ".warledger.v1.In" output_type: ".warledger.v1.In" server_streaming: true
    options { idempotency_level: NO_SIDE_EFFECTS } } }
  message_type {
    name: "In"
    field { name: "a" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
    field { name: "c" number: 2 type: TYPE_MESSAGE type_name: ".warledger.toy.v1.Command" label: LABEL_REPEATED }
    field { name: "e" number: 3 type: TYPE_ENUM type_name: ".warledger.v1.E" label: LABEL_OPTIONAL }
    oneof_decl { name: "which" }
  }
  enum_type { name: "E" value { name: "E_UNSPECIFIED" number: 0 } }
  source_code_info {
    location { path: [2] span: [1, 0, 1] leading_comments: " The package.\n" }
    location { path: [4, 0] span: [2, 0, 1] leading_comments: " In has\n a field.\n\n buf:lint:ignore X\n" }
    location { path: [4, 0, 2, 0] span: [3, 0, 1] leading_comments: " One | two.\n" }
  }
}`

const want = "# warledger/v1/a.proto\n\nPackage `warledger.v1`, [source](../../../proto/warledger/v1/a.proto). " +
	"[All pages](README.md).\n\nThe package.\n\n## S\n\n### Do\n\n" +
	"Takes [In](#in), returns a stream of [In](#in). Changes nothing.\n\n## In\n\nIn has a field.\n\n" +
	"| field | type | what it is |\n|---|---|---|\n| `a` | string | (one of `which`) One \\| two. |\n" +
	"| `c` | list of `warledger.toy.v1.Command` |  |\n| `e` | [E](#e) |  |\n\n## E\n\n" +
	"| value | number | what it is |\n|---|---:|---|\n| `E_UNSPECIFIED` | 0 |  |\n"

func TestPages(t *testing.T) {
	t.Parallel()
	var req pluginpb.CodeGeneratorRequest
	if err := prototext.Unmarshal([]byte(request), &req); err != nil {
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
	if d := cmp.Diff(want, got["v1-a.md"]); d != "" {
		t.Error(d)
	}
	if len(got) != 2 || got["README.md"] == "" {
		t.Errorf("%d files, want the index and one page", len(got))
	}
}
