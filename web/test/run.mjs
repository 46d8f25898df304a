// Compiles and runs the tests of a folder, those of the page over SQMAX_URL or else the mock.
//   node test/run.mjs unit|page
import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { start } from "../mock/server.mjs";

const kind = process.argv[2];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
// Below node_modules, so that the compiled tests find their packages.
const out = here(`../node_modules/.cache/sqmax/${kind}`);

const entryPoints = readdirSync(here(kind)).filter((name) => name.endsWith(".test.ts")).map((name) => here(`${kind}/${name}`));
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints,
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  packages: "external",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const files = readdirSync(out).filter((name) => name.endsWith(".test.mjs")).map((name) => `${out}/${name}`);
const mock = kind === "page" && !process.env.SQMAX_URL ? await start() : undefined;
const env = { ...process.env, ...(mock ? { SQMAX_URL: mock.url } : {}) };
spawn(process.execPath, ["--test", ...files], { stdio: "inherit", env }).on("close", (status) => process.exit(status ?? 1));
