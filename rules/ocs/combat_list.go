package ocs

// listAttack lists for each enemy hex the attack of all units that may, of those in each hex, and of each alone. Those
// that are not given combat supply drop out, so any group can attack.
func listAttack(l *lister) {
	p := l.p
	for h := range p.sc.Hexes {
		if l.done {
			return
		}
		target := Place(h)
		if !l.aims(target) || p.checkTarget(l.seat, target) != nil {
			continue
		}
		var all []Unit
		hexes := 0
		for _, from := range p.around(Hex(h)) {
			var stack []Unit
			for u := range p.of(l.seat, Place(from)) {
				if p.mayAttack(l.seat, u, target) == nil {
					stack = append(stack, u)
					l.attack([]Unit{u}, target)
				}
			}
			if len(stack) > 0 {
				hexes++
			}
			if len(stack) > 1 {
				l.attack(stack, target)
			}
			all = append(all, stack...)
		}
		if hexes > 1 {
			l.attack(all, target)
		}
	}
}

func (l *lister) attack(units []Unit, target Place) {
	c := only(KindAttack)
	c.Units, c.At = units, target
	l.checked(c)
}
