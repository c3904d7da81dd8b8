import { safeColors } from "../board/color";
import { answerOnly, askBeforeEnding, oddsFirst } from "../game/model";
import { sounds } from "../game/sound";
import { theme, type Theme } from "../theme";
import { lang, languages, t } from "../words";

/** Settings are those of this browser. */
export function Settings() {
  return (
    <div class="settings">
      <label>
        <span class="hidden">{t("language")}</span>
        <select id="language" value={lang.value} onChange={(e) => (lang.value = e.currentTarget.value)}>
          {Object.entries(languages).map(([tag, name]) => <option key={tag} value={tag} lang={tag}>{name}</option>)}
        </select>
      </label>
      <details>
        <summary>⚙ {t("settings")}</summary>
        <div class="sheet-of-settings">
          <label>
            {t("theme")}
            <select id="theme" value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
              <option value="auto">{t("themeAuto")}</option>
              <option value="light">{t("themeLight")}</option>
              <option value="dark">{t("themeDark")}</option>
            </select>
          </label>
          <label title={t("safeColorsHint")}>
            <input id="safe-colors" type="checkbox" checked={safeColors.value}
              onChange={(e) => (safeColors.value = e.currentTarget.checked)} /> {t("safeColors")}
          </label>
          <label title={t("soundsHint")}>
            <input id="sounds" type="checkbox" checked={sounds.value}
              onChange={(e) => (sounds.value = e.currentTarget.checked)} /> {t("sounds")}
          </label>
          <label title={t("askEndHint")}>
            <input id="ask-before-ending" type="checkbox" checked={askBeforeEnding.value}
              onChange={(e) => (askBeforeEnding.value = e.currentTarget.checked)} /> {t("askEnd")}
          </label>
          <label title={t("oddsFirstHint")}>
            <input id="odds-first" type="checkbox" checked={oddsFirst.value}
              onChange={(e) => (oddsFirst.value = e.currentTarget.checked)} /> {t("oddsFirst")}
          </label>
          <label title={t("answerOnlyHint")}>
            <input id="answer-only" type="checkbox" checked={answerOnly.value}
              onChange={(e) => (answerOnly.value = e.currentTarget.checked)} /> {t("answerOnly")}
          </label>
        </div>
      </details>
    </div>
  );
}
