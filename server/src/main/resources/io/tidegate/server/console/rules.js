// The panel of the rules of this node, with the results of shadow mode.

import { byId, element, keyedList, setAttribute, setText } from "./dom.js";
import { clientText, count, limitPerWindow, percent, plural } from "./text.js";

export class RulesPanel {
  #rows = keyedList(byId("rules-rows"), ruleView);

  update({ state: { rules } }) {
    this.#rows(rules, ({ domain, rule }) => JSON.stringify([domain, rule]));
    const shadow = rules.filter((rule) => rule.shadow).length;
    byId("rules-scroll").hidden = rules.length === 0;
    byId("rules-empty").hidden = rules.length > 0;
    setText(
      byId("rules-summary"),
      rules.length === 0
        ? ""
        : `${plural(rules.length, "rule")} of this node, ${shadow} in shadow mode; counts since its start`,
    );
  }
}

const COUNTS = ["hits", "withinLimit", "nearLimit", "overLimit", "shadowed"];

function ruleView({ domain, rule }) {
  const limit = element("td");
  const mode = element("span", { class: "badge" });
  const cells = new Map(COUNTS.map((name) => [name, element("td", { class: "number", "data-count": name })]));
  const root = element(
    "tr",
    { "data-rule": rule },
    element(
      "th",
      { scope: "row" },
      clientText(rule),
      element("small", { class: "quiet" }, "domain ", clientText(domain)),
    ),
    limit,
    element("td", {}, mode),
    ...cells.values(),
  );
  return {
    root,
    update(item) {
      setText(limit, limitPerWindow(item.limit, item.windowMillis));
      setText(mode, item.shadow ? "shadow" : "enforced");
      setAttribute(mode, "data-mode", item.shadow ? "shadow" : "enforced");
      for (const [name, cell] of cells) {
        setText(cell, count(item[name]));
      }
      const share = percent(item.overLimit, item.hits);
      setAttribute(cells.get("overLimit"), "title", `${share} of the hits`);
      cells.get("overLimit").classList.toggle("denied", item.overLimit > 0);
      cells.get("shadowed").classList.toggle("late", item.shadowed > 0);
    },
  };
}
