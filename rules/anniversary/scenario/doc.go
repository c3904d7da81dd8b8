// Package scenario loads the scenarios of Axis & Allies Anniversary, with every fault that a game could trip over: the
// map and its drawing, powers, units, technologies, objectives and the placement. It knows nothing of positions.
//
//   - types.go: powers, types of units, technologies; sets.go: sets of spaces.
//   - scenario.go and info.go: what a loaded scenario is; numbers.go: its units with technologies.
//   - load.go: the loader, part by part: parts.go (map, tables and drawing that come with the ruleset), map.go,
//     tables.go, chart_load.go, chart_goals.go, setup.go, map_load.go and map_path.go (the drawing), lookup.go.
package scenario
