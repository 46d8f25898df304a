// The page: a section a question, each from the same document that results.json holds.
"use strict";

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const methods = data.results.map((result, number) => ({ ...result, number }));
  const metric = data.metric;
  const test = (method) => method.test[metric];
  const ranked = [...methods].sort((a, b) => test(b) - test(a));
  const best = ranked[0];
  const leastSeconds = 1e-4; // what is quicker takes no time
  const leastGap = 1e-8; // single precision knows no smaller one
  const main = document.getElementById("main");
  const contents = document.getElementById("contents");

  // What takes no time at all has no place on a logarithmic axis: it goes beside what takes the least.
  function placesOn(view, values) {
    const real = values.filter((value) => value > leastSeconds);
    const least = real.length ? Math.min(...real) / 2 : leastSeconds;
    return (value) => (view.log ? Math.max(value, least) : value);
  }

  // One curve's points at the places of all curves.
  function curvePoints(view, curves, points, height) {
    const place = placesOn(view, curves.flat().map((point) => point[view.x]));
    return points.map((point) => ({ x: place(point[view.x]), y: height(point), point }));
  }

  function section(id, title, note, ...nodes) {
    main.append(element("section", { id }, element("h2", {}, title),
      note ? element("p", { class: "note" }, note) : null, ...nodes));
    contents.append(element("a", { href: "#" + id }, title));
  }

  function named(method) {
    const chip = element("span", { class: "chip", "data-method": method.number });
    return element("span", {}, chip, method.loss);
  }

  function number(name, value, digits, title) {
    return { name, title, value, show: (row) => fixed(value(row), digits), kind: "number" };
  }

  function time(name, value, title) {
    return { name, title, value, show: (row) => seconds(value(row)), kind: "number" };
  }

  function headline() {
    document.title = data.title + " · sqmax compare";
    document.getElementById("title").textContent = data.title;
    const summary = document.getElementById("summary");
    if (!best) return;
    const interval = best.intervals[metric];
    let text = `${best.loss} ranks best: ${metric} ${fixed(test(best), 4)} on the test part`;
    if (interval) text += ` (${fixed(interval[0], 4)} to ${fixed(interval[1], 4)})`;
    if (ranked.length > 1) {
      const second = ranked[1];
      const p = second.against_best.p_adjusted;
      text += `, ${fixed(test(best) - test(second), 4)} above ${second.loss}, `;
      text += p < 0.05 ? `which is more than chance (p ${p.toPrecision(2)})` : `which may be chance (p ${p.toPrecision(2)})`;
    }
    summary.textContent = text + ".";
  }

  function leaderboard() {
    const columns = [{ name: "method", value: (m) => m.loss, show: named, kind: "name" },
      number(metric, test, 4, "mean over test users"),
      {
        name: "95 % interval", kind: "number", title: "bootstrap over users",
        value: (m) => (m.intervals[metric] || [])[0],
        show: (m) => (m.intervals[metric] || []).map((end) => fixed(end, 4)).join(" … ") || "–",
      },
      number("to the best", (m) => (m === best ? null : m.against_best.difference), 4, "mean difference, user by user"),
      {
        name: "p", kind: "number", title: "paired sign-flip test, adjusted for the number of methods (Holm)",
        value: (m) => (m === best ? null : m.against_best.p_adjusted),
        show: (m) => (m === best ? "–" : m.against_best.p_adjusted.toPrecision(2)),
      }];
    for (const name of Object.keys(best.test)) {
      if (name !== metric) columns.push(number(name, (m) => m.test[name], 4));
    }
    columns.push(number("valid", (m) => m.valid[metric], 4, metric + " of the best trial on validation"),
      number("trials", (m) => m.trials, 0),
      time("search s", (m) => m.seconds, "the whole search and the last fit"),
      time("fit s", (m) => m.fit_seconds, "the model that was measured"),
      time("to 95 %", (m) => m.seconds_to_95.own, "seconds until validation reached 95 % of this method's own best"),
      time("of the best", (m) => m.seconds_to_95.best, "seconds until validation reached 95 % of the best method's"),
      number("MB", (m) => m.peak_memory_bytes / 1e6, 0, "most memory at once, data included"));
    section("leaderboard", "Leaderboard", "Measured on the test part, but for the column valid. Press a column to sort by it; point at it to see what it says.",
      sortedTable(columns, methods, { id: "leaderboard-table", first: 1, isBest: (m) => m === best }));
  }

  // Curves against the solver's seconds or its steps, as `view` says.
  function curveOptions(view, steps, vertical, tell) {
    return {
      interaction: { mode: "nearest", intersect: false },
      scales: { x: numberAxis(view.x === "seconds" ? "seconds of the solver" : steps, view.log), y: vertical },
      plugins: {
        tooltip: {
          callbacks: {
            title: (items) => (items.length ? items[0].dataset.label : ""),
            label: ({ raw }) => `${tell(raw)} after ${seconds(raw.point.seconds)} s, step ${raw.point.step}`,
          },
        },
      },
    };
  }

  function curveLooks(number, points) {
    return { ...looks(number), borderWidth: 2, pointRadius: points.length === 1 ? 6 : 2.5, pointHoverRadius: 7 };
  }

  function curveSwitches(id, view, steps, chart) {
    return element("div", { class: "switches", id: id + "-switches" },
      choice("horizontal axis", [["seconds", "wall time"], ["step", steps]], view.x, (value) => { view.x = value; chart.draw(); }),
      toggle("log axis", view.log, (value) => { view.log = value; chart.draw(); }));
  }

  function convergence() {
    const shown = methods.filter((method) => method.curve.length > 0);
    if (shown.length === 0) return;
    const view = { x: "seconds", log: true };
    const chart = figure("convergence-chart", `Validation ${metric} while training`, () => ({
      type: "line",
      data: {
        datasets: shown.map((method) => ({
          label: method.loss,
          data: curvePoints(view, shown.map((each) => each.curve), method.curve, (point) => point.valid),
          ...curveLooks(method.number, method.curve),
        })),
      },
      options: curveOptions(view, "sweeps or epochs", axis("validation " + metric, { type: "linear" }),
        (raw) => `${metric} ${fixed(raw.y, 4)}`),
    }));
    const switches = curveSwitches("convergence", view, "epochs", chart);
    section("convergence", "Convergence",
      "Each method's best trial, measured on validation users after every sweep or epoch; measuring is not counted. A single point is a closed form.",
      switches, chart.node);
  }

  function cost() {
    const view = { x: "fit_seconds", log: true };
    const chart = figure("cost-chart", `Test ${metric} against seconds`, () => ({
      type: "scatter",
      data: {
        datasets: methods.map((method) => ({
          label: method.loss,
          data: [{ x: placesOn(view, methods.map((each) => each[view.x]))(method[view.x]), y: test(method), method }],
          ...looks(method.number),
          pointRadius: 7,
          pointHoverRadius: 9,
        })),
      },
      options: {
        scales: {
          x: numberAxis(view.x === "seconds" ? "seconds of the search" : "seconds of one fit", view.log),
          y: axis("test " + metric, { type: "linear" }),
        },
        plugins: {
          tooltip: {
            callbacks: { label: (item) => `${item.dataset.label}: ${metric} ${fixed(item.raw.y, 4)}, ${seconds(item.raw.method[view.x])} s` },
          },
        },
      },
    }));
    const switches = element("div", { class: "switches", id: "cost-switches" },
      choice("cost", [["fit_seconds", "one fit"], ["seconds", "whole search"]], view.x, (value) => { view.x = value; chart.draw(); }),
      toggle("log axis", view.log, (value) => { view.log = value; chart.draw(); }));
    section("cost", "Quality against cost", "Up is better, left is cheaper.", switches, chart.node);
  }

  function users() {
    const chart = figure("users-chart", `Share of users by ${metric}`, () => ({
      type: "line",
      data: {
        datasets: methods.map((method) => ({
          label: method.loss,
          data: method.users.above.map((share, i) => ({ x: i / method.users.above.length, y: 100 * share })),
          ...looks(method.number),
          borderWidth: 2,
          stepped: false,
          pointRadius: 0,
          pointHoverRadius: 5,
        })),
      },
      options: {
        interaction: { mode: "nearest", intersect: false },
        scales: {
          x: axis(metric + " of a user", { type: "linear", max: 1 }),
          y: axis("% of users above", { type: "linear", min: 0 }),
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: () => "",
              label: (item) => `${item.dataset.label}: ${fixed(item.raw.y, 1)} % of users above ${fixed(item.raw.x, 2)}`,
            },
          },
        },
      },
    }));
    const quartile = (n) => (m) => m.users.quartiles[n];
    const columns = [{ name: "method", value: (m) => m.loss, show: named, kind: "name" },
      { name: "users with a hit", kind: "number", value: (m) => m.users.above[0], show: (m) => percent(m.users.above[0]) },
      number("lower quartile", quartile(0), 4), number("median", quartile(1), 4),
      number("upper quartile", quartile(2), 4), number("mean", test, 4)];
    section("users", "Users", `How ${metric} differs among ${best.users.count.toLocaleString("en")} test users.`,
      chart.node, sortedTable(columns, methods, { id: "users-table", first: 5, isBest: (m) => m === best }));
  }

  function popularity() {
    const names = Object.keys(best.lists);
    if (names.length === 0) return;
    const popular = names.find((name) => name.startsWith("popularity"));
    const reference = (data.held_out || {})[popular];
    const nodes = [];
    if (popular) {
      const chart = figure("popularity-chart", "Popularity of recommended items", () => ({
        type: "scatter",
        data: {
          datasets: methods.map((method) => ({
            label: method.loss,
            data: [{ x: method.lists[popular], y: test(method) }],
            ...looks(method.number),
            pointRadius: 7,
            pointHoverRadius: 9,
          })),
        },
        options: {
          scales: {
            x: axis("mean training interactions of recommended items", { type: "linear" }),
            y: axis("test " + metric, { type: "linear" }),
          },
          plugins: {
            tooltip: {
              callbacks: { label: (item) => `${item.dataset.label}: ${metric} ${fixed(item.raw.y, 4)}, popularity ${fixed(item.raw.x, 1)}` },
            },
          },
        },
      }));
      nodes.push(chart.node);
    }
    const columns = [{ name: "method", value: (m) => m.loss, show: named, kind: "name" },
      ...names.map((name) => number(name, (m) => m.lists[name], name.startsWith("popularity") ? 1 : 4)),
      number("test " + metric, test, 4)];
    const note = "Coverage is the share of items that anybody is shown; gini is 0 if all are shown equally often."
      + (reference === undefined ? "" : ` The held-out items themselves have ${fixed(reference, 1)} training interactions on average.`);
    section("popularity", "Popularity", note, ...nodes,
      sortedTable(columns, methods, { id: "popularity-table", first: columns.length - 1, isBest: (m) => m === best }));
  }

  function settings() {
    const chosen = sortedTable([{ name: "method", value: (m) => m.loss, show: named, kind: "name" },
      number("rank", (m) => m.rank, 0), { name: "solver", value: (m) => m.solver, kind: "name" },
      number("steps", (m) => m.search[m.best].steps, 0),
      { name: "settings", value: (m) => m.settings, kind: "words" },
      { name: "at the edge of its range", value: (m) => m.edges.join(", "), kind: "words" }],
    ranked, { id: "settings-table", isBest: (m) => m === best });
    const trials = ranked.filter((method) => method.search.length > 1).map((method) => {
      const rows = method.search.map((trial, n) => ({ ...trial, n: n + 1, isBest: n === method.best }));
      const names = Object.keys(rows[0].options);
      const columns = [number("trial", (t) => t.n, 0),
        ...names.map((name) => ({
          name, kind: typeof rows[0].options[name] === "number" ? "number" : "name",
          value: (t) => t.options[name],
          show: (t) => (typeof t.options[name] === "number" ? String(Number(t.options[name].toPrecision(3))) : t.options[name]),
        })),
        number("rank", (t) => t.rank, 0), { name: "solver", value: (t) => t.solver, kind: "name" },
        number("steps", (t) => t.steps, 0), number("valid " + metric, (t) => t.valid[metric], 4),
        number("users", (t) => t.users, 0, "that judged it"), time("s", (t) => t.seconds)];
      return element("details", {}, element("summary", {}, `${method.loss}: ${method.search.length} trials`),
        sortedTable(columns, rows, { isBest: (t) => t.isBest }));
    });
    section("settings", "Settings", "What the search chose on the validation part, and all that it tried.", chosen, ...trials);
  }

  function race(all, position) {
    const view = { x: "seconds", log: true };
    const id = "race-" + position;
    const chart = figure(id + "-chart", `Objective gap of ${all.loss}`, () => ({
      type: "line",
      data: {
        datasets: all.solvers.map((solver, n) => ({
          label: solver.solver,
          data: curvePoints(view, all.solvers.map((each) => each.points),
            solver.points.filter((point) => point.gap !== null), (point) => Math.max(point.gap, leastGap)),
          ...curveLooks(n, solver.points),
        })),
      },
      options: curveOptions(view, "steps", logAxis("gap to the lowest objective"),
        (raw) => `gap ${raw.point.gap.toExponential(1)}`),
    }));
    const switches = curveSwitches(id, view, "steps", chart);
    const last = (solver) => solver.points[solver.points.length - 1] || {};
    const rows = all.solvers.map((solver, n) => ({ ...solver, loss: solver.solver, number: n }));
    const columns = [{ name: "solver", value: (s) => s.solver, show: named, kind: "name" },
      number("steps", (s) => last(s).step, 0), time("seconds", (s) => last(s).seconds),
      { name: "objective", value: (s) => last(s).objective, show: (s) => String(Number((last(s).objective || 0).toPrecision(7))), kind: "number" },
      { name: "gap", value: (s) => last(s).gap, show: (s) => (last(s).gap || 0).toExponential(1), kind: "number" },
      { name: "fitted rate", value: (s) => s.rate.text, kind: "words" }];
    section(id, `Solvers of ${all.loss}`, `Rank ${all.rank}, ${all.settings}. ${all.sentence}`, switches, chart.node,
      sortedTable(columns, rows, { id: id + "-table", first: 4, direction: "ascending" }));
  }

  headline();
  if (best) {
    leaderboard();
    convergence();
    cost();
    users();
    popularity();
    settings();
  }
  (data.races || []).forEach(race);
  section("data-card", "Data", null, facts(data.data),
    ...(data.findings || []).map((finding) => element("p", { class: "note" }, finding.sentence)));
  section("origin", "Origin", "What it takes to make this page again.", facts(data.origin));
  drawAll();
})();
