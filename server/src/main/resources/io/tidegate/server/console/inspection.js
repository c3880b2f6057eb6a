// The answer to one inspection, updated in place while it is repeated.

import { byId, element, keyedList, setAttribute, setText } from "./dom.js";
import { clientText, clock, count, duration, limitPerWindow, seconds, setClientText, windowLength } from "./text.js";

const SOURCES = new Map([
  ["override", "by an override"],
  ["request", "as entered"],
  ["rule", "by a rule"],
  ["recent", "of a recent request"],
]);

const STORES = new Map([
  ["origin", "Origin"],
  ["globalCounters", "Global counters"],
]);

export class Inspection {
  #subject;
  #override = element("p", { class: "override" });
  #windows = element("div");
  #none = element(
    "p",
    { class: "empty" },
    "No window is in use in this namespace. Enter a limit and a window to see what a request would get.",
  );
  #from = element("p", { class: "quiet" });
  #views = [];
  #updateWindows;
  #onOverride;

  constructor(result, onOverride) {
    this.#subject = result;
    this.#onOverride = onOverride;
    this.#updateWindows = keyedList(this.#windows, () => {
      const view = windowView();
      this.#views.push(view);
      return view;
    });
    const name = clientText(result.identifier);
    name.classList.add("whole");
    this.root = element(
      "div",
      { class: "inspection" },
      element(
        "p",
        { class: "subject" },
        name,
        element("small", { class: "quiet" }, "in ", clientText(result.namespace)),
      ),
      this.#override,
      this.#none,
      this.#windows,
      this.#from,
    );
  }

  /** Reports whether a result is about the same identifier. */
  fits({ workspace, namespace, identifier }) {
    const subject = this.#subject;
    return subject.workspace === workspace && subject.namespace === namespace && subject.identifier === identifier;
  }

  update(result) {
    this.#showOverride(result);
    this.#none.hidden = result.windows.length > 0;
    this.#updateWindows(
      result.windows.map((window) => ({ ...window, time: result.time })),
      ({ windowMillis }) => String(windowMillis),
    );
    this.#views = this.#views.filter(({ root }) => root.isConnected || root.parentNode === this.#windows);
    setClientText(this.#from, `by ${result.node} in ${result.region} at ${clock(result.time)}`);
  }

  /** Counts down what was answered, `elapsed` milliseconds ago. */
  elapse(elapsed) {
    for (const view of this.#views) {
      view.elapse(elapsed);
    }
  }

  #showOverride(result) {
    const { override } = result;
    const key = JSON.stringify(override);
    if (this.#override.dataset.override === key) {
      return;
    }
    this.#override.dataset.override = key;
    const subject = {
      workspace: result.workspace,
      namespace: result.namespace,
      identifier: override?.identifier ?? result.identifier,
      limit: override?.limit,
      windowMillis: override?.windowMillis,
    };
    const button = (label) =>
      element("button", { type: "button", "data-action": "override", click: () => this.#onOverride(subject) }, label);
    this.#override.replaceChildren(
      ...(override === null
        ? ["No override ", button("Set one")]
        : [
            "Override ",
            clientText(override.identifier),
            ` ${limitPerWindow(override.limit, override.windowMillis)} `,
            button("Edit"),
          ]),
    );
  }
}

/** One window length: the bar against the limit, facts, and the counts of both cells. */
function windowView() {
  let last = null;
  const title = element("h3");
  const source = element("small", { class: "quiet" });
  const verdict = element("span", { class: "verdict" });
  const bar = barView();
  const facts = new Map(FACTS.map(([name, label]) => [name, { label, value: element("dd", { "data-fact": name }) }]));
  const list = element("dl", { class: "facts" });
  for (const { label, value } of facts.values()) {
    list.append(element("div", {}, element("dt", {}, label), value));
  }
  const counts = countsView();
  const root = element(
    "section",
    { class: "window" },
    element("div", { class: "window-head" }, title, source, verdict),
    bar.root,
    list,
    counts.root,
  );

  function elapse(elapsed) {
    for (const [name, , text] of FACTS) {
      const value = text(last, elapsed);
      const cell = facts.get(name).value;
      cell.parentNode.hidden = value === null;
      setText(cell, value ?? "");
    }
    setAttribute(facts.get("degraded").value, "class", "late");
  }

  return {
    root,
    elapse,
    update(window) {
      last = window;
      setAttribute(root, "data-window", window.windowMillis);
      setText(
        title,
        window.limit === null
          ? `Window of ${windowLength(window.windowMillis)}`
          : limitPerWindow(window.limit, window.windowMillis),
      );
      setText(
        source,
        window.limit === null ? "no limit known; enter one" : `limit ${SOURCES.get(window.limitSource) ?? ""}`,
      );
      setText(verdict, window.allowed === null ? "" : window.allowed ? "would be allowed" : "would be denied");
      setAttribute(verdict, "data-allowed", String(window.allowed));
      bar.update(window);
      counts.update(window);
      elapse(0);
    },
  };
}

