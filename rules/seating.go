package rules

// CheckSeating says why people may not hold the seats so; nil if they may. Each element is the set of seats of one
// player; they do not overlap. Free seats, and seats whose holder is not known, are in none.
//
// Seats are taken one after the other, so a ruleset lets every part of a table pass that it lets pass as a whole:
// nobody is ever kept from leaving.
func (a *About) CheckSeating(players []Seats) *Refusal {
	if a.Seating == nil {
		return nil
	}
	r := a.Seating(players)
	if r != nil && r.Words == "" && a.Catalogue != nil {
		worded := *r
		worded.Words = a.Catalogue.Format(English, r.Text)
		return &worded
	}
	return r
}
