// The panel of the recent denials of this node.

import { byId, element, inUse, keyedList, setAttribute, setText } from "./dom.js";
import { clientText, clock, duration, limitPerWindow, plural } from "./text.js";

export class DenialsPanel {
  #rows;
  #paused = false;
  #shown = [];
  #reported = [];

  /** `onIdentifier(subject)` opens an identifier. */
  constructor(onIdentifier) {
    this.#rows = keyedList(byId("denials-rows"), (denial) => denialView(denial, onIdentifier));
    byId("denials-pause").addEventListener("click", () => this.#toggle());
  }

  update({ state }) {
    this.#reported = state.denials;
    this.#show();
  }

  #toggle() {
    this.#paused = !this.#paused;
    setAttribute(byId("denials-pause"), "aria-pressed", String(this.#paused));
    setText(byId("denials-pause"), this.#paused ? "Continue" : "Pause");
    this.#show();
  }

  /** Rows do not move while they are in use, because a moving row cannot be clicked. */
  #show() {
    const held = this.#paused || inUse(byId("denials-rows"));
    if (!held) {
      this.#shown = this.#reported;
      this.#rows(this.#shown, keyOf);
    }
    byId("denials-empty").hidden = this.#shown.length > 0;
    setText(byId("denials-summary"), held ? this.#heldText() : "of this node, newest first");
  }

  #heldText() {
    const known = new Set(this.#shown.map(keyOf));
    const newer = this.#reported.filter((denial) => !known.has(keyOf(denial))).length;
    const more = newer > 0 && newer === this.#reported.length ? "or more " : "";
    return `${this.#paused ? "paused" : "held while in use"}${newer > 0 ? `, ${plural(newer, `${more}newer denial`)}` : ""}`;
  }
}

function keyOf({ time, workspace, namespace, identifier, limit, windowMillis }) {
  return JSON.stringify([time, workspace, namespace, identifier, limit, windowMillis]);
}

function denialView(denial, onIdentifier) {
  const { time, namespace, identifier, limit, windowMillis, retryAfterMillis, degraded } = denial;
  const retry = retryAfterMillis < 0 ? "never" : duration(retryAfterMillis);
  const root = element(
    "tr",
    {},
    element("td", { title: new Date(time).toISOString() }, clock(time)),
    element("td", {}, clientText(namespace)),
    element(
      "td",
      {},
      element(
        "button",
        { type: "button", class: "identifier", "data-action": "inspect", click: () => onIdentifier(denial) },
        clientText(identifier),
      ),
    ),
    element(
      "td",
      {},
      limitPerWindow(limit, windowMillis),
      ...(degraded ? [element("small", { class: "late" }, "degraded")] : []),
    ),
    element("td", { class: "number" }, retry),
  );
  return { root, update() {} };
}
