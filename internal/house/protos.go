package house

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	anyType    = regexp.MustCompile(`google\.protobuf\.Any\b|google/protobuf/any\.proto`)
	rpcLine    = regexp.MustCompile(`\brpc\s+(\w+)\s*\(\s*(stream\b)?[^)]*\)\s*returns\s*\(\s*(stream\b)?`)
	protoNotes = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
)

// checkTypedPayloads looks at what logs are made of: the log's own package and every ruleset's.
func checkTypedPayloads(t *Tree) []Violation {
	var found []Violation
	for name, code := range t.protos() {
		if !within(name, "proto/warledger/v1") && !within(name, "proto/warledger/board") {
			found = append(found, matches(name, []byte(code), anyType)...)
		}
	}
	return sorted(found)
}

// streaming names the calls whose answer has no bound, and so comes in parts.
var streaming = []string{"WatchGame", "AuditGame", "ExportGame", "CheckStore", "BackupStore", "OfferComputer",
	"WatchMessages"}

func checkStreams(t *Tree) []Violation {
	var found []Violation
	for name, code := range t.protos() {
		for _, m := range rpcLine.FindAllStringSubmatchIndex(code, -1) {
			method := code[m[2]:m[3]]
			line := 1 + strings.Count(code[:m[0]], "\n")
			if m[4] >= 0 {
				found = append(found, Violation{name, line, fmt.Sprintf("%s takes a stream", method)})
			}
			if m[6] >= 0 && !slices.Contains(streaming, method) {
				found = append(found, Violation{name, line, fmt.Sprintf("%s returns a stream", method)})
			}
		}
	}
	return sorted(found)
}

// protos walks the contract's files without their comments, keeping the lines' numbers.
func (t *Tree) protos() func(yield func(name, code string) bool) {
	return func(yield func(name, code string) bool) {
		for _, name := range slices.Sorted(maps.Keys(t.Files)) {
			if !within(name, "proto") || !strings.HasSuffix(name, ".proto") {
				continue
			}
			code := protoNotes.ReplaceAllStringFunc(string(t.Files[name]), func(note string) string {
				return strings.Repeat("\n", strings.Count(note, "\n"))
			})
			if !yield(name, code) {
				return
			}
		}
	}
}
