package ocs

import (
	"fmt"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

func (l *loader) boxes() {
	list := l.doc.GetMap().GetBoxes()
	if len(list) > maxBoxes {
		l.Fault("map.boxes", "%d boxes, expected at most %d", len(list), maxBoxes)
		return
	}
	for i, b := range list {
		path := fmt.Sprintf("map.boxes[%d]", i)
		if _, twice := l.sc.names[b.GetId()]; twice || offMap(b.GetId()) || !docID.MatchString(b.GetId()) {
			l.Fault(path+".id", "%.40q is given twice or no id", b.GetId())
			continue
		}
		if b.GetHex() != "" { // OCS Intro-I-F: a box with a hex number only displays it
			if at, ok := l.sc.names[b.GetHex()]; ok {
				l.sc.names[b.GetId()] = at
			} else if len(l.doc.GetArea()) == 0 {
				l.Fault(path+".hex", "no hex %.20q", b.GetHex())
			}
			continue
		}
		l.sc.names[b.GetId()] = boxes + Place(len(l.sc.Boxes))
		l.sc.Boxes = append(l.sc.Boxes, BoxInfo{
			ID: b.GetId(), Name: l.sc.words(b.GetName()),
			Seat: l.seat(path+".seat", b.GetSeat()), Supplies: b.GetSupplies(),
			Port:    l.amount(path+".port.capacity_t", b.GetPort().GetCapacityT()),
			AirBase: uint8(min(b.GetAirBase(), maxBase)), AirAdd: int(min(b.GetAirAdd(), maxAmount)),
		})
		l.airFrom(path, b, &l.sc.Boxes[len(l.sc.Boxes)-1])
		if b.GetAirBase() > maxBase {
			l.Fault(path+".air_base", "level %d, expected at most %d", b.GetAirBase(), maxBase)
		}
	}
	for i, b := range list {
		at, ok := l.sc.names[b.GetId()]
		if !ok || !at.inBox() {
			continue
		}
		for j, k := range b.GetLinks() {
			l.link(fmt.Sprintf("map.boxes[%d].links[%d]", i, j), at, k, len(l.doc.GetArea()) > 0)
		}
	}
	for i, b := range l.doc.GetBoxLinks() {
		path := fmt.Sprintf("box_links[%d]", i)
		at, ok := l.sc.names[b.GetBox()]
		if !ok || !at.inBox() {
			l.Fault(path+".box", "no box %.40q", b.GetBox())
			continue
		}
		for j, k := range b.GetLinks() {
			l.link(fmt.Sprintf("%s.links[%d]", path, j), at, k, false)
		}
	}
}

// link reads a link of a box; one to a hex out of play is left out where the map is narrowed.
func (l *loader) link(path string, at Place, k *ocsv1.MapLink, narrowed bool) {
	to, known := l.sc.names[k.GetTo()]
	if !known {
		if !narrowed {
			l.Fault(path+".to", "no hex or box %.40q", k.GetTo())
		}
		return
	}
	link := LinkInfo{To: to, Road: k.GetRoad(), Rail: k.GetRail(), Sea: k.GetSea(),
		MP: Cost(min(k.GetMp(), 99)) * oneMP}
	if k.GetAllowance() != "" {
		link.Allowance = l.cost(path+".allowance", k.GetAllowance())
	}
	box := &l.sc.Boxes[at-boxes]
	box.Links = append(box.Links, link)
}

// airFrom reads the hex from which the distance of a box in the air counts. It is one of the map, in play or not.
func (l *loader) airFrom(path string, b *ocsv1.MapBox, box *BoxInfo) {
	if b.GetAirFrom() == "" || l.sc.Map == nil {
		return
	}
	c, err := l.sc.Map.Geometry().Parse(b.GetAirFrom())
	if err != nil || !slices.ContainsFunc(l.doc.GetMap().GetHexes(), func(h *ocsv1.MapHex) bool {
		return h.GetId() == b.GetAirFrom()
	}) {
		l.Fault(path+".air_from", "no hex %.20q", b.GetAirFrom())
		return
	}
	box.Flown, box.AirFrom = true, c
}

// offMap reports whether an id is that of a place off the map that the program has.
func offMap(id string) bool {
	return id == "waiting" || id == "dead" || id == "gone" || id == "returning"
}
