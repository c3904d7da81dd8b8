import { render } from "preact";
import { App } from "./app";
import "./style.css";
import { followTheme } from "./theme";
import { worded } from "./words";

followTheme();

// Nobody is shown another language first.
void worded.then(() => render(<App />, document.getElementById("app")!));
