package dice

// Recorder keeps what a Source rolled.
type Recorder struct {
	source Source
	rolls  []Roll
}

// NewRecorder wraps a source.
func NewRecorder(source Source) *Recorder { return &Recorder{source: source} }

// Roll passes on a die of the source and keeps it; errors pass and nothing is kept.
func (r *Recorder) Roll(sides uint8, reason string) (uint8, error) {
	value, err := r.source.Roll(sides, reason)
	if err != nil {
		return 0, err
	}
	r.rolls = append(r.rolls, Roll{Index: uint32(len(r.rolls)), Sides: sides, Value: value, Reason: reason})
	return value, nil
}

// Rolls are the dice so far, in order. The slice is the caller's to keep; later rolls don't change it.
func (r *Recorder) Rolls() []Roll { return r.rolls[:len(r.rolls):len(r.rolls)] }

// Reset forgets the dice so far and counts from 0 again; slices that Rolls gave stay as they are.
func (r *Recorder) Reset() { r.rolls = nil }
