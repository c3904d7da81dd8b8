// Package scenario loads the scenarios of Downfall: map, units, charts and numbers, with every fault that a game could
// trip over. It knows nothing of positions.
//
//   - scenario.go: what a loaded scenario is; units.go and chart.go: its units and tables.
//   - load.go: the loader, part by part: map.go (terrain, zones, hexes), sides.go, beachheads.go, pieces.go,
//     stacks.go, chart_load.go, chart_awards.go.
package scenario
