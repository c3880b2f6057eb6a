// The chart: counts of one user over the last minutes, as SVG.

const SVG = 'http://www.w3.org/2000/svg';
const SECOND = 1_000;
const LONGEST_SPAN = 180 * SECOND;
const SHORTEST_SPAN = 60 * SECOND;
const MARGIN = {left: 44, right: 14, top: 14, bottom: 26};

/** A line of the chart: index of its value in a sample, class and label. */
export const LINES = [
  {index: 1, name: 'admitted', label: 'Really admitted'},
  {index: 3, name: 'eu', label: 'eu believes'},
  {index: 4, name: 'us', label: 'us believes'},
  {index: 5, name: 'ap', label: 'ap believes'},
  {index: 2, name: 'reference', label: 'Reference design'},
];

function element(name, attributes, text) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    created.setAttribute(key, value);
  }
  if (text !== undefined) {
    created.textContent = text;
  }
  return created;
}

/** A number above the maximum that divides well. */
function ceiling(maximum, limit) {
  const step = limit / 2;
  return Math.max(limit * 1.5, Math.ceil((maximum * 1.06) / step) * step);
}

/** Points of a line; gaps where a value is missing. */
function path(samples, index, x, y) {
  let drawing = false;
  let d = '';
  for (const sample of samples) {
    const value = sample[index];
    if (value === null || value === undefined) {
      drawing = false;
      continue;
    }
    d += `${drawing ? 'L' : 'M'}${x(sample[0]).toFixed(1)} ${y(value).toFixed(1)}`;
    drawing = true;
  }
  return d;
}

/** Draws into a container, and tells a listener the sample under the pointer (null: none). */
export class Chart {
  #container;
  #listener;
  #pointer = null;
  #data = null;

  constructor(container, listener) {
    this.#container = container;
    this.#listener = listener;
    container.addEventListener('pointermove', event => {
      this.#pointer = event.clientX - container.getBoundingClientRect().left;
      this.#draw();
    });
    container.addEventListener('pointerleave', () => {
      this.#pointer = null;
      this.#draw();
    });
    new ResizeObserver(() => this.#draw()).observe(container);
  }

  /** Shows samples up to a time, with a mark for each event. */
  show(samples, limit, now, events) {
    this.#data = {samples, limit, now, events};
    this.#draw();
  }

  #draw() {
    if (this.#data === null || this.#container.clientWidth === 0) {
      return;
    }
    const {samples, limit, now, events} = this.#data;
    const width = this.#container.clientWidth;
    const height = this.#container.clientHeight;
    // Grows with the samples at first, so that a new chart is not empty.
    const age = samples.length === 0 ? 0 : now - samples[0][0];
    const span = Math.min(LONGEST_SPAN, Math.max(SHORTEST_SPAN, age));
    const visible = samples.filter(sample => sample[0] > now - span - SECOND);
    const top = ceiling(Math.max(limit, ...visible.flatMap(sample => sample.slice(1))), limit);
    const x = time => MARGIN.left + (1 - (now - time) / span) * (width - MARGIN.left - MARGIN.right);
    const y = count => height - MARGIN.bottom - (count / top) * (height - MARGIN.top - MARGIN.bottom);
    const svg = element('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
      'aria-label': 'Count of the user over the last minutes'});

    this.#grid(svg, {x, y, top, limit, now, span, width, height});
    for (const event of events.filter(event => event.time > now - span)) {
      svg.append(element('line', {class: 'event', x1: x(event.time), x2: x(event.time),
        y1: MARGIN.top, y2: height - MARGIN.bottom}));
    }
    const clip = element('clipPath', {id: 'plot'});
    clip.append(element('rect', {x: MARGIN.left, y: 0, width: width - MARGIN.left - MARGIN.right + 2,
      height: height - MARGIN.bottom}));
    const lines = element('g', {'clip-path': 'url(#plot)'});
    if (visible.length > 1) {
      const line = path(visible, 1, x, y);
      lines.append(element('path', {class: 'area',
        d: `${line}L${x(visible.at(-1)[0])} ${y(0)}L${x(visible[0][0])} ${y(0)}Z`}));
    }
    for (const {index, name} of [...LINES].reverse()) { // what was admitted on top
      lines.append(element('path', {class: `line ${name}`, d: path(visible, index, x, y)}));
    }
    svg.append(clip, lines);
    svg.append(element('line', {class: 'limit', x1: MARGIN.left, x2: width - MARGIN.right,
      y1: y(limit), y2: y(limit)}));
    svg.append(element('text', {class: 'limit-label', x: MARGIN.left + 8, y: y(limit) - 7}, `limit ${limit}`));
    this.#listener(this.#cursor(svg, visible, x, y, height));
    this.#container.replaceChildren(svg);
  }

  #grid(svg, {x, y, top, limit, now, span, width, height}) {
    for (let count = 0; count <= top; count += limit / 2) {
      svg.append(element('line', {class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right,
        y1: y(count), y2: y(count)}));
      svg.append(element('text', {class: 'tick', x: MARGIN.left - 8, y: y(count) + 4, 'text-anchor': 'end'}, count));
    }
    const step = (span > 90 * SECOND ? 30 : 15) * SECOND;
    for (let ago = 0; ago <= span; ago += step) {
      svg.append(element('text', {class: 'tick', x: x(now - ago), y: height - 7,
        'text-anchor': ago === 0 ? 'end' : 'middle'}, ago === 0 ? 'now' : `−${ago / SECOND} s`));
    }
  }

  /** Draws a line at the sample next to the pointer, and returns the sample. */
  #cursor(svg, samples, x, y, height) {
    if (this.#pointer === null || samples.length === 0) {
      return null;
    }
    const distance = sample => Math.abs(x(sample[0]) - this.#pointer);
    const nearest = samples.reduce((best, sample) => distance(sample) < distance(best) ? sample : best);
    svg.append(element('line', {class: 'cursor', x1: x(nearest[0]), x2: x(nearest[0]),
      y1: MARGIN.top, y2: height - MARGIN.bottom}));
    for (const {index, name} of LINES) {
      if (typeof nearest[index] === 'number') {
        svg.append(element('circle', {class: `dot ${name}`, cx: x(nearest[0]), cy: y(nearest[index]), r: 3.5}));
      }
    }
    return nearest;
  }
}
