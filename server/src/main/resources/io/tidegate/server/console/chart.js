// Line charts of admitted and denied requests, as SVG.

import { element, setAttribute, setText, svgElement } from "./dom.js";
import { HISTORY_MILLIS } from "./model.js";
import { clock, rate } from "./text.js";

/** Between points that are further apart, nothing is known: the page was hidden or not connected. */
const GAP_MILLIS = 4000;

const LINES = ["admitted", "denied"];

/** A small chart without axes, for a table. */
export class Sparkline {
  #width = 132;
  #height = 26;
  #paths = new Map();

  constructor(label) {
    this.root = svgElement(
      "svg",
      {
        class: "sparkline",
        viewBox: `0 0 ${this.#width} ${this.#height}`,
        role: "img",
        "aria-label": label,
      },
      svgElement("path", { class: "baseline", d: `M1 ${this.#height - 1.5}H${this.#width - 2}` }),
    );
    for (const name of ["admitted area", ...LINES.map((line) => `${line} line`)]) {
      const path = svgElement("path", { class: name });
      this.#paths.set(name, path);
      this.root.append(path);
    }
  }

  update({ points }, now) {
    const scale = new Scale(points, now, { left: 1, right: this.#width - 2, top: 2, bottom: this.#height - 2 });
    setAttribute(this.#paths.get("admitted area"), "d", scale.area("admitted"));
    for (const line of LINES) {
      setAttribute(this.#paths.get(`${line} line`), "d", scale.line(line));
    }
  }
}

/** The chart of the fleet, with axes, and values at the pointer. */
export class LineChart {
  #height = 200;
  #width = 600;
  #history = null;
  #now = 0;
  #paths = new Map();
  #grid = svgElement("g", { class: "grid" });
  #cursor = svgElement("line", { class: "cursor", visibility: "hidden" });
  #tip = element("p", { class: "tip", hidden: true });
  #pointer = null;

  constructor(container) {
    this.root = svgElement("svg", { class: "line-chart", role: "img", height: this.#height }, this.#grid);
    for (const name of ["admitted area", "denied area", ...LINES.map((line) => `${line} line`)]) {
      const path = svgElement("path", { class: name });
      this.#paths.set(name, path);
      this.root.append(path);
    }
    this.root.append(this.#cursor);
    container.append(this.root, this.#tip);
    this.root.addEventListener("pointermove", (event) => this.#point(event.offsetX));
    this.root.addEventListener("pointerleave", () => this.#point(null));
    new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect.width)).observe(container);
  }

  update(history, now) {
    this.#history = history;
    this.#now = now;
    this.#draw();
  }

  #resize(width) {
    if (width > 0 && width !== this.#width) {
      this.#width = width;
      this.#draw();
    }
  }

  #point(x) {
    this.#pointer = x;
    this.#draw();
  }

  #draw() {
    setAttribute(this.root, "viewBox", `0 0 ${this.#width} ${this.#height}`);
    if (this.#history === null) {
      return;
    }
    const area = { left: 44, right: this.#width - 8, top: 10, bottom: this.#height - 24 };
    const scale = new Scale(this.#history.points, this.#now, area);
    this.#drawGrid(scale, area);
    for (const line of LINES) {
      setAttribute(this.#paths.get(`${line} area`), "d", scale.area(line));
      setAttribute(this.#paths.get(`${line} line`), "d", scale.line(line));
    }
    const last = this.#history.points.at(-1);
    setAttribute(
      this.root,
      "aria-label",
      "Admitted and denied per second of the last 3 minutes" +
        (last ? `; now ${rate(last.admitted)} admitted and ${rate(last.denied)} denied` : ""),
    );
    this.#drawCursor(scale, area);
  }

  #drawGrid(scale, { left, right, top, bottom }) {
    const parts = [];
    for (let value = 0; value <= scale.top * 1.001; value += scale.step) {
      const y = round(scale.y(value));
      parts.push(svgElement("line", { x1: left, x2: right, y1: y, y2: y, class: value === 0 ? "axis" : "" }));
      parts.push(svgElement("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, rate(value)));
    }
    const minutes = right - left < 420 ? [3, 2, 1, 0] : [3, 2.5, 2, 1.5, 1, 0.5, 0];
    for (const minute of minutes) {
      const x = round(scale.x(this.#now - minute * 60_000));
      const anchor = minute === 0 ? "end" : minute === 3 ? "start" : "middle";
      parts.push(svgElement("line", { x1: x, x2: x, y1: top, y2: bottom, class: "time" }));
      parts.push(
        svgElement("text", { x, y: bottom + 17, "text-anchor": anchor }, minute === 0 ? "now" : `−${minute} min`),
      );
    }
    this.#grid.replaceChildren(...parts);
  }

  #drawCursor(scale, { left, right, top, bottom }) {
    const point = this.#pointer === null ? undefined : scale.nearest(this.#pointer);
    this.#tip.hidden = point === undefined;
    setAttribute(this.#cursor, "visibility", point === undefined ? "hidden" : "visible");
    if (point !== undefined) {
      const x = round(scale.x(point.time));
      for (const [name, value] of Object.entries({ x1: x, x2: x, y1: top, y2: bottom })) {
        setAttribute(this.#cursor, name, value);
      }
      setText(this.#tip, `${clock(point.time)}  ${rate(point.admitted)} admitted/s  ${rate(point.denied)} denied/s`);
      this.#tip.classList.toggle("left", x > (left + right) / 2);
    }
  }
}

/** Positions of the points of a history in an area; the greatest value of the axis is a round number. */
class Scale {
  constructor(points, now, bounds) {
    this.points = points;
    this.now = now;
    this.bounds = bounds;
    const greatest = points.reduce((value, { admitted, denied }) => Math.max(value, admitted, denied), 1);
    this.step = roundStep(greatest / 4);
    this.top = Math.ceil(greatest / this.step) * this.step;
  }

  x(time) {
    const { left, right } = this.bounds;
    return right - ((this.now - time) / HISTORY_MILLIS) * (right - left);
  }

  y(value) {
    const { top, bottom } = this.bounds;
    return bottom - (value / this.top) * (bottom - top);
  }

  line(name) {
    return this.#runs()
      .map((run) => `M${run.map((point) => this.#at(point, name)).join("L")}`)
      .join("");
  }

  area(name) {
    const { bottom } = this.bounds;
    return this.#runs()
      .map(
        (run) =>
          `M${round(this.x(run[0].time))} ${bottom}L${run.map((point) => this.#at(point, name)).join("L")}` +
          `L${round(this.x(run.at(-1).time))} ${bottom}Z`,
      )
      .join("");
  }

  nearest(x) {
    const distance = (point) => Math.abs(this.x(point.time) - x);
    return this.points.reduce(
      (best, point) => (best === undefined || distance(point) < distance(best) ? point : best),
      undefined,
    );
  }

  #at(point, name) {
    return `${round(this.x(point.time))} ${round(this.y(point[name]))}`;
  }

  /** The points, split where something is missing between two of them. */
  #runs() {
    const runs = [];
    let previous = -Infinity;
    for (const point of this.points) {
      if (point.time - previous > GAP_MILLIS) {
        runs.push([]);
      }
      runs.at(-1).push(point);
      previous = point.time;
    }
    return runs;
  }
}

/** The next of 1, 2 or 5 times a power of ten. */
function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= value);
}

function round(value) {
  return Math.round(value * 10) / 10;
}
