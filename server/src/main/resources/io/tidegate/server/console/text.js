// Text for people: names chosen by clients, numbers, durations and times.

import { element } from "./dom.js";

/**
 * Characters that have no shape of their own or change the direction of others: controls, format characters,
 * lone surrogates, unusual spaces and fillers. A joiner between emoji is part of a picture and is kept.
 */
const INVISIBLE =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|(?!\u200D)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

const SHORT_ESCAPES = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escape(character) {
  const code = character.codePointAt(0).toString(16).toUpperCase();
  return SHORT_ESCAPES.get(character) ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`);
}

/** Text with its invisible characters as escapes, such as \u202E. */
export function visible(text) {
  return String(text).replace(INVISIBLE, escape);
}

/**
 * An element with a name chosen by a client. It is isolated from the direction of the text around it, cut off by an
 * ellipsis where it is too long, and has the full name as its title. Escapes have a style of their own, because a
 * name may contain a backslash itself.
 */
export function clientText(text) {
  const node = element("bdi", { class: "client" });
  setClientText(node, text);
  return node;
}

export function setClientText(node, text) {
  const value = String(text ?? "");
  const title = visible(value);
  if (node.title === title && node.hasChildNodes()) {
    return;
  }
  node.title = title;
  node.replaceChildren(...pieces(value));
}

function pieces(value) {
  if (value === "") {
    return [element("span", { class: "escape" }, "empty")];
  }
  const nodes = [];
  let end = 0;
  for (const match of value.matchAll(INVISIBLE)) {
    nodes.push(value.slice(end, match.index), element("span", { class: "escape" }, escape(match[0])));
    end = match.index + match[0].length;
  }
  nodes.push(value.slice(end));
  return nodes;
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count in full, such as 12,345. */
export function count(value) {
  return WHOLE.format(value);
}

/** A number in at most three digits, such as 12.3K. */
export function compact(value) {
  return Math.abs(value) < 1000 ? WHOLE.format(value) : COMPACT.format(value);
}

/** Events per second, with a decimal where they are few. */
export function rate(value) {
  if (value > 0 && value < 0.05) {
    return "< 0.1";
  }
  return value > 0 && value < 9.95 ? value.toFixed(1) : compact(value);
}

export function percent(part, whole) {
  if (!(whole > 0) || !(part > 0)) {
    return "0 %";
  }
  const value = (100 * part) / whole;
  return value < 0.1 ? "< 0.1 %" : `${value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** "1 node", "2 nodes". */
export function plural(number, word) {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

export function micros(value) {
  if (value < 0) {
    return "–";
  }
  return value < 1000 ? `${Math.round(value)} µs` : duration(value / 1000);
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** A duration in its two largest units, such as 850 ms, 12.3 s, 4 min 10 s, 2 d 4 h. */
export function duration(millis) {
  if (millis < 1000) {
    return millis < 10 && millis > 0 ? `${millis.toFixed(1)} ms` : `${Math.round(millis)} ms`;
  }
  if (millis < 59_950) {
    return `${millis < 9_950 ? (millis / 1000).toFixed(1) : Math.round(millis / 1000)} s`;
  }
  const rounded = Math.round(millis / 1000) * 1000;
  const index = UNITS.findIndex(([, size]) => rounded >= size);
  const [unit, size] = UNITS[index];
  const [smaller, smallerSize] = UNITS[index + 1];
  const rest = Math.floor((rounded % size) / smallerSize);
  return `${Math.floor(rounded / size)} ${unit}${rest > 0 ? ` ${rest} ${smaller}` : ""}`;
}

/** A duration without fractions, for texts that are updated every second. */
export function seconds(millis) {
  return duration(Math.max(0, Math.round(millis / 1000)) * 1000)
    .replace(/^(\d+)\.0 s$/, "$1 s")
    .replace(/^0 ms$/, "0 s");
}

/** The exact length of a window in one unit, such as 90 s. */
export function windowLength(millis) {
  const unit = UNITS.find(([, size]) => millis >= size && millis % size === 0);
  return unit ? `${count(millis / unit[1])} ${unit[0]}` : `${count(millis)} ms`;
}

/** A limit, such as "10 per min" or "100 per 10 s". */
export function limitPerWindow(limit, windowMillis) {
  return `${count(limit)} per ${windowLength(windowMillis).replace(/^1 /, "")}`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE_AND_CLOCK = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** The time of day in the time zone of the browser, with the date if it is not within half a day. */
export function clock(time) {
  return (Math.abs(time - Date.now()) < 43_200_000 ? CLOCK : DATE_AND_CLOCK).format(time);
}

const MILLIS = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Reads a window such as 10s, 1m or 1.5h, in milliseconds. */
export function parseWindow(text) {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)$/.exec(text.trim());
  const millis = match ? Number(match[1]) * MILLIS.get(match[2]) : NaN;
  if (!Number.isSafeInteger(millis)) {
    throw new InputError(`The window must be a number with a unit, such as 10s, 1m, 1h or 1d: “${visible(text)}”`);
  }
  return millis;
}

/** Reads a whole number; `name` is what the error calls it. */
export function parseCount(text, name) {
  const digits = text.trim().replaceAll(/[,_ ]/g, "");
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(Number(digits))) {
    throw new InputError(`The ${name} must be a whole number: “${visible(text)}”`);
  }
  return Number(digits);
}

/** An input that cannot be sent; the message is for people. */
export class InputError extends Error {}
