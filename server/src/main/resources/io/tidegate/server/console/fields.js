// Fields of the forms.

import { byId, element, keyedList, setText } from "./dom.js";
import { InputError, visible } from "./text.js";

/**
 * A text field for a name chosen by a client. A browser removes line breaks from the value of a field, and shows
 * others as nothing; the field therefore shows escapes, and returns the exact name unless the user has edited it.
 */
export class NameField {
  #input;
  #label;
  #exact = "";
  #shown = "";

  constructor(id, label) {
    this.#input = byId(id);
    this.#label = label;
  }

  get value() {
    const value = this.#input.value === this.#shown ? this.#exact : this.#input.value;
    if (value === "") {
      this.#input.focus();
      throw new InputError(`The ${this.#label} is missing.`);
    }
    return value;
  }

  set value(name) {
    this.#exact = name;
    this.#input.value = visible(name);
    this.#shown = this.#input.value;
  }
}

/** The choices of workspaces, which are shown where there is more than one. */
export class WorkspaceFields {
  #selects = ["inspect-workspace", "overrides-workspace"].map((id) => ({
    id,
    update: keyedList(byId(id), optionView),
  }));

  update({ state: { workspaces } }) {
    for (const { update } of this.#selects) {
      update(workspaces, ({ id }) => id);
    }
    for (const label of document.querySelectorAll("[data-workspaces]")) {
      label.hidden = workspaces.length < 2;
    }
  }
}

function optionView({ id }) {
  const root = element("option", { value: id });
  return { root, update: ({ name }) => setText(root, name === id ? visible(id) : `${visible(name)} (${visible(id)})`) };
}

/** The workspace of a form; undefined if there is only one, which the server then uses. */
export function workspaceOf(id) {
  const select = byId(id);
  return select.options.length > 1 ? select.value : undefined;
}

/** Selects a workspace, if the list has it. */
export function selectWorkspace(id, workspace) {
  const select = byId(id);
  if ([...select.options].some(({ value }) => value === workspace)) {
    select.value = workspace;
  }
}

/** The root key, in the memory of the page only. All fields for it show the same key. */
export class RootKey {
  #fields = [...document.querySelectorAll("[data-root-key]")];

  constructor() {
    for (const field of this.#fields) {
      field.addEventListener("input", () => {
        for (const other of this.#fields) {
          other.value = field.value;
        }
      });
    }
  }

  get value() {
    const value = this.#fields[0].value.trim();
    if (!/^[\x21-\x7E]+$/.test(value)) {
      throw new InputError(
        value === "" ? "The root key is missing." : "The root key has characters that no root key contains.",
      );
    }
    return value;
  }
}
