// Package hex keeps hex maps in the numbering that is printed on them.
//
// A [Geometry] says how a map is drawn and numbered, a [Map] holds the hexes that exist, as small integers of type
// [Index] in the order of their printed ids. A hexside is one [SideIndex], whichever of its two hexes it is named
// from. [Set] is a bitset of hexes. [Flood] finds what can be reached, at what cost and by which way.
//
// A Geometry and a Map never change once made and may be shared freely. A Flood and a Set belong to one user at a time.
//
// Every answer is a function of its arguments alone: orders and ties are settled by cost, then by index, and each
// doc comment says which. Floating point numbers serve for drawing only; no rule may depend on them.
//
// An Index, a SideIndex or a Dir handed to a Map must be one of its own. Ids from outside come in through
// [Map.ByID], which checks them; an Index that is not on the map panics, as an index into a slice does.
package hex
