// The header: node, connection, and the status of the fleet in a sentence.

import { byId, setAttribute, setMessage, setText } from "./dom.js";
import { statusOf } from "./status.js";
import { clock, setClientText, visible } from "./text.js";

const CONNECTION = new Map([
  ["connecting", "Connecting"],
  ["live", "Live"],
  ["reconnecting", "Reconnecting"],
  ["unauthorized", "Not authorized"],
]);

export class Header {
  #status = null;
  #lastState = null;
  #connected = true;

  update(model) {
    const { state } = model;
    this.#status = statusOf(model);
    this.#lastState = state;
    byId("served-from").hidden = false;
    setClientText(byId("served-region"), state.node.region);
    setClientText(byId("served-node"), state.node.name);
    setText(byId("served-version"), state.node.version);
    this.#showStatus();
  }

  connection(state, error) {
    this.#connected = state === "live" || state === "connecting";
    setAttribute(byId("connection"), "data-state", state);
    setText(byId("connection-text"), CONNECTION.get(state));
    byId("enter-token").hidden = state !== "unauthorized" || error.status === 403;
    setMessage(byId("notice"), this.#connected ? null : `No updates: ${visible(error.message)}.`);
    this.#showStatus();
  }

  /** Without updates, the last status may be wrong and is shown as such. */
  #showStatus() {
    document.body.classList.toggle("outdated", !this.#connected);
    if (this.#lastState === null) {
      return;
    }
    const { level, sentence } = this.#status;
    const shown = this.#connected ? level : "unknown";
    setAttribute(byId("status"), "data-level", shown);
    setText(
      byId("status-text"),
      this.#connected ? sentence : `Not known. At ${clock(this.#lastState.time)}: ${sentence}`,
    );
    document.title = `${shown === "ok" ? "" : "⚠ "}Tidegate ${visible(this.#lastState.node.region)}`;
  }
}
