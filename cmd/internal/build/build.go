// Package build says what a program was built from, in the same words for every program.
package build

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

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

// Version is the version of a release, or else what the go command knows about the source.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return version(number, info)
}

func version(number string, info *debug.BuildInfo) string {
	switch {
	case number != "":
		return number
	case info == nil:
		return "(unknown)"
	}
	return info.Main.Version
}

// Time is when the source was committed that the program was built from; zero if it does not say.
func Time() time.Time {
	info, _ := debug.ReadBuildInfo()
	return committed(info)
}

func committed(info *debug.BuildInfo) time.Time {
	if info == nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, setting(info, "vcs.time")) // zero without one
	return at
}

func text(program, number string, info *debug.BuildInfo, sets []rules.Ruleset) string {
	if info == nil {
		info = &debug.BuildInfo{GoVersion: "an unknown Go", Main: debug.Module{Version: version("", nil)}}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", program, version(number, info))
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
