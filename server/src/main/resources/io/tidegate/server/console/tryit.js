// The panel that requests a real decision.

import { byId, element, setMessage } from "./dom.js";
import { NameField } from "./fields.js";
import { clientText, clock, count, duration, parseCount, parseWindow, visible } from "./text.js";

const MOST_ANSWERS = 5;

export class TryPanel {
  #api;
  #rootKey;
  #namespace = new NameField("try-namespace", "namespace");
  #identifier = new NameField("try-identifier", "identifier");

  constructor(api, rootKey) {
    this.#api = api;
    this.#rootKey = rootKey;
    byId("try-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#decide();
    });
  }

  /** Prepares the form for an identifier that was selected elsewhere. */
  fill({ namespace, identifier }) {
    this.#namespace.value = namespace;
    this.#identifier.value = identifier;
  }

  async #decide() {
    setMessage(byId("try-error"), null);
    try {
      const request = {
        namespace: this.#namespace.value,
        identifier: this.#identifier.value,
        limit: parseCount(byId("try-limit").value, "limit"),
        windowMillis: parseWindow(byId("try-window").value),
        cost: parseCount(byId("try-cost").value, "cost"),
      };
      const answer = await this.#api.post("limit", request, this.#rootKey.value);
      const list = byId("try-results");
      list.prepend(answerView(request, answer));
      list.replaceChildren(...[...list.children].slice(0, MOST_ANSWERS));
    } catch (error) {
      setMessage(byId("try-error"), visible(error.message));
    }
  }
}

function answerView(request, { allowed, limit, remaining, resetAt, retryAfterMillis, degraded, overrideId }) {
  const facts = [`${count(remaining)} of ${count(limit)} remaining`, `window resets at ${clock(resetAt)}`];
  if (!allowed) {
    facts.push(retryAfterMillis < 0 ? "never allowed with this limit" : `retry after ${duration(retryAfterMillis)}`);
  }
  if (overrideId) {
    facts.push(`override ${visible(overrideId)}`);
  }
  if (degraded) {
    facts.push("degraded");
  }
  return element(
    "li",
    { "data-allowed": String(allowed) },
    element("b", { class: "verdict", "data-allowed": String(allowed) }, allowed ? "Admitted" : "Denied"),
    element("span", { class: "answer-subject" }, clientText(request.identifier), ` cost ${count(request.cost)}`),
    element("time", { class: "quiet" }, clock(Date.now())),
    element("span", { class: "answer-facts" }, facts.join(" · ")),
  );
}
