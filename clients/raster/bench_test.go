package raster

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
)

func BenchmarkDraw(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(positions)) {
		board := position(b, name, rules.English)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				draw(b, board, board.Map, Options{})
			}
		})
		b.Run(name+"/png", func(b *testing.B) {
			b.ReportAllocs()
			img := draw(b, board, board.Map, Options{})
			b.ResetTimer()
			for b.Loop() {
				var file bytes.Buffer
				if err := EncodePNG(&file, img); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(file.Len()), "bytes")
			}
		})
	}
}
