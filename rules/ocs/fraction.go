package ocs

// Fraction is an exact number: strengths are kept as fractions until the odds are rounded (OCS 4.2). The zero value is
// not valid; den is above 0 and the fraction is in lowest terms.
type Fraction struct{ num, den int64 }

// whole is a number without a fraction.
func whole(n int) Fraction { return Fraction{int64(n), 1} }

// fraction is num/den in lowest terms; den must not be 0.
func fraction(num, den int64) Fraction {
	if den < 0 {
		num, den = -num, -den
	}
	a, b := num, den
	if a < 0 {
		a = -a
	}
	for b != 0 {
		a, b = b, a%b
	}
	if a == 0 {
		return Fraction{0, 1}
	}
	return Fraction{num / a, den / a}
}

// Times multiplies: all modifiers of a unit are multiplied together (OCS 4.3).
func (f Fraction) Times(g Fraction) Fraction { return fraction(f.num*g.num, f.den*g.den) }

// Plus adds.
func (f Fraction) Plus(g Fraction) Fraction { return fraction(f.num*g.den+g.num*f.den, f.den*g.den) }

// Over divides; g must not be 0.
func (f Fraction) Over(g Fraction) Fraction { return fraction(f.num*g.den, f.den*g.num) }

// Less compares.
func (f Fraction) Less(g Fraction) bool { return f.num*g.den < g.num*f.den }

// IsZero reports whether it is 0.
func (f Fraction) IsZero() bool { return f.num == 0 }

// Round rounds to the nearest whole number, halves up (OCS 4.1). f must not be negative.
func (f Fraction) Round() int { return int((2*f.num + f.den) / (2 * f.den)) }

// share is percent of n, rounded to the nearest whole number (OCS 4.1).
func share(n, percent int) int { return fraction(int64(n)*int64(percent), 100).Round() }

// format writes it as "3", "1/2" or "9 3/4".
func (f Fraction) format() string { return formatParts(f.num, f.den) }
