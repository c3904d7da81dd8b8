package house

var linkSamples = []sample{
	{
		name: "links within the checkout",
		tree: "-- README.md --\n# A title\n[a](docs/a.md) [b](docs/a.md#two-words) [c](#a-title) [d](docs) " +
			"[e](https://example.org/x)\n[f](docs/none.md)\n" +
			"[g](docs/a.md#three) ![h](docs/h.png \"words\")\n```\n[i](none.md)\n```\n`[j](none.md)`\n" +
			"-- docs/a.md --\n## Two words!\n[up](../README.md) [itself](#two-words-1)\n## " +
			"Two words\n[no](#two-words-2)\n" +
			"-- .github/x.md --\n[elsewhere](none)\n",
		want: []string{"README.md:3", "README.md:4", "README.md:4", "docs/a.md:4"},
	},
}

var reachableSamples = []sample{
	{
		name: "a document that only a lost one links to",
		tree: "-- README.md --\n[a](docs/a.md)\n-- docs/a.md --\n[b](b.md)\n-- docs/b.md --\n-- docs/lost.md " +
			"--\n[d](d.md)\n-- docs/d.md --\n",
		want: []string{"docs/d.md:1", "docs/lost.md:1"},
	},
	{name: "a tree without an entrance", tree: "-- docs/a.md --\n"},
}
