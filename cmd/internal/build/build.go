// Package build says what a program was built from, in the same words for every program.
package build

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/warledger/warledger/rules"
)

// number is the version of a release, such as 0.1.0. The linker sets it (go run ./internal/dev release); elsewhere it
// is empty, and the version is the one that the go command derives from the commit.
var number string

// Text is what a program prints for --version: its version, its commit, the version of Go, and on a second
// line the rules versions of the rulesets that it referees. Two programs with the same rules versions
// decide every command alike.
func Text(program string, sets ...rules.Ruleset) string {
	info, _ := debug.ReadBuildInfo()
	return text(program, number, info, sets)
}

func text(program, number string, info *debug.BuildInfo, sets []rules.Ruleset) string {
	if info == nil {
		info = &debug.BuildInfo{GoVersion: "an unknown Go", Main: debug.Module{Version: "(unknown)"}}
	}
	if number == "" {
		number = info.Main.Version
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", program, number)
	if commit := setting(info, "vcs.revision"); commit != "" {
		fmt.Fprintf(&b, ", commit %.12s", commit)
		if setting(info, "vcs.modified") == "true" {
			b.WriteString(" with changes")
		}
	}
	fmt.Fprintf(&b, ", %s", info.GoVersion)
	var rulesets []string
	for _, set := range sets {
		rulesets = append(rulesets, fmt.Sprintf("%s %d", set.About().Name, set.About().Version))
	}
	if len(rulesets) > 0 {
		slices.Sort(rulesets)
		fmt.Fprintf(&b, "\nrules versions: %s", strings.Join(rulesets, ", "))
	}
	return b.String()
}

// setting is what the go command noted under a key; empty if nothing.
func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
