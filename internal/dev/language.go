package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/warledger/warledger/internal/dev/phrases"
	"github.com/warledger/warledger/languages"
)

// languageFolder has a file for each language but English and Japanese.
const languageFolder = "languages"

// withTexts adds the full texts of rules too, which are long and many. Without it a file keeps those that it has.
const withTexts = "-texts"

// writeLanguages makes the files of the languages named current, and begins those that do not exist yet; without names
// all that exist. It says how much of each is translated.
func writeLanguages(ctx context.Context, c checkout, tags []string) error {
	sections, have, err := sources(ctx, c)
	if err != nil {
		return err
	}
	if i := slices.Index(tags, withTexts); i >= 0 {
		tags = slices.Delete(slices.Clone(tags), i, i+1)
		for n := range sections {
			sections[n].Long = false
		}
	}
	if len(tags) == 0 {
		tags = have
	}
	for _, tag := range tags {
		name := c.path(languageFolder + "/" + tag + ".tsv")
		old, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		f, err := phrases.Update(tag, string(old), sections)
		if err != nil {
			return err
		}
		if err := writeChanged(name, []byte(f.Text)); err != nil {
			return err
		}
		fmt.Printf("%s/%s.tsv: %d of %d texts translated, %d new without a use\n",
			languageFolder, tag, f.Translated, f.All, len(f.Unused))
		if err := faultsOf(tag, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// checkLanguages reports what is wrong in the files of languages, and whether they have other texts than the sources.
// A text without translation is no fault: it stays English.
func checkLanguages(ctx context.Context, c checkout) error {
	sections, have, err := sources(ctx, c)
	if err != nil {
		return err
	}
	var faults []error
	for _, tag := range have {
		old, err := os.ReadFile(c.path(languageFolder + "/" + tag + ".tsv"))
		if err != nil {
			return err
		}
		faults = append(faults, faultsOf(tag, string(old)))
		f, err := phrases.Update(tag, string(old), sections)
		if err != nil {
			return err
		}
		for _, text := range f.Unused {
			faults = append(faults, fmt.Errorf("%s.tsv: no source says %.80q any more", tag, text))
		}
		if f.Text != string(old) {
			faults = append(faults, fmt.Errorf(
				"%s.tsv is not current; go run ./internal/dev language %s, and translate what is new", tag, tag))
		}
		fmt.Printf("%s: %d of %d texts\n", tag, f.Translated, f.All)
	}
	return errors.Join(faults...)
}

// faultsOf are what is wrong in a file by itself.
func faultsOf(tag, file string) error {
	_, faults := languages.Parse(tag, file)
	var list []error
	for _, f := range faults {
		list = append(list, fmt.Errorf("%s/%s.tsv:%d: %s", languageFolder, tag, f.Line, f.What))
	}
	return errors.Join(list...)
}

// sources are the texts of the checkout, and the tags of the languages that have a file.
func sources(ctx context.Context, c checkout) (sections []phrases.Section, tags []string, err error) {
	names, err := c.files(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if dir, file := path.Split(name); dir == languageFolder+"/" && strings.HasSuffix(file, ".tsv") {
			tags = append(tags, strings.TrimSuffix(file, ".tsv"))
		}
	}
	sections, err = phrases.Collect(names, func(name string) ([]byte, error) { return os.ReadFile(c.path(name)) })
	return sections, tags, err
}
