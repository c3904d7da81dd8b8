package hex

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Format says how the id of a hex is printed: two numbers in the Order of the geometry, with leading zeros to a
// fixed number of digits, and a separator between them. "1203" is {2, 2, ""}, "12.03" is {2, 2, "."}.
type Format struct {
	// First and Second are the digits of each number, 1 to 4. 0 prints a number without leading zeros; then a
	// separator is needed.
	First, Second uint8
	// Separator is up to 3 printable ASCII characters that are not digits or spaces.
	Separator string
}

// IDError says why a text is not the id of a hex.
type IDError struct {
	ID      string
	Problem string
}

func (e *IDError) Error() string { return fmt.Sprintf("hex id %.40q: %s", e.ID, e.Problem) }

func (f Format) validate() error {
	var faults []error
	if f.First > 4 || f.Second > 4 {
		faults = append(faults, fmt.Errorf("hex id format: digits are %d and %d, want 0 to 4", f.First, f.Second))
	}
	if f.Separator == "" && (f.First == 0 || f.Second == 0) {
		faults = append(faults, errors.New("hex id format: numbers without a fixed length need a separator"))
	}
	odd := strings.ContainsFunc(f.Separator, func(r rune) bool { return r <= ' ' || r > '~' || r >= '0' && r <= '9' })
	if odd || len(f.Separator) > 3 {
		faults = append(faults,
			fmt.Errorf("hex id format: separator %.20q, want up to 3 printable ASCII characters other than digits",
				f.Separator))
	}
	return errors.Join(faults...)
}

// ID prints the id of c. Numbers that are too long for the format are printed in full and don't parse; a [Map] never
// holds such.
func (g Geometry) ID(c Coord) string {
	first, second := g.parts(c)
	return pad(first, g.Format.First) + g.Format.Separator + pad(second, g.Format.Second)
}

func pad(n int16, digits uint8) string { return fmt.Sprintf("%0*d", int(digits), n) }

// Parse reads an id, exactly as ID prints it. The error is an [*IDError].
func (g Geometry) Parse(id string) (Coord, error) {
	first, rest, err := number(id, g.Format.First)
	if err != nil {
		return Coord{}, &IDError{id, "first number: " + err.Error()}
	}
	rest, ok := strings.CutPrefix(rest, g.Format.Separator)
	if !ok {
		return Coord{},
			&IDError{id, fmt.Sprintf("want %q after the first number, like %q", g.Format.Separator, g.sample())}
	}
	second, rest, err := number(rest, g.Format.Second)
	if err != nil {
		return Coord{}, &IDError{id, "second number: " + err.Error()}
	}
	if rest != "" {
		return Coord{}, &IDError{id, fmt.Sprintf("%.20q is left over, want an id like %q", rest, g.sample())}
	}
	return g.fromParts(first, second), nil
}

func (g Geometry) sample() string { return g.ID(g.fromParts(1, 2)) }

// number reads a number with the given digits, or with as many as there are when digits is 0.
func number(s string, digits uint8) (n int16, rest string, err error) {
	size := 0
	for size < len(s) && size < 5 && s[size] >= '0' && s[size] <= '9' && (digits == 0 || size < int(digits)) {
		size++
	}
	switch {
	case digits != 0 && size < int(digits):
		return 0, "", fmt.Errorf("want %d digits, got %d", digits, size)
	case size == 0 || size > 4:
		return 0, "", errors.New("want 1 to 4 digits")
	case digits == 0 && size > 1 && s[0] == '0':
		return 0, "", errors.New("want no leading zeros")
	}
	v, err := strconv.Atoi(s[:size])
	return int16(v), s[size:], err
}

// fits says whether n can be printed in so many digits.
func fits(n int16, digits uint8) bool {
	if n < 0 || n > MaxNumber {
		return false
	}
	return digits == 0 || len(strconv.Itoa(int(n))) <= int(digits)
}
