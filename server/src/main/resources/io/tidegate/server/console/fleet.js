// The panel of regions and nodes.

import { Sparkline } from "./chart.js";
import { byId, element, keyedList, setAttribute, setText } from "./dom.js";
import { nodeKey, runs, sum } from "./model.js";
import { DEPENDENCIES, PROBLEMS_IN_HEADER, statusOf } from "./status.js";
import { clientText, compact, count, duration, micros, plural, rate, seconds, setClientText } from "./text.js";

/** Pushes and pulls normally follow each other within a second; documentation and alerts name this bound. */
const LATE_MILLIS = 10_000;

export class FleetPanel {
  #notes = keyedList(byId("fleet-notes"), noteView);
  #regions = keyedList(byId("fleet-regions"), regionView);

  update(model) {
    const { problems } = statusOf(model);
    byId("fleet-notes").hidden = problems.length <= PROBLEMS_IN_HEADER;
    this.#notes(problems, (problem) => problem);
    const mixed = model.versions.length > 1 ? model.versions[0].version : null;
    const own = nodeKey(model.state.node);
    this.#regions(
      model.regions.map((region) => ({ ...region, model, mixed, own })),
      ({ name }) => name,
    );
    setText(byId("fleet-summary"), summary(model));
  }
}

function summary({ state, nodes, versions }) {
  const running = nodes.filter(runs);
  const version = versions.length === 1 ? `, version ${versions[0].version}` : "";
  const known = state.fleet.status === "alone" ? "; without a database, only this node is known" : "";
  return `${plural(running.length, "node")}${version}${known}`;
}

function noteView() {
  const root = element("li");
  return { root, update: (text) => setText(root, text) };
}

function regionView({ name }) {
  const rates = element("p", { class: "region-rates" });
  const admitted = element("b", { class: "admitted" });
  const denied = element("b", { class: "denied" });
  rates.append(admitted, " admitted/s ", denied, " denied/s");
  const sparkline = new Sparkline("Admitted and denied per second of the region in the last 3 minutes");
  const list = element("ul", { class: "nodes" });
  const nodes = keyedList(list, nodeView);
  const root = element(
    "section",
    { class: "region", "data-region": name },
    element("div", { class: "region-head" }, element("h3", {}, clientText(name)), rates, sparkline.root),
    list,
  );
  return {
    root,
    update(region) {
      const total = sum(region.nodes.filter(runs));
      setText(admitted, rate(total.admitted));
      setText(denied, rate(total.denied));
      sparkline.update(region.model.regionHistory(name), region.model.state.time);
      const own = (node) => nodeKey(node) === region.own;
      nodes(
        region.nodes.map((node) => ({ node, own: own(node), mixed: region.mixed, now: region.model.state.time })),
        ({ node }) => nodeKey(node),
      );
    },
  };
}

function nodeView({ node: { name } }) {
  const state = element("span", { class: "state" });
  const version = element("span", { class: "version" });
  const thisNode = element("span", { class: "badge" }, "this node");
  const reader = element(
    "span",
    { class: "badge reader", title: "Pulls the counts of other regions for its region" },
    "reader",
  );
  const figures = new Map();
  const list = element("dl", { class: "node-figures" });
  for (const label of ["admitted/s", "denied/s", "p99", "series", "push", "pull"]) {
    const value = element("dd");
    figures.set(label, value);
    list.append(element("div", { title: TITLES.get(label) }, element("dt", {}, label), value));
  }
  const remarks = element("p", { class: "remarks" });
  const dependencies = element("ul", { class: "dependencies" });
  const dependencyList = keyedList(dependencies, dependencyView);
  const root = element(
    "li",
    { class: "node", "data-node": name },
    element(
      "div",
      { class: "node-head" },
      element("span", { class: "dot", "aria-hidden": "true" }),
      clientText(name),
      thisNode,
      reader,
      state,
      version,
    ),
    list,
    dependencies,
    remarks,
  );
  return {
    root,
    update({ node, own, mixed, now }) {
      setAttribute(root, "data-state", node.state);
      setText(state, node.state === "unknown" ? "not known" : node.state);
      setText(version, node.version);
      version.classList.toggle("differs", mixed !== null && runs(node) && node.version !== mixed);
      thisNode.hidden = !own;
      reader.hidden = !node.reader;
      list.hidden = dependencies.hidden = !runs(node);
      setText(figures.get("admitted/s"), rate(node.allowedPerSecond));
      setText(figures.get("denied/s"), rate(node.deniedPerSecond));
      setText(figures.get("p99"), micros(node.p99Micros));
      setText(figures.get("series"), compact(node.series));
      setLag(figures.get("push"), node.millisSincePush);
      setLag(figures.get("pull"), node.millisSincePull);
      dependencyList(
        [...DEPENDENCIES].map(([key, label]) => ({
          key,
          label,
          ...(node.dependencies?.[key] ?? { status: "unknown" }),
        })),
        ({ key }) => key,
      );
      setText(remarks, runs(node) ? remarksOn(node, now) : `last report ${seconds(node.ageMillis)} ago`);
    },
  };
}

const TITLES = new Map([
  ["admitted/s", "Admitted requests per second"],
  ["denied/s", "Denied requests per second"],
  ["p99", "99 % of the requests of the last seconds took at most this long"],
  ["series", "Series in memory"],
  ["push", "Since the node last pushed counts to the global counters"],
  ["pull", "Since the node last pulled the counts of other regions; only readers pull"],
]);

function setLag(cell, millis) {
  setText(cell, millis < 0 ? "–" : duration(millis));
  cell.classList.toggle("late", millis > LATE_MILLIS);
}

function remarksOn(node, now) {
  const remarks = [`up ${seconds(now - node.startedAt)}`, plural(node.liveNodes, "live node")];
  if (node.unconfirmedSeries > 0) {
    remarks.push(`${count(node.unconfirmedSeries)} series unconfirmed`);
  }
  if (node.degradedPerSecond > 0) {
    remarks.push(`${rate(node.degradedPerSecond)} degraded decisions/s`);
  }
  return remarks.join(" · ");
}

function dependencyView({ key, label }) {
  const text = element("span");
  const root = element(
    "li",
    { "data-dependency": key },
    element("span", { class: "dot", "aria-hidden": "true" }),
    text,
  );
  return {
    root,
    update(dependency) {
      setAttribute(root, "data-status", dependency.status);
      setClientText(text, dependencyText(label, dependency));
    },
  };
}

function dependencyText(label, { status, reason, degradedForSeconds }) {
  if (status !== "degraded") {
    return `${label} ${status}`;
  }
  const time = degradedForSeconds === undefined ? "" : ` for ${seconds(degradedForSeconds * 1000)}`;
  return `${label} degraded${time}${reason ? `: ${reason}` : ""}`;
}
