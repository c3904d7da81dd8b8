package house

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Most lines of a file, and of a test.
const (
	maxLines     = 400
	maxTestLines = 600
)

func checkFileLength(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			most := maxLines
			if strings.HasSuffix(s.Name, "_test.go") {
				most = maxTestLines
			}
			if lines := bytes.Count(t.Files[s.Name], []byte("\n")); !s.Generated && lines > most {
				found = append(found, Violation{s.Name, most + 1, fmt.Sprintf("has %d lines", lines)})
			}
		}
	}
	return sorted(found)
}

// mostFiles is how many files besides tests may lie in service itself.
const mostFiles = 50

func checkCrowd(t *Tree) []Violation {
	var names []string
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			if path.Dir(s.Name) == "service" && !strings.HasSuffix(s.Name, "_test.go") {
				names = append(names, s.Name)
			}
		}
	}
	if len(names) <= mostFiles {
		return nil
	}
	return []Violation{{slices.Max(names), 1, fmt.Sprintf("is one of %d files in service", len(names))}}
}

// vague are package names that say nothing about what is inside.
var vague = []string{"util", "utils", "common", "helper", "helpers", "types", "misc"}

func checkPackageNames(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			name := strings.TrimSuffix(s.AST.Name.Name, "_test")
			if !s.Generated && slices.Contains(vague, name) {
				found = append(found, t.at(s.AST.Name.Pos(), "package %s", name))
			}
		}
	}
	return sorted(found)
}

// The patterns are put together here so that this file does not break the rules it states.
var (
	foreignPath = regexp.MustCompile(strings.Join([]string{`\.\./` + `shared`, `/wo` + `rk/`, `\.lib` + `rary`}, "|"))
	unfinished  = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
)

func checkOwnPaths(t *Tree) []Violation {
	var found []Violation
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if text(t.Files[name]) {
			found = append(found, matches(name, t.Files[name], foreignPath)...)
		}
	}
	return found
}

func checkFinished(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			if !s.Generated {
				found = append(found, matches(s.Name, t.Files[s.Name], unfinished)...)
			}
		}
	}
	return sorted(found)
}

func matches(name string, data []byte, pattern *regexp.Regexp) []Violation {
	var found []Violation
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if hit := pattern.Find(text); hit != nil {
			found = append(found, Violation{name, line, fmt.Sprintf("names %q", hit)})
		}
	}
	return found
}
