import { render } from "preact";
import { App } from "./app";
import { signed } from "./person";
import "./style.css";
import { followTheme } from "./theme";

/** After how long the games of a person are looked after: first comes the board. */
const LATER = 3000;

followTheme();

// An identity provider has sent the person back; or this tab keeps what a person has somewhere else too.
if (new URLSearchParams(location.search).has("state")) void import("./lobby/sign").then((m) => m.come());
else if (signed.value) setTimeout(() => void import("./lobby/keyring").then((m) => m.follow()), LATER);

render(<App />, document.getElementById("app")!);
