// What the page remembers between two states: histories of rates, and nodes that are no longer reported. No DOM.

export const HISTORY_MILLIS = 180_000;

/** States arrive every second; a few may arrive at once after a delay. */
const LONGEST_HISTORY = 240;

/** A node that is no longer reported stays on the page for this time. */
const KEEP_GONE_MILLIS = 60_000;

/** Bounds for fleets whose nodes or namespaces change all the time. */
const MOST_MISSING_NODES = 100;
const MOST_HISTORIES = 300;

/** Admitted and denied per second of the last three minutes. */
export class History {
  points = [];

  add(time, admitted, denied) {
    const kept = this.points.filter((point) => point.time < time && point.time >= time - HISTORY_MILLIS);
    kept.push({ time, admitted, denied });
    this.points = kept.slice(-LONGEST_HISTORY);
  }

  get lastTime() {
    return this.points.at(-1).time;
  }
}

export class Model {
  state = null;
  /** Reported nodes, then those that are missing from the last report. */
  nodes = [];
  fleetHistory = new History();
  #histories = new Map();
  #missing = new Map();

  accept(state) {
    this.#trackMissing(state);
    this.state = state;
    this.nodes = [...state.nodes, ...[...this.#missing.values()].map(({ node }) => node)];
    this.#record(state);
  }

  /** The history of a region or namespace; without points if it is unknown. */
  history(...key) {
    return this.#histories.get(JSON.stringify(key)) ?? new History();
  }

  regionHistory(region) {
    return this.history("region", region);
  }

  namespaceHistory({ workspace, namespace }) {
    return this.history("namespace", workspace, namespace);
  }

  /** Nodes by region, the region of this node first. */
  get regions() {
    const regions = new Map();
    for (const node of this.nodes) {
      regions.set(node.region, [...(regions.get(node.region) ?? []), node]);
    }
    const own = this.state.node.region;
    return [...regions]
      .map(([name, nodes]) => ({ name, nodes }))
      .sort((a, b) => (b.name === own) - (a.name === own) || compare(a.name, b.name));
  }

  /** Versions of the nodes that run, with the number of nodes, most frequent first. */
  get versions() {
    const versions = new Map();
    for (const { version } of this.nodes.filter(runs)) {
      versions.set(version, (versions.get(version) ?? 0) + 1);
    }
    return [...versions].map(([version, nodes]) => ({ version, nodes })).sort((a, b) => b.nodes - a.nodes);
  }

  #trackMissing(state) {
    if (this.state === null) {
      return;
    }
    const reported = new Set(state.nodes.map(nodeKey));
    const others = state.fleet.status === "unavailable" ? "unknown" : "gone";
    for (const node of this.state.nodes) {
      if (!this.#missing.has(nodeKey(node))) {
        this.#missing.set(nodeKey(node), {
          node,
          since: this.state.time,
          reportedAt: this.state.time - node.ageMillis,
        });
      }
    }
    for (const [key, missing] of this.#missing) {
      const expired = others === "gone" && state.time - missing.since > KEEP_GONE_MILLIS;
      if (reported.has(key) || expired) {
        this.#missing.delete(key);
      } else {
        missing.node = {
          ...missing.node,
          state: others,
          ageMillis: Math.max(0, state.time - missing.reportedAt),
          reader: false,
        };
      }
    }
    for (const key of [...this.#missing.keys()].slice(0, -MOST_MISSING_NODES)) {
      this.#missing.delete(key);
    }
  }

  #record(state) {
    const total = sum(state.nodes.filter(runs));
    this.fleetHistory.add(state.time, total.admitted, total.denied);
    for (const { name, nodes } of this.regions) {
      const { admitted, denied } = sum(nodes.filter(runs));
      this.#add(state.time, admitted, denied, "region", name);
    }
    for (const { workspace, namespace, allowedPerSecond, deniedPerSecond } of state.namespaces) {
      this.#add(state.time, allowedPerSecond, deniedPerSecond, "namespace", workspace, namespace);
    }
    for (const [key, history] of this.#histories) {
      if (Math.abs(state.time - history.lastTime) > HISTORY_MILLIS || this.#histories.size > MOST_HISTORIES) {
        this.#histories.delete(key);
      }
    }
  }

  /** Moves the history to the end of the map, so that the first one is the one that was not used for longest. */
  #add(time, admitted, denied, ...parts) {
    const key = JSON.stringify(parts);
    const history = this.#histories.get(key) ?? new History();
    history.add(time, admitted, denied);
    this.#histories.delete(key);
    this.#histories.set(key, history);
  }
}

export function nodeKey({ region, name }) {
  return JSON.stringify([region, name]);
}

/** Reports whether a node runs, by its own last report. */
export function runs({ state }) {
  return state !== "gone" && state !== "unknown";
}

/** Rates of nodes together. */
export function sum(nodes) {
  const total = { admitted: 0, denied: 0, degraded: 0 };
  for (const node of nodes) {
    total.admitted += node.allowedPerSecond;
    total.denied += node.deniedPerSecond;
    total.degraded += node.degradedPerSecond;
  }
  return total;
}

export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
