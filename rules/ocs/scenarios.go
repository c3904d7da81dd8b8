package ocs

import (
	"bytes"
	_ "embed"

	"github.com/warledger/warledger/rules"
)

// Documents that share a map, counters or charts are put together of parts, each a JSON object whose members become
// members of the document.
var (
	//go:embed scenarios/series.json
	partSeries []byte
	//go:embed scenarios/crimea.json
	partCrimea []byte
	//go:embed scenarios/ishun.json
	partIshun []byte
	//go:embed scenarios/trappenjagd.json
	partTrappenjagd []byte
	//go:embed scenarios/sevastopol.json
	partSevastopol []byte
	//go:embed scenarios/first-steps.json
	partFirstSteps []byte
	//go:embed scenarios/kerch-feodosiya.json
	partKerch []byte
	//go:embed scenarios/campaign.json
	partCampaign []byte
	//go:embed scenarios/proving-ground.json
	partProvingGround []byte
	//go:embed scenarios/proving-skies.json
	partProvingSkies []byte
	//go:embed scenarios/proving-seas.json
	partProvingSeas []byte
	//go:embed scenarios/proving-map.json
	partProvingMap []byte
)

// documents are the scenarios that come with the ruleset.
func documents() []rules.Document {
	return []rules.Document{
		{ID: "first-steps", Data: compose(partFirstSteps, partProvingMap, partSeries)},
		{ID: "proving-ground", Data: compose(partProvingGround, partProvingMap, partSeries)},
		{ID: "proving-skies", Data: compose(partProvingSkies, partProvingMap, partSeries)},
		{ID: "proving-seas", Data: compose(partProvingSeas, partProvingMap, partSeries)},
		{ID: "crimea-ishun", Data: compose(partIshun, partCrimea, partSeries)},
		{ID: "crimea-trappenjagd", Data: compose(partTrappenjagd, partCrimea, partSeries)},
		{ID: "crimea-sevastopol", Data: compose(partSevastopol, partCrimea, partSeries)},
		{ID: "crimea-kerch-feodosiya", Data: compose(partKerch, partCrimea, partSeries)},
		{ID: "crimea-campaign", Data: compose(partCampaign, partCrimea, partSeries)},
	}
}

// compose puts the members of JSON objects into one.
func compose(parts ...[]byte) []byte {
	out := []byte("{")
	for i, part := range parts {
		if i > 0 {
			out = append(out, ',')
		}
		part = bytes.TrimSpace(part)
		out = append(out, part[1:len(part)-1]...)
	}
	return append(out, '}')
}
