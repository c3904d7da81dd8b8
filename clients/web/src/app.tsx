import { useEffect } from "preact/hooks";
import { GamePage } from "./game/page";
import { Create } from "./lobby/create";
import { Lobby } from "./lobby/lobby";
import { RuleDialog } from "./panels/rule";
import { route } from "./route";
import { lang, t } from "./words";

/** App shows the page that the address names. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = lang.value;
  }, [lang.value]);
  const [where, a, b, c] = route.value;
  return (
    <>
      <a class="skip" href="#main">{t("skip")}</a>
      {where === "games" && a ? (
        <GamePage key={a + lang.value} name={"games/" + a} join={b === "join" ? c : undefined} />
      ) : where === "new" && a && b ? (
        <Create key={a + b + lang.value} ruleset={a} scenario={b} />
      ) : (
        <Lobby key={lang.value} />
      )}
      <RuleDialog />
    </>
  );
}