/** Name, label, and text of a window, `elapsed` milliseconds after the answer; null hides the fact. */
const FACTS = [
  ["remaining", "Remaining", ({ remaining }) => (remaining === null ? null : count(remaining))],
  [
    "frees-up",
    "Frees up",
    ({ retryAfterMillis, time }, elapsed) => {
      if (retryAfterMillis === null) {
        return null;
      }
      return retryAfterMillis < 0 ? "never with this limit" : when(time, retryAfterMillis, elapsed, "has room");
    },
  ],
  [
    "strict",
    "Strict mode",
    ({ strictUntil, time }, elapsed) =>
      strictUntil === null || strictUntil - time <= elapsed
        ? "no"
        : `until ${clock(strictUntil)}, ${seconds(strictUntil - time - elapsed)} more`,
  ],
  [
    "answer-age",
    "Answer of the origin",
    ({ answerAgeMillis, origin }, elapsed) =>
      answerAgeMillis === null
        ? origin.status === "unused"
          ? null
          : "none in memory"
        : `${duration(answerAgeMillis + Math.floor(elapsed / 1000) * 1000)} old`,
  ],
  ["memory", "Series", ({ inMemory }) => (inMemory ? "in the memory of this node" : "not in the memory of this node")],
  [
    "degraded",
    "Degraded",
    ({ degraded }) => (degraded ? "yes: the origin does not answer, so the next decision is made from memory" : null),
  ],
];

function when(time, millis, elapsed, now) {
  return millis - elapsed <= 0
    ? now
    : `in ${millis - elapsed < 1000 ? "less than 1 s" : seconds(millis - elapsed)}, at ${clock(time + millis)}`;
}

const SEGMENTS = [
  ["previous", "previous cell, weighted"],
  ["own", "this node"],
  ["peers", "other nodes of the region"],
  ["imported", "other regions"],
  ["elsewhere", "not in this node's memory yet"],
];

/** The effective count against the limit, split by where it was counted. */
function barView() {
  const segments = new Map(SEGMENTS.map(([name]) => [name, element("span", { class: `segment ${name}` })]));
  const limitMark = element("span", { class: "limit-mark" });
  const track = element(
    "div",
    { class: "track", role: "meter", "aria-label": "Effective count", "aria-valuemin": 0 },
    ...segments.values(),
    limitMark,
  );
  const figure = element("p", { class: "effective" });
  const legend = element("ul", { class: "legend" });
  const legendList = keyedList(legend, ({ name, label }) => {
    const value = element("b");
    const root = element(
      "li",
      {},
      element("span", { class: `swatch ${name}`, "aria-hidden": "true" }),
      value,
      ` ${label}`,
    );
    return { root, update: ({ tokens }) => setText(value, count(tokens)) };
  });
  const root = element("div", { class: "bar-and-legend" }, figure, track, legend);
  return {
    root,
    update({ effective, limit, cells }) {
      const full = Math.max(limit ?? 0, effective, 1);
      const parts = partsOf(effective, cells);
      for (const [name, segment] of segments) {
        segment.style.setProperty("--share", `${((100 * (parts.get(name) ?? 0)) / full).toFixed(2)}%`);
      }
      limitMark.hidden = limit === null || limit >= effective;
      limitMark.style.setProperty("--share", `${((100 * (limit ?? 0)) / full).toFixed(2)}%`);
      setAttribute(track, "aria-valuemax", full);
      setAttribute(track, "aria-valuenow", effective);
      track.classList.toggle("full", limit !== null && effective >= limit);
      setText(figure, limit === null ? `${count(effective)} counted` : `${count(effective)} of ${count(limit)}`);
      legendList(
        SEGMENTS.filter(([name]) => parts.get(name) > 0).map(([name, label]) => ({
          name,
          label,
          tokens: parts.get(name),
        })),
        ({ name }) => name,
      );
    },
  };
}

