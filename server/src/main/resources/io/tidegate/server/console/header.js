// The header: node, connection, and the status of the fleet in a sentence.

import { byId, setAttribute, setMessage, setText } from "./dom.js";
import { statusOf } from "./status.js";
import { clock, setClientText } from "./text.js";

const CONNECTION = new Map([
  ["connecting", "Connecting"], ["live", "Live"], ["reconnecting", "Reconnecting"], ["unauthorized", "Not authorized"],
]);

export class Header {
  #lastState = null;

  update(model) {
    const { state } = model;
    this.#lastState = state.time;
    setClientText(byId("served-region"), state.node.region);
    setClientText(byId("served-node"), state.node.name);
    setText(byId("served-version"), state.node.version);
    const { level, sentence } = statusOf(model);
    setAttribute(byId("status"), "data-level", level);
    setText(byId("status-text"), sentence);
    document.title = `${level === "ok" ? "" : "⚠ "}Tidegate ${state.node.region}`;
  }

  connection(state, error) {
    setAttribute(byId("connection"), "data-state", state);
    setText(byId("connection-text"), CONNECTION.get(state));
    byId("enter-token").hidden = state !== "unauthorized" || error.status === 403;
    document.body.classList.toggle("outdated", state !== "live" && this.#lastState !== null);
    setMessage(byId("notice"), state === "live" || state === "connecting" ? null : this.#explain(error));
  }

  #explain(error) {
    const since = this.#lastState === null ? "" : ` The page shows the state of ${clock(this.#lastState)}.`;
    return `No updates: ${error.message}.${since}`;
  }
}
