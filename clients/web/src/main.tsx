import { render } from "preact";
import { App } from "./app";
import "./style.css";
import { followTheme } from "./theme";

followTheme();

render(<App />, document.getElementById("app")!);
