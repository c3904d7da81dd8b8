package kit

import "github.com/warledger/warledger/rules"

// Kind is a row of a ruleset's table of commands. X is the ruleset's phrase, C its command.
type Kind[X, C any] struct {
	// ID is the first word of the notation.
	ID string
	// Field of the command's message; empty if it is called as the ID.
	Field string
	// Answers are the questions that a command of the kind answers, as [Bits].
	Answers uint64
	// Only these seats may use the kind; empty for all seats that are asked.
	Only rules.Seats
	// Offer, Order and Generating are as in [rules.CommandKind].
	Offer, Order, Generating bool
	// Note explains the kind to clients.
	Note string
	// Names writes or reads what a command of the kind names, in order; nil for nothing.
	Names func(X, *C)
}

// Kinds is a ruleset's table of commands, by kind. Rows without an ID, such as that of the zero kind, are skipped.
type Kinds[X, C any] []Kind[X, C]

// Find returns the kind with an ID; 0 if none exists.
func (k Kinds[X, C]) Find(id string) int {
	return k.find(func(row *Kind[X, C]) bool { return row.ID == id })
}

// Chosen returns the kind for a field of the command's message; 0 if none exists.
func (k Kinds[X, C]) Chosen(field string) int {
	return k.find(func(row *Kind[X, C]) bool { return row.FieldName() == field })
}

func (k Kinds[X, C]) find(fits func(*Kind[X, C]) bool) int {
	for i := range k {
		if k[i].ID != "" && fits(&k[i]) {
			return i
		}
	}
	return 0
}

// FieldName is the field of the command's message.
func (k *Kind[X, C]) FieldName() string {
	if k.Field == "" {
		return k.ID
	}
	return k.Field
}

// ID returns the name of a kind; empty for an unknown number.
func (k Kinds[X, C]) ID(kind int) string {
	if kind >= len(k) {
		return ""
	}
	return k[kind].ID
}

// Answers reports whether commands of a kind answer a question.
func (k Kinds[X, C]) Answers(kind, question int) bool {
	return kind < len(k) && k[kind].Answers&(1<<question) != 0
}

// List describes the kinds to clients, in the order of the table.
func (k Kinds[X, C]) List() []rules.CommandKind {
	list := make([]rules.CommandKind, 0, len(k))
	for i := range k {
		if k[i].ID != "" {
			list = append(list,
				rules.CommandKind{ID: k[i].ID, Offer: k[i].Offer, Order: k[i].Order, Generating: k[i].Generating,
					Note: k[i].Note})
		}
	}
	return list
}

// Bits is a set of small numbers: bit n stands for n.
func Bits[T ~uint8 | ~int](numbers ...T) uint64 {
	var s uint64
	for _, n := range numbers {
		s |= 1 << n
	}
	return s
}
