// The panel of namespaces and of the identifiers that are busiest or denied most.

import { Sparkline } from "./chart.js";
import { byId, element, inUse, keyedList, setAttribute, setText } from "./dom.js";
import { clientText, count, limitPerWindow, percent, plural, rate, visible } from "./text.js";

/** Rows change their order this often at most, and not while they are in use: a moving row cannot be clicked. */
const REORDER_MILLIS = 5000;

const RANKING_LENGTH = 8;

export class NamespacesPanel {
  #rows;
  #mostDenied;
  #busiest;
  #order = new Order(byId("namespaces-table"));
  #deniedOrder = new Order(byId("most-denied"));
  #busiestOrder = new Order(byId("busiest"));

  /** `onIdentifier(subject)` opens an identifier, `onOverrides(subject)` the overrides of a namespace. */
  constructor(onIdentifier, onOverrides) {
    this.#rows = keyedList(byId("namespaces-table"), (item) => namespaceView(item, onIdentifier, onOverrides));
    this.#mostDenied = keyedList(byId("most-denied"), (item) => rankingView(item, onIdentifier));
    this.#busiest = keyedList(byId("busiest"), (item) => rankingView(item, onIdentifier));
  }

  update(model) {
    const { namespaces, workspaces, time } = model.state;
    const several = workspaces.length > 1;
    const items = namespaces.map((namespace) => ({
      ...namespace,
      several,
      history: model.namespaceHistory(namespace),
      time,
    }));
    this.#rows(this.#order.apply(items, namespaceKey, time), namespaceKey);
    byId("namespaces-empty").hidden = namespaces.length > 0;
    setText(
      byId("namespaces-summary"),
      namespaces.length === 0
        ? ""
        : `${namespaces.length === 50 ? "the busiest 50" : plural(namespaces.length, "namespace")}, all regions`,
    );
    this.#rank("mostDenied", "most-denied", namespaces, time);
    this.#rank("busiest", "busiest", namespaces, time);
    updateKnownNamespaces(namespaces);
  }

  #rank(field, id, namespaces, time) {
    const update = field === "busiest" ? this.#busiest : this.#mostDenied;
    const order = field === "busiest" ? this.#busiestOrder : this.#deniedOrder;
    const ranked = rank(namespaces, field);
    const greatest = ranked[0]?.perMinute ?? 1;
    const kept = order.apply(ranked, identifierKey, time).slice(0, RANKING_LENGTH);
    update(
      kept.map((entry) => ({ ...entry, greatest, denied: field === "mostDenied" })),
      identifierKey,
    );
    byId(`${id}-empty`).hidden = ranked.length > 0;
  }
}

/** Keeps the order of rows for a while. */
class Order {
  #container;
  #keys = [];
  #sortedAt = -Infinity;

  constructor(container) {
    this.#container = container;
  }

