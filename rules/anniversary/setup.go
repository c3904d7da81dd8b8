package anniversary

// setup is the position before the first event (AA 1.3): control, units, treasuries with what was bid; no researchers,
// technologies or damage (AA 1.3.10).
func setup(sc *Scenario, opt options) *Position {
	p := newPosition(sc, opt)
	for s := range Space(sc.Len()) {
		p.owner[s] = sc.Owner[s]
	}
	p.startOwner = p.owner
	for w := range NumSeats {
		p.ipc[w] = uint16(sc.Powers[w].Treasury) + uint16(opt.bid[w])
	}
	var aboard [NumPowers][MaxSpaces][NumUnits]int
	for _, l := range sc.Loads { // AA 1.3.9
		if l.Ship != Transport {
			continue // fighters over carriers are fighters in the zone
		}
		var cargo [2]Cargo
		for i, u := range l.Cargo {
			if u < NumUnits {
				cargo[i] = cargoOf(u, l.Power)
				aboard[l.Power][l.Space][u]++
			}
		}
		aboard[l.Power][l.Space][Transport]++
		p.put(keyOf(l.Space, l.Power, Transport).carrying(cargo), 1)
	}
	for _, s := range sc.Stacks {
		n := s.Count - aboard[s.Power][s.Space][s.Unit]
		switch {
		case s.Unit == Complex:
			p.complexes.Add(s.Space)
		case n > 0:
			p.put(keyOf(s.Space, s.Power, s.Unit), uint16(n))
		}
		aboard[s.Power][s.Space][s.Unit] = 0
	}
	return p
}
