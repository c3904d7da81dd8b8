package house

import (
	"bytes"
	"cmp"
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
	// A link or a picture of Markdown: [words](target) or ![words](target "title"), the target also in <>.
	mdLink = regexp.MustCompile(`\]\(<?([^()<>\s]+)>?(?:\s+(?:"[^"]*"|'[^']*'))?\)`)
	// The target of a reference, [name]: target, and the link that names it: [words][name] or [name][].
	mdTarget    = regexp.MustCompile(`^ {0,3}\[([^\]^][^\]]*)\]:\s+<?([^<>\s]+)>?`)
	mdReference = regexp.MustCompile(`\[([^\]\[]+)\]\[([^\]\[]*)\]`)
	// A link or a picture in HTML.
	htmlLink = regexp.MustCompile(`(?i)<(?:a|img|source)\s[^>]*?\b(?:href|src)\s*=\s*["']?([^"'\s>]+)`)
	// What a comment of HTML says is shown to nobody.
	htmlComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)
	// Code is quoted, and a link in it is no link.
	mdCode = regexp.MustCompile("`[^`]*`")
)

// checkLinks looks at the links of every Markdown document that lead into the checkout: the file must exist, and the
// heading where one is named.
func checkLinks(t *Tree) []Violation {
	var found []Violation
	for _, name := range documents(t) {
		shown, lost := links(t.Files[name])
		for _, l := range lost {
			found = append(found,
				Violation{name, l.line, fmt.Sprintf("names the link [%s], which has no target", l.target)})
		}
		for _, l := range shown {
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
		shown, _ := links(t.Files[queue[0]])
		for _, l := range shown {
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

// links are the links of a document that lead into the checkout, outside code and comments. lost are references to
// targets that the document does not have.
func links(file []byte) (shown, lost []link) {
	add := func(target string, line int) {
		if !strings.Contains(target, "://") && !strings.HasPrefix(target, "mailto:") {
			shown = append(shown, link{target, line})
		}
	}
	targets := map[string]bool{}
	var named []link
	each(uncommented(file), func(line int, text string) {
		text = mdCode.ReplaceAllString(text, "")
		if m := mdTarget.FindStringSubmatch(text); m != nil {
			targets[strings.ToLower(m[1])] = true
			add(m[2], line)
			return
		}
		for _, pattern := range []*regexp.Regexp{mdLink, htmlLink} {
			for _, m := range pattern.FindAllStringSubmatch(text, -1) {
				add(m[1], line)
			}
		}
		for _, m := range mdReference.FindAllStringSubmatch(text, -1) {
			named = append(named, link{cmp.Or(m[2], m[1]), line})
		}
	})
	for _, l := range named {
		if !targets[strings.ToLower(l.target)] {
			lost = append(lost, l)
		}
	}
	return shown, lost
}

// uncommented is a document without its HTML comments, line for line. A comment in fenced code is an example.
func uncommented(file []byte) []byte {
	fenced := map[int]bool{}
	for i := range bytes.Count(file, []byte("\n")) + 1 {
		fenced[i+1] = true
	}
	each(file, func(line int, _ string) { delete(fenced, line) })
	return htmlComment.ReplaceAllFunc(file, func(comment []byte) []byte {
		if at := bytes.Index(file, comment); fenced[bytes.Count(file[:at], []byte("\n"))+1] {
			return comment
		}
		return bytes.Repeat([]byte("\n"), bytes.Count(comment, []byte("\n")))
	})
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
