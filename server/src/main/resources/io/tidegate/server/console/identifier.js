// The panel of one identifier: what this node, the origin and the database have counted.

import { ApiError } from "./api.js";
import { byId, setMessage, setText } from "./dom.js";
import { NameField, selectWorkspace, workspaceOf } from "./fields.js";
import { Inspection } from "./inspection.js";
import { parseCount, parseWindow, seconds, visible } from "./text.js";

const EVERY_MILLIS = 1000;

export class IdentifierPanel {
  #api;
  #onOverride;
  #namespace = new NameField("inspect-namespace", "namespace");
  #identifier = new NameField("inspect-identifier", "identifier");
  #request = null;
  #inspection = null;
  #receivedAt = 0;
  #latest = 0;
  #timer = null;

  /** `onOverride(subject)` opens the form for an override of the identifier. */
  constructor(api, onOverride) {
    this.#api = api;
    this.#onOverride = onOverride;
    byId("inspect-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    byId("inspect-refresh").addEventListener("click", () => this.#refresh());
    byId("inspect-every-second").addEventListener("change", () => this.#schedule());
    document.addEventListener("visibilitychange", () => this.#schedule());
    setInterval(() => this.#showAge(), 1000);
  }

  /** Opens an identifier that was selected elsewhere, and moves the focus to the panel. */
  open({ workspace, namespace, identifier }) {
    selectWorkspace("inspect-workspace", workspace);
    this.#namespace.value = namespace;
    this.#identifier.value = identifier;
    byId("inspect-limit").value = "";
    byId("inspect-window").value = "";
    byId("identifier").scrollIntoView({ block: "nearest" });
    byId("identifier-title").focus({ preventScroll: true });
    this.#submit();
  }

  #submit() {
    try {
      this.#request = this.#readForm();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#refresh();
  }

  #readForm() {
    const request = {
      workspace: workspaceOf("inspect-workspace"),
      namespace: this.#namespace.value,
      identifier: this.#identifier.value,
    };
    const limit = byId("inspect-limit").value;
    const window = byId("inspect-window").value;
    if (limit.trim() !== "") {
      request.limit = parseCount(limit, "limit");
    }
    if (window.trim() !== "") {
      request.windowMillis = parseWindow(window);
    }
    return request;
  }

  /** Inspects once. The answer to an earlier request that arrives later is dropped. */
  async #refresh() {
    const number = ++this.#latest;
    clearTimeout(this.#timer);
    try {
      const result = await this.#api.post("inspect", this.#request);
      if (number === this.#latest) {
        this.#show(result);
      }
    } catch (error) {
      if (number === this.#latest) {
        this.#fail(error);
      }
    }
    if (number === this.#latest) {
      this.#schedule();
    }
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (byId("inspect-every-second").checked && this.#request !== null && !document.hidden) {
      this.#timer = setTimeout(() => this.#refresh(), EVERY_MILLIS);
    }
  }

  #show(result) {
    setMessage(byId("inspect-error"), null);
    byId("inspect-empty").hidden = true;
    byId("inspect-refresh").disabled = false;
    this.#receivedAt = performance.now();
    if (this.#inspection === null || !this.#inspection.fits(result)) {
      this.#inspection = new Inspection(result, (subject) => this.#onOverride(subject));
      byId("inspect-result").replaceChildren(this.#inspection.root);
    }
    byId("inspect-result").hidden = false;
    this.#inspection.update(result);
    this.#showAge();
  }

  #showAge() {
    if (this.#inspection !== null) {
      const elapsed = performance.now() - this.#receivedAt;
      this.#inspection.elapse(elapsed);
      setText(byId("identifier-age"), elapsed < 2000 ? "as of now" : `as of ${seconds(elapsed)} ago`);
    }
  }

  #fail(error) {
    if (error instanceof ApiError && error.status === 401) {
      byId("inspect-every-second").checked = false;
    }
    setMessage(byId("inspect-error"), visible(error.message));
  }
}
