package rules

import (
	"reflect"

	"google.golang.org/protobuf/proto"
)

// decoder decodes stored events into messages that it uses again with all that is within them, since Evolve keeps
// none, nor a list of one: a decoder of whole messages would make each anew, and look up what it is by reflection. It
// belongs to one position.
type decoder[E proto.Message] struct {
	event  E
	lays   *layouts
	refill *refiller
	filled *filled
	// foreign is true if proto.Unmarshal made the event, so that it cannot be told what is set.
	foreign bool
}

func newDecoder[E proto.Message](fresh func() E, lays *layouts) *decoder[E] {
	d := &decoder[E]{event: fresh(), lays: lays}
	if lays.event != nil {
		d.refill, d.filled = newRefiller(lays), newFilled(reflect.ValueOf(d.event))
	}
	return d
}

// decode returns an event that is equal to what proto.Unmarshal makes of the bytes, with its error. It
// is good until the next.
func (d *decoder[E]) decode(data []byte) (E, error) {
	if d.refills(data) {
		return d.event, nil
	}
	d.foreign = true
	err := proto.Unmarshal(data, d.event)
	return d.event, err
}

// refills decodes an event that is as our own programs write it.
func (d *decoder[E]) refills(data []byte) bool {
	if d.refill == nil {
		return false
	}
	if d.foreign {
		proto.Reset(d.event)
		d.filled.set, d.foreign = 0, false
	}
	return d.refill.refill(d.lays.event, d.filled, data)
}
