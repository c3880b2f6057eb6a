// Elements, and lists that are updated in place. Text is always inserted as a text node, never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element. Attributes that are functions become listeners; children are nodes or text. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name, value);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== undefined && value !== null) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children);
  return node;
}

export function byId(id) {
  const node = document.getElementById(id);
  if (node === null) {
    throw new Error(`no element with the id ${id}`);
  }
  return node;
}

/** Sets the text of a node if it differs, so that selections and screen readers are left alone otherwise. */
export function setText(node, text) {
  const value = String(text);
  if (node.textContent !== value) {
    node.textContent = value;
  }
}

/** Sets or, with null, removes an attribute if it differs. */
export function setAttribute(node, name, value) {
  if (value === null) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

/** Shows a message in an element that is hidden without one. */
export function setMessage(node, message) {
  node.hidden = !message;
  setText(node, message ?? "");
}

/**
 * Returns a function that makes the children of a parent those of a list. A child is created once per key by
 * `createView`, which returns `{root, update(item)}`, and then updated and moved, so that focus, selection and
 * opened parts survive. Children that the parent has already, such as the head of a table, stay in front.
 */
export function keyedList(parent, createView) {
  const head = parent.lastChild;
  let views = new Map();
  return (items, keyOf) => {
    const next = new Map();
    for (const item of items) {
      const key = uniqueKey(next, keyOf(item));
      const view = views.get(key) ?? createView(item);
      views.delete(key);
      next.set(key, view);
      view.update(item);
    }
    for (const view of views.values()) {
      view.root.remove();
    }
    placeInOrder(parent, head, next.values());
    views = next;
  };
}

/** Two items may have the same key, such as equal denials of one millisecond. */
function uniqueKey(taken, key) {
  let candidate = key;
  for (let number = 2; taken.has(candidate); number++) {
    candidate = `${key} ${number}`;
  }
  return candidate;
}

function placeInOrder(parent, head, views) {
  let previous = head;
  for (const { root } of views) {
    const place = previous === null ? parent.firstChild : previous.nextSibling;
    if (place !== root) {
      parent.insertBefore(root, place);
    }
    previous = root;
  }
}

/** Reports whether a mouse is over an element or the keyboard focus is in it: its order must not change then. */
export function inUse(node) {
  const mouse = window.matchMedia("(hover: hover)").matches && node.matches(":hover");
  return mouse || node.querySelector(":focus-visible") !== null;
}
