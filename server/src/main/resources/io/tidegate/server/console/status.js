// What is wrong with the fleet, in sentences. They contain no durations, so that they change only with the facts.

import { runs } from "./model.js";
import { plural, visible } from "./text.js";

export const DEPENDENCIES = new Map([
  ["catalog", "catalog"],
  ["origin", "origin"],
  ["global_counters", "global counters"],
]);

/** The header names this many problems; the fleet panel lists all if there are more. */
export const PROBLEMS_IN_HEADER = 3;

/** Returns the level (`ok`, `warning`), the sentence for the header and all problems. */
export function statusOf(model) {
  const { fleet } = model.state;
  const running = model.nodes.filter(runs);
  const problems = [
    ...(fleet.status === "unavailable"
      ? [`Other nodes are not known: ${visible(fleet.reason ?? "the fleet is unavailable")}.`]
      : []),
    ...goneNodes(model.nodes),
    ...degradedDependencies(running),
    ...otherDegradedNodes(running),
    ...regionsWithoutReader(model.regions),
    ...mixedVersions(model.versions),
  ];
  const regions = new Set(running.map((node) => node.region));
  const size = `${plural(running.length, "node")} in ${plural(regions.size, "region")}`;
  if (problems.length === 0) {
    return {
      level: "ok",
      problems,
      sentence:
        fleet.status === "alone" ? "1 node without a database, all well" : `${size}, all well${starting(running)}`,
    };
  }
  const more = problems.length > PROBLEMS_IN_HEADER ? ` And ${problems.length - PROBLEMS_IN_HEADER} more.` : "";
  return { level: "warning", problems, sentence: `${size}. ${problems.slice(0, PROBLEMS_IN_HEADER).join(" ")}${more}` };
}

function goneNodes(nodes) {
  const gone = nodes.filter(({ state }) => state === "gone").map(({ name }) => visible(name));
  return gone.length === 0 ? [] : [`${namesOf(gone)} ${gone.length === 1 ? "has" : "have"} gone.`];
}

/** One sentence per region and dependency, because a store fails for all nodes that use it. */
function degradedDependencies(nodes) {
  const found = new Map();
  for (const node of nodes) {
    for (const [key, name] of DEPENDENCIES) {
      const dependency = node.dependencies?.[key];
      if (dependency?.status === "degraded") {
        const what = JSON.stringify([node.region, name]);
        const entry = found.get(what) ?? { region: node.region, name, nodes: 0, reasons: new Set() };
        entry.nodes++;
        entry.reasons.add(visible(dependency.reason ?? "reason unknown"));
        found.set(what, entry);
      }
    }
  }
  return [...found.values()].map(
    ({ region, name, nodes: number, reasons }) =>
      `${name === "origin" ? "Origin" : name === "catalog" ? "Catalog" : "Global counters"} degraded in ${visible(region)} on ` +
      `${plural(number, "node")}: ${[...reasons].join(", ")}.`,
  );
}

function otherDegradedNodes(nodes) {
  const explained = (node) => [...DEPENDENCIES.keys()].some((key) => node.dependencies?.[key]?.status === "degraded");
  const names = nodes.filter((node) => node.state === "degraded" && !explained(node)).map(({ name }) => visible(name));
  return names.length === 0 ? [] : [`${namesOf(names)} degraded.`];
}

/** With an origin, one node of a region pulls for all; without a reader, imported counts grow old. */
function regionsWithoutReader(regions) {
  return regions
    .filter(({ nodes }) => {
      const settled = nodes.filter(({ state }) => state === "ok");
      const shares = ({ dependencies }) =>
        dependencies.origin?.status === "ok" && dependencies.global_counters?.status === "ok";
      return settled.length > 0 && settled.every(shares) && !nodes.some(({ reader }) => reader);
    })
    .map(({ name }) => `No reader in ${visible(name)}.`);
}

function mixedVersions(versions) {
  if (versions.length < 2) {
    return [];
  }
  return [
    `Mixed versions: ${versions.map(({ version, nodes }) => `${visible(version)} on ${plural(nodes, "node")}`).join(", ")}.`,
  ];
}

function starting(nodes) {
  const names = (state) => nodes.filter((node) => node.state === state).map(({ name }) => visible(name));
  return ["starting", "stopping"]
    .filter((state) => names(state).length > 0)
    .map((state) => `; ${namesOf(names(state))} ${state}`)
    .join("");
}

function namesOf(names) {
  return names.length <= 2
    ? names.join(" and ")
    : `${names[0]}, ${names[1]} and ${plural(names.length - 2, "other node")}`;
}
