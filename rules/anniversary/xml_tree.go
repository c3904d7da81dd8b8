package anniversary

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules/kit"
)

// node is an element. What has been looked at is marked, so that in the end the rest can be reported.
type node struct {
	name, path string
	attrs      []attr
	children   []*node
	read       bool
}

type attr struct {
	name, value string
	read        bool
}

// maxDepth bounds how deep elements may lie in each other; game definitions have 5 levels.
const maxDepth = 20

// parseXML reads a file as a tree.
func parseXML(file []byte) (*node, error) {
	if len(file) > kit.MaxDocument {
		return nil, fmt.Errorf("the file has %d bytes, expected at most %d", len(file), kit.MaxDocument)
	}
	d := xml.NewDecoder(bytes.NewReader(file))
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "ascii":
			return r, nil
		}
		return nil, fmt.Errorf("the encoding %.40q, expected UTF-8", charset)
	}
	var root *node
	var stack []*node
	number := []map[string]int{{}}
	for {
		t, err := d.Token()
		if err == io.EOF {
			if root == nil {
				return nil, fmt.Errorf("the file has no elements")
			}
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, path: t.Name.Local}
			for _, a := range t.Attr {
				n.attrs = append(n.attrs, attr{name: a.Name.Local, value: a.Value})
			}
			if len(stack) >= maxDepth {
				return nil, fmt.Errorf("elements lie more than %d deep in each other", maxDepth)
			}
			if len(stack) == 0 {
				if root != nil {
					return nil, fmt.Errorf("a second element %.40s beside %.40s", n.name, root.name)
				}
				root = n
			} else {
				up := stack[len(stack)-1]
				up.children = append(up.children, n)
				count := number[len(stack)]
				n.path = fmt.Sprintf("%s/%s[%d]", up.path, n.name, count[n.name])
				count[n.name]++
			}
			stack = append(stack, n)
			number = append(number[:len(stack)], map[string]int{})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// get gives an attribute, "" if there is none.
func (n *node) get(name string) string {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			n.attrs[i].read = true
			return n.attrs[i].value
		}
	}
	return ""
}

// skip marks attributes that say nothing about the scenario.
func (n *node) skip(names ...string) {
	for _, name := range names {
		n.get(name)
	}
}

// skipAll marks an element that says nothing about the scenario, with all that is in it.
func (n *node) skipAll() {
	n.read = true
	for i := range n.attrs {
		n.attrs[i].read = true
	}
	for _, c := range n.children {
		c.skipAll()
	}
}

// each gives the elements of one of the names, and marks them.
func (n *node) each(names ...string) []*node {
	var all []*node
	for _, c := range n.children {
		for _, name := range names {
			if c.name == name {
				c.read = true
				all = append(all, c)
			}
		}
	}
	return all
}

// slug is the id of a name: lower-case words with dashes; "7 Sea Zone" is sz-7.
func slug(name string) string {
	if n, ok := strings.CutSuffix(strings.TrimSpace(name), " Sea Zone"); ok {
		if v, err := strconv.ParseUint(n, 10, 16); err == nil {
			return fmt.Sprintf("sz-%d", v)
		}
	}
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r == '.' || r == '\'':
		default:
			gap = true
		}
	}
	return b.String()
}
