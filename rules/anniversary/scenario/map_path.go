package scenario

import (
	"fmt"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// pen reads the path syntax of SVG as far as drawings use it: M, L, H, V, Z in both cases, and whole numbers.
type pen struct {
	text          string
	at            int
	x, y          int // where the pen is
	width, height int // of the canvas
	left          int // points that may still be drawn
	rings         []*boardv1.Ring
}

// draw reads a whole path. The first fault ends it.
func (p *pen) draw() error {
	command := byte(0)
	for {
		p.skip()
		if p.at == len(p.text) {
			return nil
		}
		if c := p.text[p.at]; c < '-' || c > '9' {
			p.at++
			command = c
			if c == 'Z' || c == 'z' {
				if len(p.rings) == 0 {
					return fmt.Errorf("closed before it began")
				}
				start := p.rings[len(p.rings)-1].Points[0]
				p.x, p.y, command = int(start.X), int(start.Y), 0
				continue
			}
		}
		if err := p.step(command); err != nil {
			return fmt.Errorf("at character %d: %w", p.at, err)
		}
		switch command { // more numbers after a move are lines
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
	}
}

// step reads the numbers of one command and draws a point.
func (p *pen) step(command byte) error {
	dx, dy := 0, 0
	if command >= 'a' {
		dx, dy = p.x, p.y
	}
	var err error
	switch command {
	case 'M', 'm', 'L', 'l':
		if p.x, err = p.number(dx); err == nil {
			p.y, err = p.number(dy)
		}
	case 'H', 'h':
		p.x, err = p.number(dx)
	case 'V', 'v':
		p.y, err = p.number(dy)
	default:
		return fmt.Errorf("%q is not one of M, L, H, V and Z", command)
	}
	if err != nil {
		return err
	}
	if p.x < 0 || p.y < 0 || p.x > p.width || p.y > p.height {
		return fmt.Errorf("the point %d,%d is off the canvas", p.x, p.y)
	}
	if p.left--; p.left < 0 {
		return fmt.Errorf("more than %d points in the drawing", maxPoints)
	}
	if command == 'M' || command == 'm' {
		p.rings = append(p.rings, &boardv1.Ring{})
	}
	if len(p.rings) == 0 {
		return fmt.Errorf("expected M first")
	}
	ring := p.rings[len(p.rings)-1]
	ring.Points = append(ring.Points, &boardv1.Point{X: float64(p.x), Y: float64(p.y)})
	return nil
}

func (p *pen) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == ',' || p.text[p.at] == '\n') {
		p.at++
	}
}

// number reads a whole number of at most 5 digits and adds it to a base.
func (p *pen) number(base int) (int, error) {
	p.skip()
	sign, n, digits := 1, 0, 0
	if p.at < len(p.text) && p.text[p.at] == '-' {
		sign = -1
		p.at++
	}
	for ; p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9'; p.at++ {
		if digits++; digits > 5 {
			return 0, fmt.Errorf("a number of more than 5 digits")
		}
		n = 10*n + int(p.text[p.at]-'0')
	}
	if digits == 0 {
		return 0, fmt.Errorf("expected a whole number")
	}
	return base + sign*n, nil
}
