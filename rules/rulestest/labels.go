package rulestest

// checkLabels: no two commands of a list read alike with what they cost, in any language.
func (m *match) checkLabels(list []tried) {
	labels := make([]map[string]string, len(langs))
	for i := range labels {
		labels[i] = make(map[string]string, len(list))
	}
	for _, t := range list {
		d := m.game.Describe(t.seat, t.c)
		for i, lang := range langs {
			words := m.about.Catalogue.Format(lang, d.Label)
			if d.Cost.Key != "" {
				words += " (" + m.about.Catalogue.Format(lang, d.Cost) + ")"
			}
			if other, ok := labels[i][words]; ok {
				m.failf("%s and %s read alike in %s: %s", other, t.text, lang, words)
			}
			labels[i][words] = t.text
		}
	}
}
