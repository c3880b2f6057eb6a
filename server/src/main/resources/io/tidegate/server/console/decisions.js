// The panel of live decisions of the whole fleet.

import { LineChart } from "./chart.js";
import { byId, setText } from "./dom.js";
import { runs, sum } from "./model.js";
import { micros, percent, rate, setClientText } from "./text.js";

export class DecisionsPanel {
  #chart = new LineChart(byId("decisions-chart"));

  update(model) {
    const nodes = model.state.nodes.filter(runs);
    const { admitted, denied, degraded } = sum(nodes);
    setText(byId("figure-admitted"), rate(admitted));
    setText(byId("figure-denied"), rate(denied));
    setText(byId("figure-denied-share"), `per second, ${percent(denied, admitted + denied)}`);
    setText(byId("figure-degraded"), rate(degraded));
    byId("figure-degraded-box").classList.toggle("late", degraded > 0);
    showSlowest(nodes, "p50Micros", "figure-p50");
    showSlowest(nodes, "p99Micros", "figure-p99");
    setText(byId("decisions-summary"), model.state.fleet.status === "ok" ? "all nodes" : "this node only");
    this.#chart.update(model.fleetHistory, model.state.time);
  }
}

/** Percentiles of nodes cannot be added up; the greatest one is a bound for all. */
function showSlowest(nodes, field, id) {
  const slowest = nodes.reduce((worst, node) => (node[field] > (worst?.[field] ?? -1) ? node : worst), null);
  setText(byId(id), slowest === null ? "–" : micros(slowest[field]));
  setClientText(byId(`${id}-node`), slowest === null ? "no requests" : slowest.name);
}
