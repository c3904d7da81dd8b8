package house

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// entrance is the document that a reader opens first.
const entrance = "README.md"

var (
	// A link or a picture of Markdown: [words](target) or ![words](target "title").
	mdLink = regexp.MustCompile(`\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)
	// Code is quoted, and a link in it is no link.
	mdCode = regexp.MustCompile("`[^`]*`")
)

// checkLinks looks at the links of every Markdown document that lead into the checkout: the file must exist, and the
// heading where one is named.
func checkLinks(t *Tree) []Violation {
	var found []Violation
	for _, name := range documents(t) {
		for _, l := range links(t.Files[name]) {
			target, heading := resolve(name, l.target)
			switch file, ok := t.Files[target]; {
			case !ok && !folder(t, target):
				found = append(found,
					Violation{name, l.line, fmt.Sprintf("links to %s, which does not exist", l.target)})
			case ok && heading != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchors(file), heading):
				found = append(found,
					Violation{name, l.line, fmt.Sprintf("links to %s, but %s has no such heading", l.target, target)})
			}
		}
	}
	return sorted(found)
}

// checkReachable follows links from the entrance: a document that no link leads to is one that nobody reads.
func checkReachable(t *Tree) []Violation {
	if _, ok := t.Files[entrance]; !ok {
		return nil
	}
	reached := map[string]bool{entrance: true}
	for queue := []string{entrance}; len(queue) > 0; queue = queue[1:] {
		for _, l := range links(t.Files[queue[0]]) {
			target, _ := resolve(queue[0], l.target)
			if _, ok := t.Files[target]; ok && strings.HasSuffix(target, ".md") && !reached[target] {
				reached[target] = true
				queue = append(queue, target)
			}
		}
	}
	var found []Violation
	for _, name := range documents(t) {
		if !reached[name] {
			found = append(found, Violation{name, 1, "no link leads here from " + entrance})
		}
	}
	return sorted(found)
}

// documents are the Markdown files of the checkout, by name. Templates of the place that hosts it, in folders that
// begin with a dot, are for its own pages.
func documents(t *Tree) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names
}

func folder(t *Tree, name string) bool {
	for file := range t.Files {
		if strings.HasPrefix(file, strings.TrimSuffix(name, "/")+"/") {
			return true
		}
	}
	return false
}

type link struct {
	target string
	line   int
}

// links are the links of a document that lead into the checkout, outside code.
func links(file []byte) []link {
	var all []link
	each(file, func(line int, text string) {
		for _, m := range mdLink.FindAllStringSubmatch(mdCode.ReplaceAllString(text, ""), -1) {
			if !strings.Contains(m[1], "://") && !strings.HasPrefix(m[1], "mailto:") {
				all = append(all, link{m[1], line})
			}
		}
	})
	return all
}

// each calls f with every line outside fenced code, counted from 1.
func each(file []byte, f func(line int, text string)) {
	fence := ""
	for i, raw := range bytes.Split(file, []byte("\n")) {
		text := strings.TrimSpace(string(raw))
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		default:
			f(i+1, string(raw))
		}
	}
}

// resolve returns the file that a link of a document means, and the heading in it.
func resolve(from, target string) (file, heading string) {
	file, heading, _ = strings.Cut(target, "#")
	if file == "" {
		return from, heading
	}
	return path.Join(path.Dir(from), file), heading
}

// anchors are the names of a document's headings, as the places that show Markdown make them: small letters, hyphens
// for blanks, a number for a heading that was there before.
func anchors(file []byte) []string {
	var all []string
	times := map[string]int{}
	each(file, func(_ int, text string) {
		words := strings.TrimLeft(text, "#")
		if n := len(text) - len(words); n == 0 || n > 6 || !strings.HasPrefix(words, " ") {
			return
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(words))
		if n := times[name]; n > 0 {
			all = append(all, fmt.Sprintf("%s-%d", name, n))
		} else {
			all = append(all, name)
		}
		times[name]++
	})
	return all
}
