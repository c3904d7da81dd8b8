// Package odds knows who hits whom in a battle of Axis & Allies Anniversary, and computes the chances of its ends. It
// knows nothing of positions.
//
//   - force.go: classes of hits, what a force can hit, transports without a defence.
//   - odds.go: a battle, and the answer. walk.go goes through its states; fire.go, round.go, fleet.go, side.go and
//     joint.go are a round of it, ends.go how it ends.
//   - dice.go plays out with dice what is too large to be computed.
package odds
