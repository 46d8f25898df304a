// A stand-in for sqmax serve: the same API over the made-up catalogue, and the built page.
//   node mock/server.mjs [--port 8642] [--token SECRET]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import * as catalogue from "./catalogue.mjs";

const DIST = new URL("../dist/", import.meta.url);
const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/assets/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/assets/app.css": ["app.css", "text/css; charset=utf-8"],
};
// Stricter than the program's: styles, too, only from the file.
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class Refusal extends Error {
  constructor(status, code, message, field) {
    super(message);
    this.answer = { error: { status, code, message, ...(field ? { field } : {}) } };
    this.status = status;
  }
}

function only(given, allowed, kind) {
  for (const name of given) {
    if (!allowed.includes(name)) throw new Refusal(400, "unknown_field", `There is no ${kind} '${name}'.`, name);
  }
}

function itemOf(id, field) {
  const item = catalogue.byId.get(id);
  if (!item) throw new Refusal(400, "unknown_item", `'${field}' names the item '${id}', which the model does not know.`, field);
  return item;
}

function wholeNumber(text, usual) {
  const value = text === null ? usual : Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100000) throw new Refusal(400, "bad_number", `'${text}' is not a count.`);
  return value;
}

const scored = ({ item, score }) => ({ ...catalogue.about(item), score });
const counted = (item) => ({ ...catalogue.about(item), popularity: item.popularity });
const historyOf = (body) => (body.history ?? []).map((id, n) => itemOf(id, `history[${n}]`));

function items(query) {
  only(query.keys(), ["q", "k", "id"], "parameter");
  if (query.has("id")) return { items: query.getAll("id").map((id) => catalogue.byId.get(id)).filter(Boolean).map(counted) };
  return { items: catalogue.search(query.get("q") ?? "", wholeNumber(query.get("k"), 20)).map(counted) };
}

function map(query) {
  only(query.keys(), ["limit"], "parameter");
  const shown = catalogue.items.slice(0, wholeNumber(query.get("limit"), 5000));
  const column = (name) => shown.map((item) => item[name]);
  return { items: column("item"), titles: column("title"), x: column("x"), y: column("y"), popularity: column("popularity") };
}

const ROUTES = {
  "GET /v1/model": () => catalogue.model(),
  "GET /v1/items": items,
  "GET /v1/map": map,
  "GET /v1/similar": (query) => {
    const item = itemOf(query.get("item"), "item");
    return { item: catalogue.about(item), items: catalogue.similar(item, wholeNumber(query.get("k"), 10)).map(scored) };
  },
  "POST /v1/recommend": (_, body) => {
    only(Object.keys(body), ["history", "weights", "k", "blend", "exclude", "only", "allow_seen"], "field");
    return { items: catalogue.recommend(historyOf(body), body.weights, body.blend, body.k ?? 10).map(scored) };
  },
  "POST /v1/explain": (_, body) => {
    only(Object.keys(body), ["history", "weights", "blend", "item"], "field");
    const item = itemOf(body.item, "item");
    const { score, rest, contributions } = catalogue.explain(historyOf(body), body.weights, body.blend, item);
    return { item: catalogue.about(item), score, rest, contributions: contributions.map(scored) };
  },
};

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString("utf8"));
}

async function answer(request, token) {
  const url = new URL(request.url, "http://localhost");
  const file = FILES[url.pathname];
  if (file) return { status: 200, type: file[1], text: readFileSync(new URL(file[0], DIST)) };
  const refused = ({ status, answer: body }) => ({ status, type: "application/json", text: JSON.stringify(body) });
  try {
    if (token && request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, "unauthorized", "A bearer token is needed.");
    const route = ROUTES[`${request.method} ${url.pathname}`];
    if (!route) throw new Refusal(404, "not_found", `There is no ${url.pathname}.`);
    return { status: 200, type: "application/json", text: JSON.stringify(route(url.searchParams, await bodyOf(request))) };
  } catch (error) {
    return refused(error instanceof Refusal ? error : new Refusal(500, "internal", String(error)));
  }
}

/** Listens on `port` (0: any free one) and resolves to {url, close}. */
export function start({ port = 0, token } = {}) {
  const server = createServer(async (request, response) => {
    const { status, type, text } = await answer(request, token);
    response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" });
    response.end(text);
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve({
      url: `http://127.0.0.1:${server.address().port}/`,
      close: () => { server.close(); server.closeAllConnections(); },
    }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "8642" }, token: { type: "string" } } });
  const { url } = await start({ port: Number(values.port), token: values.token });
  console.log(`The made-up catalogue is at ${url}`);
}
