// Package house proves the rules that the whole tree is written under: which part may know which, what a rules
// package may do, how files are sized, named and documented. Its test reads the checkout that it stands in.
//
// Each rule is a pure function over parsed source, so that a fixture of a few lines proves that it bites.
package house

import (
	"cmp"
	"fmt"
	"slices"
)

// Rule is one thing that must hold for every tree.
type Rule struct {
	// Name is short and fixed; fixtures are listed under it.
	Name string
	// Says is the rule as a sentence for whoever broke it.
	Says string
	// Check lists every place that breaks the rule.
	Check func(*Tree) []Violation
}

// Violation is one place that breaks a rule.
type Violation struct {
	// File is a slash path from the top of the checkout, Line counts from 1.
	File string
	Line int
	// Says is what stands there that should not, or what is missing.
	Says string
}

func (v Violation) String() string { return fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Says) }

// Rules lists the house rules.
func Rules() []Rule {
	return []Rule{
		{"imports", "knowledge flows one way: see docs/conventions.md", checkImports},
		{"sequential", "rules packages have no goroutine, channel or select", checkSequential},
		{"map-order",
			"rules packages range over no map, unless a comment `// order-free: reason` says why the order cannot show",
			checkMapOrder},
		{"globals",
			"package variables of rules packages keep what their declaration gave them, and there is no init function",
			checkGlobals},
		{"file-length", "a hand-written Go file has at most 400 lines, a test 600", checkFileLength},
		{"crowd", "service has at most 50 files besides tests and packages", checkCrowd},
		{"package-names", "a package is named for what it provides", checkPackageNames},
		{"rooms", "rulesets have the same files, and all of Referee is in referee.go", checkRooms},
		{"own-paths", "no file names a path that only one workplace has", checkOwnPaths},
		{"finished", "no note of unfinished work stays in Go code", checkFinished},
		{"docs", "every exported name has a doc comment", checkDocs},
		{"package-docs", "every package of hand-written Go has a package comment", checkPackageDocs},
		{"typed-payloads",
			"stored messages hold no google.protobuf.Any: logs must stay readable without a registry of types",
			checkTypedPayloads},
		{"maps", "the map in a package's doc.go names every file of the package and no other", checkMaps},
		{"floors", "in a package with floors at most so many uses between files run back up: see its doc.go",
			checkFloors},
		{"links", "every link of a document leads somewhere", checkLinks},
		{"reachable", "every document can be reached from README.md", checkReachable},
		{"lines", "a line has at most 120 columns, a tab counts 4", checkLines},
		{"english", "comments, messages and documents say it in words that a native reader expects", checkEnglish},
		{"streams", "only calls whose answer has no bound stream, and only from the server", checkStreams},
	}
}

// sorted orders violations by place, so that reports and tests are stable.
func sorted(vs []Violation) []Violation {
	slices.SortFunc(vs, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Says, b.Says))
	})
	return vs
}