/** The tokens of an effective count by segment. Origin and database may have counts that are not in memory. */
function partsOf(effective, cells) {
  const current = cells.find(({ cell }) => cell === "current");
  const previous = cells.find(({ cell }) => cell === "previous");
  const known = {
    own: current?.own,
    peers: current?.peers,
    imported: current?.imported,
    previous: Math.ceil((previous?.total ?? 0) * (previous?.weight ?? 0)),
  };
  const parts = new Map();
  let left = effective;
  for (const [name, tokens] of Object.entries(known)) {
    parts.set(name, Math.min(left, tokens ?? 0));
    left -= parts.get(name);
  }
  return parts.set("elsewhere", left);
}

/** Both cells side by side: in memory, by the origin, by the database. */
function countsView() {
  const heads = ["current", "previous"].map((cell) => ({ cell, times: element("small", { class: "quiet" }) }));
  const table = element(
    "table",
    { class: "counts" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "Counts"),
        ...heads.map(({ cell, times }) =>
          element(
            "th",
            { scope: "col", class: "number" },
            `${cell === "current" ? "Current" : "Previous"} cell`,
            times,
          ),
        ),
      ),
    ),
  );
  const groups = keyedList(table, groupView);
  return {
    root: element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Counts of both cells" }, table),
    update(window) {
      const cells = heads.map(({ cell }) => window.cells.find((candidate) => candidate.cell === cell));
      heads.forEach(({ times }, index) => setText(times, cellTimes(cells[index])));
      groups(groupsOf(window, cells), ({ key }) => key);
    },
  };
}

function cellTimes(cell) {
  return cell === undefined
    ? ""
    : `${clock(cell.startsAt)}–${clock(cell.endsAt)}\nweight ${Math.round(cell.weight * 100)} %`;
}

function groupsOf(window, cells) {
  const memory = ["own", "peers", "imported", "total"].map((name) => ({
    key: name,
    label: MEMORY.get(name),
    counts: cells.map((cell) => cell?.[name]),
  }));
  const origin = [...named(cells, "nodes", "node", ""), ...named(cells, "importedRegions", "region", "region ")];
  return [
    { key: "memory", title: "In the memory of this node", rows: memory, store: { status: "ok" } },
    { key: "origin", title: "By the origin", rows: origin, store: window.origin },
    {
      key: "globalCounters",
      title: "By the global counters",
      rows: named(cells, "regions", "region", "region "),
      store: window.globalCounters,
    },
  ];
}

const MEMORY = new Map([
  ["own", "own"],
  ["peers", "peers: other nodes of the region"],
  ["imported", "imported: other regions"],
  ["total", "total"],
]);

/** Rows of all names that either cell has, greatest counts first. */
function named(cells, list, field, prefix) {
  const counts = cells.map((cell) => new Map((cell?.[list] ?? []).map((entry) => [entry[field], entry.count])));
  const names = [...new Set(counts.flatMap((entries) => [...entries.keys()]))];
  return names.map((name) => ({
    key: prefix + name,
    label: prefix + name,
    counts: counts.map((entries) => entries.get(name)),
  }));
}

function groupView({ key, title }) {
  const note = element("span", { class: "group-note" });
  const root = element(
    "tbody",
    { "data-group": key },
    element("tr", { class: "group" }, element("th", { colspan: 3, scope: "rowgroup" }, title, note)),
  );
  const rows = keyedList(root, rowView);
  return {
    root,
    update(group) {
      setText(note, noteOn(group));
      note.classList.toggle("late", group.store.status === "failed");
      rows(group.rows, (row) => row.key);
    },
  };
}

function noteOn({ key, rows, store }) {
  switch (store.status) {
    case "failed":
      return `${STORES.get(key)} did not answer: ${store.reason ?? "reason unknown"}`;
    case "unused":
      return "not in use";
    default:
      return rows.length === 0 ? "no counts" : "";
  }
}

function rowView({ label }) {
  const cells = [0, 1].map(() => element("td", { class: "number" }));
  const root = element("tr", {}, element("th", { scope: "row" }, clientText(label)), ...cells);
  return {
    root,
    update({ counts }) {
      counts.forEach((value, index) => setText(cells[index], value === undefined ? "–" : count(value)));
    },
  };
}
