package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Versions compares this program with the server. Other versions of the rules decide some commands differently,
// so checks, simulations and forecasts without the server may differ.
func Versions(server, own Version) []Finding {
	var all []Finding
	switch {
	case server.Program == "":
		all = append(all, Finding{"version.program", Note,
			"this program is " + own.Program + "; the server reports its version only on the port for operations", ""})
	case server.Program != own.Program:
		all = append(all, Finding{"version.program", Warning,
			fmt.Sprintf("the server is %s, this program %s", server.Program, own.Program),
			"install the same release on both, unless you are in the middle of an upgrade"})
	default:
		all = append(all, Finding{"version.program", Fine, "the server and this program are " + own.Program, ""})
	}
	return append(all, ruleVersions(server, own))
}

func ruleVersions(server, own Version) Finding {
	var differ, alone []string
	for _, name := range slices.Sorted(maps.Keys(server.Rules)) {
		switch mine, known := own.Rules[name]; {
		case !known:
			alone = append(alone, name)
		case mine != server.Rules[name]:
			differ = append(differ, fmt.Sprintf("%s %d there, %d here", name, server.Rules[name], mine))
		}
	}
	switch {
	case len(differ) > 0:
		return Finding{"version.rules", Problem, "the rules differ: " + strings.Join(differ, "; "),
			"install the same release on both: verify, sim and bots here use other rules than the server"}
	case len(server.Rules) == 0:
		return Finding{"version.rules", Problem, "the server offers no ruleset", "look at its log"}
	case len(alone) > 0:
		return Finding{"version.rules", Note,
			"the server also has " + strings.Join(alone, ", ") + ", which this program does not know", ""}
	}
	return Finding{"version.rules", Fine, "the rules of " + strings.Join(slices.Sorted(maps.Keys(server.Rules)), ", ") +
		" have the same versions", ""}
}
