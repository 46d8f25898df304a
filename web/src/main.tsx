// The explorer: a page where people see what a model learned.   docs/explorer.md
import { render } from "preact";

import { App } from "./app";
import "./style/base.css";
import "./style/parts.css";
import "./style/map.css";
import "./style/card.css";

render(<App />, document.getElementById("page") as HTMLElement);
