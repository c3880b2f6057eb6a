// The panel of the overrides of a namespace.

import { byId, element, keyedList, setMessage, setText } from "./dom.js";
import { NameField, selectWorkspace, workspaceOf } from "./fields.js";
import { clientText, limitPerWindow, parseCount, parseWindow, plural, visible, windowLength } from "./text.js";

/** A second click within this time confirms a deletion. */
const CONFIRM_MILLIS = 4000;

export class OverridesPanel {
  #api;
  #rootKey;
  #namespace = new NameField("overrides-namespace", "namespace");
  #identifier = new NameField("override-identifier", "identifier or pattern");
  #rows = keyedList(byId("overrides-rows"), (override) =>
    overrideView(
      override,
      (item) => this.#fill(item),
      (item) => this.#delete(item),
    ),
  );
  #latest = 0;

  constructor(api, rootKey) {
    this.#api = api;
    this.#rootKey = rootKey;
    onSubmit("overrides-list-form", () => this.#attempt(() => this.#list()));
    onSubmit("override-form", () => this.#attempt(() => this.#set()));
  }

  /** Lists the overrides of a namespace that was selected elsewhere. */
  show({ workspace, namespace }) {
    selectWorkspace("overrides-workspace", workspace);
    this.#namespace.value = namespace;
    this.#attempt(() => this.#list());
  }

  /** Prepares the form for an override of an identifier. */
  edit(subject) {
    this.show(subject);
    this.#fill(subject);
  }

  #fill({ identifier, limit, windowMillis }) {
    this.#identifier.value = identifier;
    byId("override-limit").value = limit ?? "";
    byId("override-window").value = windowMillis === undefined ? "" : windowInput(windowMillis);
    byId("override-form").scrollIntoView({ block: "nearest" });
    byId("override-limit").focus({ preventScroll: true });
  }

  async #list() {
    const number = ++this.#latest;
    const request = { workspace: workspaceOf("overrides-workspace"), namespace: this.#namespace.value };
    const { overrides, more } = await this.#api.post("overrides.list", request);
    if (number === this.#latest) {
      this.#rows(overrides, ({ id }) => id);
      byId("overrides-scroll").hidden = overrides.length === 0;
      byId("overrides-empty").hidden = overrides.length > 0;
      setText(
        byId("overrides-summary"),
        `${more ? "the first " : ""}${plural(overrides.length, "override")} of ${visible(request.namespace).slice(0, 60)}`,
      );
    }
  }

  async #set() {
    const namespace = this.#namespace.value;
    const identifier = this.#identifier.value;
    const limit = parseCount(byId("override-limit").value, "limit");
    const windowMillis = parseWindow(byId("override-window").value);
    await this.#api.post("overrides.set", { namespace, identifier, limit, windowMillis }, this.#rootKey.value);
    await this.#list();
    setMessage(byId("overrides-done"), `Override set: ${visible(identifier)}, ${limitPerWindow(limit, windowMillis)}.`);
  }

  #delete({ identifier }) {
    return this.#attempt(async () => {
      await this.#api.post("overrides.delete", { namespace: this.#namespace.value, identifier }, this.#rootKey.value);
      await this.#list();
      setMessage(byId("overrides-done"), `Override deleted: ${visible(identifier)}.`);
    });
  }

  async #attempt(action) {
    setMessage(byId("overrides-error"), null);
    setMessage(byId("overrides-done"), null);
    try {
      await action();
    } catch (error) {
      setMessage(byId("overrides-error"), visible(error.message));
    }
  }
}

function onSubmit(id, action) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

/** A window as the forms read it. */
function windowInput(millis) {
  return windowLength(millis).replaceAll(/[ ,]/g, "").replace("min", "m");
}

function overrideView(item, onEdit, onDelete) {
  let last = item;
  let timer = null;
  const limit = element("td");
  const remove = element(
    "button",
    { type: "button", class: "danger", "data-action": "delete", click: confirm },
    "Delete",
  );
  const root = element(
    "tr",
    { "data-override": item.id },
    element("td", {}, clientText(item.identifier)),
    limit,
    element("td", { class: "quiet" }, clientText(item.id)),
    element(
      "td",
      { class: "row-actions" },
      element("button", { type: "button", "data-action": "edit", click: () => onEdit(last) }, "Edit"),
      remove,
    ),
  );

  function confirm() {
    clearTimeout(timer);
    if (remove.dataset.confirm === undefined) {
      remove.dataset.confirm = "";
      setText(remove, "Confirm");
      timer = setTimeout(reset, CONFIRM_MILLIS);
    } else {
      reset();
      onDelete(last);
    }
  }

  function reset() {
    delete remove.dataset.confirm;
    setText(remove, "Delete");
  }

  return {
    root,
    update(override) {
      last = override;
      setText(limit, limitPerWindow(override.limit, override.windowMillis));
    },
  };
}
