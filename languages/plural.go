package languages

import (
	"fmt"
	"strconv"
	"strings"
)

// plural is the rule by which a number selects one of a word's forms.
type plural struct {
	forms int
	pick  func(n int) int
}

// form is the place of the form for a number, from 0.
func (p plural) form(n int) int {
	if p.pick == nil {
		return 0
	}
	return max(0, min(p.pick(n), p.forms-1))
}

// How many forms a language may have, and how long and deep the expression may be. Arabic has six forms.
const (
	mostForms  = 6
	mostLetter = 300
	mostDepth  = 240
)

// whole reads a number without sign.
func whole(number string) (int, bool) {
	n, err := strconv.ParseUint(number, 10, 31)
	return int(n), err == nil
}

// parsePlural reads how many forms there are and an expression of C in n that gives the form, "2 n != 1".
func parsePlural(text string) (plural, error) {
	count, expression, _ := strings.Cut(text, " ")
	forms, ok := whole(count)
	if !ok || forms < 1 || forms > mostForms || len(expression) > mostLetter {
		return plural{},
			fmt.Errorf("expected the number of forms, 1 to %d, and an expression, not %.40q", mostForms, text)
	}
	r := &reader{rest: expression}
	pick := r.choice(0)
	if r.skip(); r.rest != "" || r.wrong {
		return plural{}, fmt.Errorf("the expression is not understood from %.40q on", r.rest)
	}
	p := plural{forms, pick}
	for n := range 1000 {
		if got := pick(n); got < 0 || got >= forms {
			return plural{}, fmt.Errorf("%d takes form %d of %d", n, got, forms)
		}
	}
	return p, nil
}

// reader reads an expression by descent. Each of its methods returns what computes the value.
type reader struct {
	rest  string
	wrong bool
}

type value = func(n int) int

func (r *reader) skip() { r.rest = strings.TrimLeft(r.rest, " ") }

// take reads a sign if it comes next.
func (r *reader) take(sign string) bool {
	r.skip()
	rest, ok := strings.CutPrefix(r.rest, sign)
	if ok {
		r.rest = rest
	}
	return ok
}

func truth(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// choice is "a ? b : c".
func (r *reader) choice(depth int) value {
	test := r.either(depth + 1)
	if !r.take("?") {
		return test
	}
	yes := r.choice(depth + 1)
	if !r.take(":") {
		r.wrong = true
	}
	no := r.choice(depth + 1)
	return func(n int) int {
		if test(n) != 0 {
			return yes(n)
		}
		return no(n)
	}
}

func (r *reader) either(depth int) value {
	a := r.both(depth + 1)
	for r.take("||") {
		left, right := a, r.both(depth+1)
		a = func(n int) int { return truth(left(n) != 0 || right(n) != 0) }
	}
	return a
}

func (r *reader) both(depth int) value {
	a := r.compared(depth + 1)
	for r.take("&&") {
		left, right := a, r.compared(depth+1)
		a = func(n int) int { return truth(left(n) != 0 && right(n) != 0) }
	}
	return a
}

// comparisons by sign, the longer ones first.
var comparisons = [...]struct {
	sign  string
	holds func(a, b int) bool
}{
	{"==", func(a, b int) bool { return a == b }}, {"!=", func(a, b int) bool { return a != b }},
	{"<=", func(a, b int) bool { return a <= b }}, {">=", func(a, b int) bool { return a >= b }},
	{"<", func(a, b int) bool { return a < b }}, {">", func(a, b int) bool { return a > b }},
}

func (r *reader) compared(depth int) value {
	a := r.remainder(depth + 1)
	for _, c := range comparisons {
		if r.take(c.sign) {
			b := r.remainder(depth + 1)
			return func(n int) int { return truth(c.holds(a(n), b(n))) }
		}
	}
	return a
}

// remainder is a remainder, "n % 10".
func (r *reader) remainder(depth int) value {
	a := r.plain(depth + 1)
	for r.take("%") {
		left, right := a, r.plain(depth+1)
		a = func(n int) int {
			if by := right(n); by > 0 {
				return left(n) % by
			}
			return 0
		}
	}
	return a
}

// plain is n, a number, or an expression in parentheses.
func (r *reader) plain(depth int) value {
	if depth > mostDepth {
		r.wrong = true
	}
	switch {
	case r.wrong:
	case r.take("n"):
		return func(n int) int { return n }
	case r.take("("):
		inner := r.choice(depth + 1)
		if !r.take(")") {
			r.wrong = true
		}
		return inner
	default:
		digits := len(r.rest) - len(strings.TrimLeft(r.rest, "0123456789"))
		if n, ok := whole(r.rest[:digits]); ok {
			r.rest = r.rest[digits:]
			return func(int) int { return n }
		}
		r.wrong = true
	}
	return func(int) int { return 0 }
}
