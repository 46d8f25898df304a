// Elements: text becomes nodes, never markup; tables that sort.
"use strict";

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

function fixed(value, digits) {
  return typeof value === "number" ? value.toFixed(digits).replace("-", "−") : "–";
}

function seconds(value) {
  if (typeof value !== "number") return "–";
  return fixed(value, value < 0.1 ? 4 : value < 10 ? 2 : 0);
}

function percent(value) {
  return typeof value === "number" ? fixed(100 * value, 1) + " %" : "–";
}

// columns: {name, title, value: row → number or text to sort by, show: row → node or text, kind}
function sortedTable(columns, rows, options) {
  const body = element("tbody");
  const heads = columns.map((column) => {
    const button = element("button", { type: "button", title: column.title }, column.name);
    return element("th", { class: column.kind, scope: "col" }, button);
  });

  function show(order) {
    body.replaceChildren(...order.map((row) => {
      const cells = columns.map((column, c) => {
        const content = column.show ? column.show(row) : String(column.value(row));
        return element(c === 0 ? "th" : "td", { class: column.kind, scope: c === 0 ? "row" : null }, content);
      });
      return element("tr", { class: options.isBest && options.isBest(row) ? "best" : null }, ...cells);
    }));
  }

  // What is not known comes last either way.
  function sort(c, direction) {
    const value = columns[c].value;
    const known = (row) => value(row) !== null && value(row) !== undefined && !Number.isNaN(value(row));
    const order = [...rows].sort((a, b) => {
      if (!known(a) || !known(b)) return Number(known(b)) - Number(known(a));
      if (value(a) === value(b)) return 0;
      return (value(a) < value(b) ? -1 : 1) * (direction === "ascending" ? 1 : -1);
    });
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[c].setAttribute("aria-sort", direction);
    show(order);
  }

  heads.forEach((head, c) => {
    head.firstChild.addEventListener("click", () => {
      const usual = columns[c].kind === "number" ? "descending" : "ascending";
      const other = usual === "ascending" ? "descending" : "ascending";
      sort(c, head.getAttribute("aria-sort") === usual ? other : usual);
    });
  });
  if (options.first === undefined) show(rows);
  else sort(options.first, options.direction || "descending");
  const table = element("table", { id: options.id }, element("thead", {}, element("tr", {}, ...heads)), body);
  return element("div", { class: "scroll", tabindex: "0" }, table);
}

// A row of buttons of which one is pressed; choose(value) is called with it.
function choice(label, values, chosen, choose) {
  const buttons = values.map(([value, text]) => element("button", {
    type: "button",
    "data-value": value,
    "aria-pressed": String(value === chosen),
    onclick: (event) => {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === event.currentTarget)));
      choose(value);
    },
  }, text));
  return element("div", { role: "group", "aria-label": label }, ...buttons);
}

// A button that is pressed or not.
function toggle(text, pressed, choose) {
  const button = element("button", {
    type: "button",
    "data-value": text,
    "aria-pressed": String(pressed),
    onclick: () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      choose(now);
    },
  }, text);
  return element("div", {}, button);
}

function facts(list) {
  const entries = list.flatMap((fact) => [
    element("dt", {}, fact.name),
    element("dd", { class: fact.name === "command" ? "command" : null }, fact.value),
  ]);
  return element("dl", {}, ...entries);
}