  apply(items, keyOf, time) {
    const due = Math.abs(time - this.#sortedAt) >= REORDER_MILLIS && !inUse(this.#container);
    if (due) {
      this.#sortedAt = time;
      this.#keys = items.map(keyOf);
      return items;
    }
    const places = new Map(this.#keys.map((key, place) => [key, place]));
    const place = (item) => places.get(keyOf(item)) ?? Infinity;
    return items.slice().sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  }
}

function namespaceKey({ workspace, namespace }) {
  return JSON.stringify([workspace, namespace]);
}

function identifierKey({ workspace, namespace, identifier }) {
  return JSON.stringify([workspace, namespace, identifier]);
}

/** The lists of all regions and namespaces as one, with the counts of an identifier added up. */
function rank(namespaces, field) {
  const found = new Map();
  for (const { workspace, namespace, regions } of namespaces) {
    for (const region of regions) {
      for (const entry of region[field]) {
        const item = { workspace, namespace, ...entry };
        const known = found.get(identifierKey(item));
        found.set(
          identifierKey(item),
          known
            ? {
                ...known,
                perMinute: known.perMinute + entry.perMinute,
                error: known.error + entry.error,
                regions: [...known.regions, region.region],
              }
            : { ...item, regions: [region.region] },
        );
      }
    }
  }
  return [...found.values()].sort((a, b) => b.perMinute - a.perMinute);
}

/** Two rows: the namespace, and its regions, which are created when they are opened. */
function namespaceView(item, onIdentifier, onOverrides) {
  const details = element("td", { colspan: 5 });
  const detailsRow = element("tr", { class: "details", hidden: true }, details);
  const toggle = element(
    "button",
    { type: "button", class: "disclosure", "aria-expanded": "false", click: open },
    clientText(item.namespace),
  );
  const workspace = element("small", { class: "quiet" }, clientText(item.workspace));
  const cells = ["admitted", "denied", ""].map((name) => element("td", { class: `number ${name}` }));
  const sparkline = new Sparkline("Admitted and denied per second in the last 3 minutes");
  const root = element(
    "tbody",
    { "data-namespace": item.namespace, "data-workspace": item.workspace },
    element("tr", {}, element("th", { scope: "row" }, toggle, workspace), ...cells, element("td", {}, sparkline.root)),
    detailsRow,
  );
  let last = item;
  let regions = null;

  function open() {
    detailsRow.hidden = !detailsRow.hidden;
    setAttribute(toggle, "aria-expanded", String(!detailsRow.hidden));
    if (regions === null) {
      const list = element("div", { class: "breakdown" });
      regions = keyedList(list, () => regionView(last, onIdentifier));
      details.append(
        list,
        element(
          "button",
          { type: "button", "data-action": "overrides", click: () => onOverrides(last) },
          "Show overrides",
        ),
      );
    }
    showRegions();
  }

  function showRegions() {
    if (regions !== null && !detailsRow.hidden) {
      regions(last.regions, ({ region }) => region);
    }
  }

  return {
    root,
    update(namespace) {
      last = namespace;
      const { allowedPerSecond, deniedPerSecond } = namespace;
      workspace.hidden = !namespace.several;
      setText(cells[0], rate(allowedPerSecond));
      setText(cells[1], rate(deniedPerSecond));
      setText(cells[2], percent(deniedPerSecond, allowedPerSecond + deniedPerSecond));
      sparkline.update(namespace.history, namespace.time);
      showRegions();
    },
  };
}

function regionView(subject, onIdentifier) {
  const name = element("h3");
  const rates = element("p", { class: "quiet" });
  const lists = ["mostDenied", "busiest"].map((field) => {
    const list = element("ol", { class: "ranking" });
    return { field, list, update: keyedList(list, (item) => rankingView(item, onIdentifier)) };
  });
  const root = element(
    "div",
    {},
    name,
    rates,
    element("h4", {}, "Most denied"),
    lists[0].list,
    element("h4", {}, "Busiest"),
    lists[1].list,
  );
  return {
    root,
    update(region) {
      setAttribute(root, "data-region", region.region);
      setText(name, region.region);
      setText(rates, `${rate(region.allowedPerSecond)} admitted/s, ${rate(region.deniedPerSecond)} denied/s`);
      for (const { field, update } of lists) {
        const greatest = region[field][0]?.perMinute ?? 1;
        update(
          region[field].map((entry) => ({
            ...entry,
            workspace: subject.workspace,
            namespace: subject.namespace,
            greatest,
            denied: field === "mostDenied",
            within: true,
          })),
          identifierKey,
        );
      }
    },
  };
}

/** An identifier with its requests or denials per minute, which opens it. */
function rankingView(item, onIdentifier) {
  let last = item;
  const bar = element("span", { class: item.denied ? "share denied" : "share admitted", "aria-hidden": "true" });
  const number = element("span", { class: "number" });
  const limit = element("small", { class: "quiet" });
  const root = element(
    "li",
    {},
    element(
      "button",
      { type: "button", class: "identifier", "data-action": "inspect", click: () => onIdentifier(last) },
      clientText(item.identifier),
    ),
    number,
    bar,
    element(
      "span",
      { class: "context", hidden: item.within },
      element("small", { class: "quiet where" }, clientText(item.namespace)),
      limit,
    ),
  );
  return {
    root,
    update(entry) {
      last = entry;
      setText(number, `${entry.error > 0 ? "≈ " : ""}${count(entry.perMinute)}/min`);
      const bounds =
        entry.error > 0
          ? `Between ${count(entry.perMinute - entry.error)} and ${count(entry.perMinute)} per minute; `
          : "";
      setAttribute(number, "title", `${bounds}limit ${limitPerWindow(entry.limit, entry.windowMillis)}`);
      bar.style.setProperty("--share", `${(100 * Math.min(1, entry.perMinute / entry.greatest)).toFixed(1)}%`);
      const regions = entry.regions === undefined ? "" : ` · ${entry.regions.join(", ")}`;
      setText(limit, `${limitPerWindow(entry.limit, entry.windowMillis)}${regions}`);
    },
  };
}

/** Suggestions of the forms; the browser draws them, so they contain only names that need no escapes. */
function updateKnownNamespaces(namespaces) {
  const names = [...new Set(namespaces.map(({ namespace }) => namespace))]
    .filter((name) => visible(name) === name)
    .sort();
  const list = byId("known-namespaces");
  const known = [...list.children].map(({ value }) => value);
  if (JSON.stringify(known) !== JSON.stringify(names)) {
    list.replaceChildren(...names.map((name) => element("option", { value: name })));
  }
}
