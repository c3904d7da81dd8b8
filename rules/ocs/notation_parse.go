package ocs

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// parsePosition reads the notation of a position. Parsing what was printed gives an equal position.
func parsePosition(sc *Scenario, text string) (*Position, error) {
	if len(text) > 1<<22 {
		return nil, fmt.Errorf("ocs: a position of %d bytes is too long", len(text))
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if lines[0] != "ocs 1 "+sc.ScenarioID() {
		return nil, fmt.Errorf("ocs: the position begins with %.60q, expected %q", lines[0], "ocs 1 "+sc.ScenarioID())
	}
	lines = lines[1:]
	opt := options{}
	if len(lines) > 0 && strings.HasPrefix(lines[0], "options ") {
		var err error
		if opt, err = parseOptions(strings.Fields(lines[0])[1:]); err != nil {
			return nil, err
		}
		lines = lines[1:]
	}
	p := newPosition(sc, opt)
	var later []*ocsv1.UnitChange
	for i, line := range lines {
		if err := p.parseLine(line, &later); err != nil {
			return nil, fmt.Errorf("ocs: line %d of the position: %w", i+2, err)
		}
	}
	f := folder{p: p}
	for _, m := range later {
		f.unitChange(m)
	}
	return p, f.err
}

// goesAboard takes out of a line what carries the unit, if that is a piece of a later line, and notes it for the end.
func (p *Position) goesAboard(m *ocsv1.UnitChange, later *[]*ocsv1.UnitChange) {
	if m.GetAboard() == "" {
		return
	}
	if _, fresh, ok := p.unitByID(m.GetAboard()); ok && !fresh {
		return
	}
	*later = append(*later, &ocsv1.UnitChange{Unit: m.GetUnit(), Aboard: m.Aboard})
	m.Aboard = nil
}

// parseLine folds one line. What can only be folded after all of them is added to later.
func (p *Position) parseLine(line string, later *[]*ocsv1.UnitChange) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return fmt.Errorf("empty")
	}
	var c *ocsv1.Change
	var m proto.Message
	switch words[0] {
	case "clock":
		k := &ocsv1.ClockChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Clock{Clock: k}}
	case "weather":
		k := &ocsv1.WeatherChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Weather{Weather: k}}
	case "register":
		k := &ocsv1.RegisterChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Register{Register: k}}
	case "hex":
		k := &ocsv1.HexChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Hex{Hex: k}}
	case "unit":
		k := &ocsv1.UnitChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Unit{Unit: k}}
	case "taint":
		k := &ocsv1.TaintChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Taint{Taint: k}}
	case "orders":
		k := &ocsv1.OrdersChange{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Orders{Orders: k}}
	case "frame":
		k := &ocsv1.Frame{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Frame{Frame: &ocsv1.FrameChange{Frame: k, Push: true}}}
	case "motion":
		k := &ocsv1.Motion{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Motion{Motion: k}}
	case "outcome":
		k := &ocsv1.Outcome{}
		m, c = k, &ocsv1.Change{Kind: &ocsv1.Change_Outcome{Outcome: k}}
	default:
		return fmt.Errorf("it begins with %.40q", words[0])
	}
	if err := readFields(m.ProtoReflect(), words[1:]); err != nil {
		return err
	}
	if k, ok := m.(*ocsv1.UnitChange); ok {
		if k.Origin == nil && k.Place != nil {
			k.Origin = proto.String(k.GetPlace()) // it is written only where it is another
		}
		p.goesAboard(k, later)
	}
	f := folder{p: p}
	f.change(c)
	return f.err
}
