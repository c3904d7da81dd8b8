package house

import (
	"fmt"
	"path"
	"strings"
)

// localPlay names the clients that play without a server and so may import rules.
var localPlay = []string{"clients/bot", "clients/lab", "clients/local"}

// impure are the parts of the standard library that bring time, chance, the outside world or concurrency into rules.
var impure = []string{
	"crypto/rand", "database/sql", "expvar", "hash/maphash", "log", "math/rand", "net", "os", "plugin", "runtime",
	"sync", "syscall", "testing", "time", "unsafe", "weak",
}

// runtimes are what makes a server a server; rules never see them, not even the battery that tests rulesets.
var runtimes = []string{
	"connectrpc.com/connect", "github.com/prometheus", "go.etcd.io/bbolt", "google.golang.org/grpc",
}

// messages are the third-party packages that generated messages stand on.
var messages = []string{"google.golang.org/protobuf", "google.golang.org/genproto"}

// sharedProtos are the contract's packages that belong to no ruleset.
var sharedProtos = []string{"proto/warledger/v1", "proto/warledger/board", "proto/warledger/log",
	"proto/warledger/admin", "proto/warledger/lab"}

// checkImports holds each direct import of the product against the layers. What rules may reach is closed: rules import
// rules and message packages, message packages import message packages. So no chain leads out.
func checkImports(t *Tree) []Violation {
	l := layersOf(t)
	var found []Violation
	for _, p := range t.Packages {
		for _, s := range p.product() {
			for _, spec := range s.AST.Imports {
				if why := l.forbids(p.Path, importPath(spec)); why != "" {
					found = append(found, t.at(spec.Pos(), "%s imports %s: %s", p.Path, importPath(spec), why))
				}
			}
		}
	}
	return sorted(found)
}

// layers knows which folders are what.
type layers struct {
	// rulesets holds each concrete ruleset's folder name, as it stands under rules and under proto/warledger.
	rulesets map[string]bool
	// services holds the proto packages made of a service.
	services map[string]bool
}

// layersOf finds the rulesets by what each one has, a proto package or a rulebook, so that a new one needs no entry.
func layersOf(t *Tree) layers {
	l := layers{map[string]bool{}, map[string]bool{}}
	for name := range t.Files {
		if rest, ok := strings.CutPrefix(name, "proto/warledger/"); ok && !anyWithin(name, sharedProtos) {
			if ruleset, _, ok := strings.Cut(rest, "/"); ok {
				l.rulesets[ruleset] = true
			}
		}
		if dir, file := path.Split(name); file == "rulebook.tsv" && path.Dir(path.Clean(dir)) == "rules" {
			l.rulesets[path.Base(dir)] = true
		}
	}
	for _, p := range t.Packages {
		if within(p.Path, "proto") && p.servesOrCalls() {
			l.services[p.Path] = true
		}
	}
	return l
}

// forbids says why a package may not import another; empty when it may.
func (l layers) forbids(from, to string) string {
	ours := ""
	if within(to, Module) {
		ours = strings.TrimPrefix(strings.TrimPrefix(to, Module), "/")
	}
	switch {
	case within(from, "rules"):
		return l.forbidsRules(from, to, ours)
	case within(from, "languages"): // which rules import, so it may reach what they may
		if ours != "" || !standard(to) || anyWithin(to, impure) {
			return "languages import the standard library only, and of that what rules may"
		}
	case within(from, "proto") && !l.services[from]:
		return l.forbidsMessages(to, ours)
	case within(from, "eventstore"):
		return nothingOf(ours, "an event store knows names, versions and bytes", "rules", "proto", "service",
			"clients", "cmd")
	case within(from, "service"):
		return l.forbidsService(ours)
	case within(from, "clients"):
		if why := nothingOf(ours, "clients see the proto contract", "service", "eventstore", "cmd"); why != "" {
			return why
		}
		if within(ours, "rules") && !anyWithin(from, localPlay) {
			return fmt.Sprintf("only clients that play locally import rules: %s", strings.Join(localPlay, ", "))
		}
	}
	return ""
}

func (l layers) forbidsRules(from, to, ours string) string {
	support := within(from, "rules/rulestest")
	switch {
	case within(ours, "rules"):
		if theirs := l.ruleset(ours, "rules"); theirs != "" && theirs != l.ruleset(from, "rules") {
			return "what rulesets share knows none of them, and they do not know each other"
		}
	case within(ours, "proto"):
		if l.services[ours] {
			return "rules import messages, never a service"
		}
	case within(ours, "languages"):
	case ours != "":
		return "rules import rules, messages and languages only"
	case standard(to):
		if !support && anyWithin(to, impure) {
			return "rules have no clock, chance, concurrency or outside world"
		}
	case support:
		if anyWithin(to, runtimes) {
			return "the battery runs rulesets, not servers"
		}
	case !within(to, "google.golang.org/protobuf"):
		return "of third parties, rules import protobuf only"
	}
	return ""
}

func (l layers) forbidsMessages(to, ours string) string {
	switch {
	case within(ours, "proto"):
		if l.services[ours] {
			return "rules stand on messages, so messages stand on no service"
		}
	case ours != "", !standard(to) && !anyWithin(to, messages):
		return "messages import messages only"
	}
	return ""
}

func (l layers) forbidsService(ours string) string {
	switch {
	case l.ruleset(ours, "rules") != "", l.ruleset(ours, "proto/warledger") != "":
		return "the service knows the contract of rules, never a ruleset"
	case ours != "eventstore" && within(ours, "eventstore"):
		return "the service knows the contract of event stores, never an engine"
	}
	return nothingOf(ours, "the service stands below them", "clients", "cmd")
}

// ruleset names the ruleset that a path under folder belongs to; empty when it belongs to none.
func (l layers) ruleset(p, folder string) string {
	rest, ok := strings.CutPrefix(p, folder+"/")
	name, _, _ := strings.Cut(rest, "/")
	if !ok || !l.rulesets[name] {
		return ""
	}
	return name
}

func nothingOf(ours, why string, folders ...string) string {
	if ours != "" && anyWithin(ours, folders) {
		return why
	}
	return ""
}

func anyWithin(p string, folders []string) bool {
	for _, folder := range folders {
		if within(p, folder) {
			return true
		}
	}
	return false
}

// standard says whether a path is the standard library's: its first part has no dot.
func standard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}
