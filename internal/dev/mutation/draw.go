package mutation

import (
	"bytes"
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
)

// Variable is the environment's variable that says which mutant a program is: its number counted from 1, nothing for
// none, or -1 for none with a record of those that were reached.
const Variable = "WARLEDGER_MUTANT"

// RecordVariable names the file of the record. Each mutant that is reached is a line with its number from 1.
const RecordVariable = "WARLEDGER_MUTANTS_REACHED"

// switchFunc is the function that each choice asks.
const switchFunc = "warledgerMutant"

// switchName is the file that holds the switch, beside the package's own.
func (s *Source) switchName() string {
	return filepath.ToSlash(filepath.Join(filepath.Dir(s.names()[0]), "zz_warledger_mutant.go"))
}

// switchFile is the switch. It is read once, before any other variable of the package that asks it.
func (s *Source) switchFile(n int) []byte {
	text, err := format.Source(fmt.Appendf(nil, `package %s

import (
	mutantOS "os"
	mutantConv "strconv"
	mutantAtomic "sync/atomic"
)

var warledgerMutantNow = func() int {
	n, _ := mutantConv.Atoi(mutantOS.Getenv(%q))
	return n
}()

var warledgerMutantRecord = func() *mutantOS.File {
	file, _ := mutantOS.OpenFile(mutantOS.Getenv(%q), mutantOS.O_APPEND|mutantOS.O_WRONLY, 0)
	return file
}()

var warledgerMutantReached [%d]mutantAtomic.Bool

func %s(n int) bool {
	return n == warledgerMutantNow || warledgerMutantNow < 0 && warledgerMutantSeen(n)
}

func warledgerMutantSeen(n int) bool {
	if !warledgerMutantReached[n].Swap(true) {
		warledgerMutantRecord.WriteString(mutantConv.Itoa(n) + "\n")
	}
	return false
}
`, s.pkg.Name, Variable, RecordVariable, n+1, switchFunc))
	if err != nil {
		panic(err)
	}
	return text
}

// drawing is a file with choices in it.
type drawing struct {
	name  string
	text  []byte
	parts []part
}

// part is a stretch of a drawn file, and whose it is.
type part struct {
	from, to int
	numbers  []int
}

// draw writes the files that have sites.
func (s *Source) draw(sites []site) []drawing {
	byFile := map[string][]site{}
	for _, at := range sites {
		byFile[at.m.File] = append(byFile[at.m.File], at)
	}
	var files []drawing
	for _, name := range s.names() {
		if in := byFile[name]; len(in) > 0 {
			slices.SortFunc(in, byPlace)
			p := painter{source: s.text[name]}
			p.stretch(0, len(p.source), in)
			files = append(files, drawing{name: name, text: p.out.Bytes(), parts: p.parts})
		}
	}
	return files
}

// painter writes one file.
type painter struct {
	source []byte
	out    bytes.Buffer
	parts  []part
}

// stretch writes the source between two places with the choices in it; the sites are sorted and lie inside.
func (p *painter) stretch(from, to int, sites []site) {
	for len(sites) > 0 {
		first := sites[0]
		same, inside := 0, 0
		for same < len(sites) && sites[same].from == first.from && sites[same].to == first.to &&
			sites[same].kind == first.kind {
			same++
		}
		for inside = same; inside < len(sites) && sites[inside].from < first.to; inside++ {
		}
		p.out.Write(p.source[from:first.from])
		p.choice(sites[:same], sites[same:inside])
		from, sites = first.to, sites[inside:]
	}
	p.out.Write(p.source[from:to])
}

// choice writes a statement or expression with its mutants before it.
func (p *painter) choice(same, inside []site) {
	began := p.out.Len()
	var numbers []int
	first := same[0]
	switch first.kind {
	case statement:
	case clause:
		p.out.WriteString("func() {\n")
	default:
		fmt.Fprintf(&p.out, "func() %s {\n", first.kind)
	}
	for _, at := range same {
		numbers = append(numbers, at.number)
		fmt.Fprintf(&p.out, "if %s(%d) {\n", switchFunc, at.number+1)
		if first.kind != statement && first.kind != clause {
			p.out.WriteString("return ")
		}
		from := p.out.Len()
		p.out.Write(at.m.Apply(p.source)[at.from : at.to+len(at.m.by)-(at.m.to-at.m.from)])
		p.parts = append(p.parts, part{from, p.out.Len(), []int{at.number}})
		if first.kind == statement || first.kind == clause {
			p.out.WriteString("\n} else ")
		} else {
			p.out.WriteString("\n}\n")
		}
	}
	switch first.kind {
	case statement, clause:
		p.out.WriteString("{\n")
		p.stretch(first.from, first.to, inside)
		p.out.WriteString("\n}")
		if first.kind == clause {
			p.out.WriteString("\n}()")
		}
	default:
		p.out.WriteString("return ")
		p.stretch(first.from, first.to, inside)
		p.out.WriteString("\n}()")
	}
	p.parts = append(p.parts, part{began, p.out.Len(), numbers})
}
