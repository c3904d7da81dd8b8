// Command apidoc is a plugin of buf that writes docs/reference/api: a page for each file of the API's protos, made of
// their comments, and an index. Run it by `go run ./internal/dev gen`.
package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/pluginpb"
)

// documented are the folders of protos that clients compile against.
var documented = []string{"warledger/v1", "warledger/board/v1", "warledger/log/v1", "warledger/admin/v1",
	"warledger/lab/v1"}

func main() {
	protogen.Options{}.Run(func(plugin *protogen.Plugin) error {
		plugin.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL)
		write(plugin)
		return nil
	})
}

// write makes all pages.
func write(plugin *protogen.Plugin) {
	var index page
	index.line("# The API, call by call")
	index.line("")
	index.line("Generated from the comments of the protos by `go run ./internal/dev gen`. How " +
		"the calls go together is told in")
	index.line("[Writing a client](../../howto/clients.md); what can go wrong in [Errors](../errors.md).")
	files := slices.SortedFunc(slices.Values(plugin.Files), func(a, b *protogen.File) int {
		return strings.Compare(a.Desc.Path(), b.Desc.Path())
	})
	for _, folder := range documented {
		index.line("")
		index.line("## %s", strings.ReplaceAll(folder, "/", "."))
		index.line("")
		for _, file := range files {
			name := file.Desc.Path()
			if !file.Generate || path.Dir(name) != folder {
				continue
			}
			index.fill("  ", fmt.Sprintf("- [%s](%s): %s", path.Base(name), pageOf(name), contents(file)))
			var p page
			p.file(file)
			p.save(plugin, pageOf(name))
		}
	}
	index.save(plugin, "README.md")
}

// pageOf names the page of a proto file; empty for one that has none.
func pageOf(file string) string {
	for _, folder := range documented {
		if path.Dir(file) == folder {
			name := strings.TrimSuffix(strings.TrimPrefix(file, "warledger/"), ".proto")
			return strings.ReplaceAll(name, "/", "-") + ".md"
		}
	}
	return ""
}

// listed is how many names of messages the index gives for a file.
const listed = 6

// contents tells in a line what a file has.
func contents(file *protogen.File) string {
	var parts []string
	for _, s := range file.Services {
		parts = append(parts, fmt.Sprintf("`%s`", s.Desc.Name()))
	}
	if len(parts) == 0 {
		for _, m := range file.Messages {
			parts = append(parts, fmt.Sprintf("`%s`", m.Desc.Name()))
		}
	}
	if len(parts) > listed {
		parts = append(parts[:listed], "…")
	}
	return strings.Join(parts, ", ")
}
