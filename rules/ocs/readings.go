package ocs

import (
	_ "embed"

	"github.com/warledger/warledger/rules"
)

//go:embed readings.ja.tsv
var readingsTSV string

// readings are how names in Japanese are read.
var readings = rules.MustReadings(readingsTSV)
