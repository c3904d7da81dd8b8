package anniversary

import (
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// isMoney reports whether a resource is what this game calls IPC.
func isMoney(resource string) bool { return resource == "PUs" || resource == "IPCs" }

func (im *importer) resources(n *node) {
	for _, r := range n.each("resource") {
		r.skip("isDisplayedFor")
		if name := r.get("name"); !isMoney(name) && name != "techTokens" {
			im.warn(r, "the resource %.40q is not one of this game", name)
		}
	}
}

// players checks that the sides are those of the game (AA 1.1.1).
func (im *importer) players(n *node) {
	for _, p := range n.each("player") {
		p.skip("optional", "canBeDisabled", "defaultType", "isHidden")
		im.power(p, p.get("name"))
	}
	axis := ""
	for _, a := range n.each("alliance") {
		w, name := im.power(a, a.get("player")), a.get("alliance")
		if w != NoPower && w.Side() == Axis && axis == "" {
			axis = name
		}
	}
	for _, a := range n.each("alliance") {
		w := PowerByID(im.id(a.get("player")))
		if w != NoPower && (w.Side() == Axis) != (a.get("alliance") == axis) {
			im.fault(a, "%s in the alliance %.40q: the sides are those of AA 1.1.1", w.ID(), a.get("alliance"))
		}
	}
}

// id is the id of the power of a player, "" if there is none.
func (im *importer) id(player string) string {
	for w, name := range playerNames {
		if name == player {
			return powerIDs[w]
		}
	}
	return ""
}

// delegates of the format that make up a turn of this game.
const delegates = " InitializationDelegate TechnologyDelegate TechActivationDelegate BattleDelegate MoveDelegate PlaceDelegate PurchaseDelegate " +
	"NoPUPurchaseDelegate EndTurnDelegate NoPUEndTurnDelegate EndRoundDelegate BidPlaceDelegate BidPurchaseDelegate "

// sequence reads the turn order: that of the combat moves.
func (im *importer) sequence(n *node) {
	for _, d := range n.each("delegate") {
		d.skip("name", "display")
		class := d.get("javaClass")
		if i := strings.LastIndexByte(class, '.'); i >= 0 {
			class = class[i+1:]
		}
		if !strings.Contains(delegates, " "+class+" ") {
			im.warn(d, "the delegate %.60q is not understood", class)
		}
	}
	for _, o := range n.each("offset") {
		o.skipAll()
	}
	seen := map[Power]bool{}
	for _, s := range n.each("sequence") {
		for _, step := range s.each("step") {
			step.skip("delegate", "display", "maxRunCount")
			for _, p := range step.each("stepProperty") {
				p.skipAll() // reports and the like
			}
			name := step.get("name")
			player := step.get("player")
			if player == "" {
				continue
			}
			w := im.power(step, player)
			if w >= China || !strings.HasSuffix(name, "CombatMove") || strings.HasSuffix(name, "NonCombatMove") {
				continue
			}
			if seen[w] {
				im.warn(step, "a second combat move of %s", w.ID())
				continue
			}
			seen[w] = true
			im.sc.TurnOrder = append(im.sc.TurnOrder, w.ID())
		}
	}
}

// owners reads who controls what at the start.
func (im *importer) owners(n *node) {
	for _, list := range n.each("ownerInitialize") {
		for _, o := range list.each("territoryOwner") {
			if x, w := im.named(o, "territory"), im.power(o, o.get("owner")); x != nil {
				x.owner = w
			}
		}
	}
}

// initialize reads treasuries and units.
func (im *importer) initialize(n *node) {
	for _, list := range n.each("ownerInitialize") {
		for _, o := range list.each("territoryOwner") {
			x := im.at[o.get("territory")]
			switch {
			case x == nil:
			case x.sea != nil:
				im.warn(o, "an owner of the sea zone %s", x.id)
			case x.land.GetImpassable():
				im.warn(o, "an owner of the impassable territory %s (AA 2.5.3)", x.id)
			}
		}
	}
	for _, list := range n.each("resourceInitialize") {
		for _, r := range list.each("resourceGiven") {
			im.treasury(r)
		}
	}
	for _, list := range n.each("unitInitialize") {
		for _, p := range list.each("unitPlacement") {
			im.placement(p)
		}
	}
	for _, p := range im.sc.GetPlacements() {
		im.aboard(n, p)
	}
}

func (im *importer) treasury(n *node) {
	w, resource, quantity := im.power(n, n.get("player")), n.get("resource"), im.number(n, "quantity")
	switch {
	case w == NoPower || quantity == 0:
	case !isMoney(resource):
		im.warn(n, "%s begins with %d of %.40q: everything but money starts empty (AA 1.3.10)", w.ID(), quantity, resource)
	case w == China:
		im.warn(n, "China has no treasury (AA 5.1.2)")
	default:
		im.sc.Treasuries = append(im.sc.Treasuries, &anniversaryv1.Treasury{Power: w.ID(), Ipc: quantity})
	}
}

func (im *importer) placement(n *node) {
	x, w, name := im.named(n, "territory"), im.power(n, n.get("owner")), n.get("unitType")
	u, quantity := xmlUnit(name), im.number(n, "quantity")
	if u == NoUnit {
		im.warn(n, "%d of %.40q, which is no unit of this game", quantity, name)
		return
	}
	if x == nil || w == NoPower || quantity == 0 {
		return
	}
	var place *anniversaryv1.Placement
	for _, p := range im.sc.GetPlacements() {
		if p.GetPower() == w.ID() && p.GetSpace() == x.id {
			place = p
		}
	}
	if place == nil {
		place = &anniversaryv1.Placement{Power: w.ID(), Space: x.id}
		im.sc.Placements = append(im.sc.Placements, place)
	}
	for _, c := range place.GetUnits() {
		if c.GetUnit() == u.ID() {
			c.Count += quantity
			return
		}
	}
	place.Units = append(place.Units, &anniversaryv1.UnitCount{Unit: u.ID(), Count: quantity})
}

// aboard fills the ships of a placement in a sea zone: the format does not say what is aboard of what. What does not fit is a fault of the
// scenario.
func (im *importer) aboard(n *node, p *anniversaryv1.Placement) {
	if !im.atSea(p.GetSpace()) {
		return
	}
	var count [NumUnits]uint32
	for _, c := range p.GetUnits() {
		count[UnitByID(c.GetUnit())] = min(c.GetCount(), maxCount)
	}
	take := func(u Unit) (string, bool) {
		if count[u] == 0 {
			return "", false
		}
		count[u]--
		return u.ID(), true
	}
	load := func(ship Unit, kinds ...[]Unit) {
		for range count[ship] {
			var cargo []string
			for _, kind := range kinds {
				for _, u := range kind {
					if id, ok := take(u); ok {
						cargo = append(cargo, id)
						break
					}
				}
			}
			if len(cargo) > 0 {
				p.Loads = append(p.Loads, &anniversaryv1.Load{Ship: ship.ID(), Cargo: cargo})
			}
		}
	}
	load(Carrier, []Unit{Fighter}, []Unit{Fighter})
	load(Transport, []Unit{Tank, Artillery, AAGun, Infantry}, []Unit{Infantry})
	if len(p.GetLoads()) > 0 && im.room() {
		im.faults.Warn(n.path, "the ships of %s in %s are filled in order: the format does not say what is aboard of what", p.GetPower(), p.GetSpace())
	}
}

func (im *importer) atSea(id string) bool { return im.byID(id).sea != nil }
