package computers

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// scripts are those in which a title may be written: the scripts of living languages, after table 5 of UAX #31. Others
// have letters that look like whole Latin words, such as Cherokee and Lisu.
var scripts = map[string]*unicode.RangeTable{
	"Arabic": unicode.Arabic, "Armenian": unicode.Armenian, "Bengali": unicode.Bengali, "Bopomofo": unicode.Bopomofo,
	"Cyrillic": unicode.Cyrillic, "Devanagari": unicode.Devanagari, "Ethiopic": unicode.Ethiopic,
	"Georgian": unicode.Georgian, "Greek": unicode.Greek, "Gujarati": unicode.Gujarati, "Gurmukhi": unicode.Gurmukhi,
	"Han": unicode.Han, "Hangul": unicode.Hangul, "Hebrew": unicode.Hebrew, "Hiragana": unicode.Hiragana,
	"Kannada": unicode.Kannada, "Katakana": unicode.Katakana, "Khmer": unicode.Khmer, "Lao": unicode.Lao,
	"Latin": unicode.Latin, "Malayalam": unicode.Malayalam, "Myanmar": unicode.Myanmar, "Oriya": unicode.Oriya,
	"Sinhala": unicode.Sinhala, "Tamil": unicode.Tamil, "Telugu": unicode.Telugu, "Thaana": unicode.Thaana,
	"Thai": unicode.Thai, "Tibetan": unicode.Tibetan,
}

// together are the scripts that one title may mix: Japanese, Chinese or Korean with Latin. They are those that UTS #39
// allows at the level "highly restrictive".
var together = []string{"Latin Han Hiragana Katakana", "Latin Han Bopomofo", "Latin Han Hangul"}

// latin are the letters that a title may have besides A to Z and accented letters. Languages are written with them.
// Phonetic and other special letters are left out, because they often look like plain ones.
const latin = "ÆæŒœØøÐðÞþßẞŁłĐđĦħŊŋŦŧIıƏəƠơƯưĸ"

// joining lists the punctuation beyond ASCII that may stand inside and between words. Other punctuation, such as the
// dagger, could pass for a letter.
const joining = "·・、。，：；！？"

// TitleFault says what is wrong with the characters of a title; empty if nothing is.
func TitleFault(title string) string {
	composed := norm.NFKC.String(title)
	used := make(map[string]bool)
	for _, r := range composed {
		switch {
		case hidden(r) || unicode.IsControl(r):
			return "it contains invisible characters"
		case !unicode.IsLetter(r) || unicode.In(r, unicode.Common, unicode.Inherited):
			continue
		}
		script := scriptOf(r)
		if script == "" || script == "Latin" && !plain(r) {
			return "it uses letters that names of computers may not use"
		}
		used[script] = true
	}
	if len(used) > 1 && !mix(used) {
		return "it mixes letters of several scripts"
	}
	return signFault(composed, used)
}

// signFault says what is wrong with the marks, digits and symbols of a composed title; empty if nothing is. Letters of
// the used scripts are known to be right.
func signFault(composed string, used map[string]bool) string {
	word := false // whether a letter or digit is just before
	sign := false // whether a symbol or punctuation beyond ASCII is
	for _, r := range composed {
		letter := unicode.In(r, unicode.L, unicode.N, unicode.M)
		symbol := r > unicode.MaxASCII && (unicode.In(r, unicode.S) ||
			used["Latin"] && unicode.In(r, unicode.Po) && !strings.ContainsRune(joining, r))
		switch {
		case unicode.IsMark(r) && unicode.Is(unicode.Inherited, r):
			return "it has marks that belong to no letter"
		case r > unicode.MaxASCII && unicode.IsNumber(r) && !used[scriptOf(r)]:
			return "its digits and letters are of different scripts"
		case symbol && word, letter && sign:
			return "it has a symbol inside a word"
		}
		word, sign = letter, symbol
	}
	return ""
}

// plain reports whether a Latin letter is one of A to Z, with or without accents, or another that a language has.
func plain(r rune) bool {
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return base <= unicode.MaxASCII || strings.ContainsRune(latin, base)
}

// hidden reports whether a character shows nothing of itself.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func scriptOf(r rune) string {
	for name, table := range scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// mix reports whether one title may have letters of all these scripts.
func mix(used map[string]bool) bool {
	for _, set := range together {
		all := true
		for name := range used {
			all = all && strings.Contains(" "+set+" ", " "+name+" ")
		}
		if all {
			return true
		}
	}
	return false
}

// key is what two titles share that look alike: without accents, case, spaces and punctuation, and with each letter
// and digit that looks like a Latin letter replaced by that. A title of neither letters nor digits is its own key.
func key(title string) string {
	var out strings.Builder
	latin := strings.ContainsFunc(title, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	for _, r := range norm.NFKD.String(strings.ToLower(norm.NFKD.String(title))) {
		switch {
		case r >= 0x300 && r <= 0x36F, hidden(r): // accents; in other scripts, marks tell letters apart
		case unicode.In(r, unicode.L, unicode.M, unicode.N), r == '$', r == '@':
			if like, ok := lookalikes[r]; ok {
				r = like
			} else if like, ok := beside[r]; ok && latin {
				r = like
			}
			out.WriteRune(r)
		}
	}
	if out.Len() == 0 {
		return norm.NFKC.String(strings.TrimSpace(title))
	}
	return doubles.Replace(out.String())
}

// doubles are pairs of letters that look like one.
var doubles = strings.NewReplacer("rn", "m", "vv", "w")

// lookalikes has for a small letter or digit the Latin letter that it, or its capital, is taken for.
var lookalikes = pairs(
	// Digits, and Latin letters of which no accent comes off.
	"0o 1l 3e 4a 5s 7t 8b 9g $s @a "+
		"il ıl ȷj łl øo đd ðd ħh ŧt ƒf ɑa ɡg ɩl ʀr ʏy ɢg ʜh ɪl ʟl ɴn ʙb ʋu ꞌl ƅb ɓb ƙk ƴy ƶz ⱥa ƀb ȼc ɇe ɉj ꝁk",
	// Cyrillic.
	"аa вb гr еe ёe зz іl їl јj кk мm нh оo пn рp сc тt уy хx ѕs ԁd ԍg ԛq ԝw ѵv һh ӏl ьb үy ұy ҽe ѡw ґr эe иn",
	// Greek.
	"αa βb γy εe ζz ηn ιl κk μm νv οo ρp ςc σo τt υu χx ωw ϲc ϳj",
	// Armenian.
	"աw գq դn եt զq իh լl խu կu հh նu ոn սu ցg քp օo ւl յj",
)

// beside has the same for characters that are taken for Latin letters only beside some.
var beside = pairs(
	"丨l 丿l 亅j 工i エi ㅣl 口o 囗o 〇o ロo ㅇo 丁t 卜t トt 乂x メx 乙z ㄥl 凵u 匚c ㄈc 尺r 几n 山w 丫y ㄚy")

// pairs reads pairs of a letter and the one that it looks like.
func pairs(lists ...string) map[rune]rune {
	out := make(map[rune]rune)
	for _, list := range lists {
		for _, pair := range strings.Fields(list) {
			two := []rune(pair)
			out[two[0]] = two[1]
		}
	}
	return out
}
