package house

import "strings"

// contract is a proto tree with a service, a shared message package and a ruleset's.
const contract = `
-- proto/warledger/v1/service.pb.go --
package warledgerv1

import _ "google.golang.org/grpc"
-- proto/warledger/log/v1/log.pb.go --
package logv1

import _ "google.golang.org/protobuf/proto"
-- proto/warledger/downfall/v1/downfall.pb.go --
package downfallv1

import _ "~/proto/warledger/log/v1"
-- proto/warledger/ocs/v1/ocs.proto --
syntax = "proto3";
`

// importing is the contract with one file that imports each path on a line of its own, from line 4.
func importing(file string, paths ...string) string {
	return our(contract + "-- " + file + " --\npackage p\n\nimport (\n\t_ \"" + strings.Join(paths, "\"\n\t_ \"") +
		"\"\n)\n")
}

var importSamples = []sample{
	{"a ruleset with what it may know", importing("rules/downfall/a.go",
		"fmt", "crypto/sha256", "~/rules", "~/rules/hex", "~/rules/downfall/data", "~/proto/warledger/log/v1",
		"~/proto/warledger/downfall/v1", "google.golang.org/protobuf/proto"), nil},
	{"a ruleset with the world", importing("rules/downfall/a.go",
		"time", "os", "os/exec", "math/rand/v2", "sync/atomic", "log/slog", "net/http", "crypto/rand"),
		[]string{
			"rules/downfall/a.go:4", "rules/downfall/a.go:5", "rules/downfall/a.go:6", "rules/downfall/a.go:7",
			"rules/downfall/a.go:8", "rules/downfall/a.go:9", "rules/downfall/a.go:10", "rules/downfall/a.go:11",
		}},
	{"a ruleset with the house", importing("rules/downfall/a.go",
		"~/service", "~/eventstore", "~/proto/warledger/v1", "google.golang.org/grpc", "go.etcd.io/bbolt",
		"example.com/any", "~/rules/ocs"),
		[]string{
			"rules/downfall/a.go:4", "rules/downfall/a.go:5", "rules/downfall/a.go:6", "rules/downfall/a.go:7",
			"rules/downfall/a.go:8", "rules/downfall/a.go:9", "rules/downfall/a.go:10",
		}},
	{"the kernel with a ruleset", importing("rules/a.go", "~/rules/downfall"), []string{"rules/a.go:4"}},
	{"a ruleset found by its rulebook", importing("rules/a.go", "~/rules/new") + "-- rules/new/rulebook.tsv --\n",
		[]string{"rules/a.go:4"}},
	{"a test of a ruleset", importing("rules/downfall/a_test.go", "time", "pgregory.net/rapid"), nil},
	{"the battery", importing("rules/rulestest/a.go", "testing", "os", "pgregory.net/rapid", "~/rules"), nil},
	{"the battery with a server",
		importing("rules/rulestest/a.go", "~/service", "~/eventstore", "google.golang.org/grpc/codes"),
		[]string{"rules/rulestest/a.go:4", "rules/rulestest/a.go:5", "rules/rulestest/a.go:6"}},
	{"messages on a service",
		importing("proto/warledger/board/v1/board.pb.go", "~/proto/warledger/v1", "~/service", "example.com/any"),
		[]string{
			"proto/warledger/board/v1/board.pb.go:4", "proto/warledger/board/v1/board.pb.go:5",
			"proto/warledger/board/v1/board.pb.go:6",
		}},
	{"an event store", importing("eventstore/bbolt/a.go", "os", "go.etcd.io/bbolt", "~/eventstore", "~/rules",
		"~/proto/warledger/log/v1"),
		[]string{"eventstore/bbolt/a.go:7", "eventstore/bbolt/a.go:8"}},
	{"the service", importing("service/a.go",
		"~/rules", "~/rules/dice", "~/eventstore", "~/proto/warledger/v1", "google.golang.org/grpc",
		"~/rules/downfall", "~/eventstore/bbolt", "~/proto/warledger/downfall/v1", "~/rules/ocs", "~/cmd/warledgerd"),
		[]string{"service/a.go:9", "service/a.go:10", "service/a.go:11", "service/a.go:12", "service/a.go:13"}},
	{"a test of the service", importing("service/a_test.go", "~/rules/downfall", "~/eventstore/memory"), nil},
	{"a client", importing("clients/web/a.go", "~/proto/warledger/v1", "~/clients/sdk", "~/rules", "~/service",
		"~/eventstore/memory"),
		[]string{"clients/web/a.go:6", "clients/web/a.go:7", "clients/web/a.go:8"}},
	{"a client that plays locally", importing("clients/bot/search/a.go", "~/rules", "~/rules/downfall", "~/service"),
		[]string{"clients/bot/search/a.go:6"}},
	{"the program", importing("cmd/warledgerd/a.go", "~/rules/downfall", "~/eventstore/bbolt", "~/service"), nil},
	{"another module", importing("rules/extra/a.go", "~/service") + "-- rules/extra/go.mod --\n", nil},
}
