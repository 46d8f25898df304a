// The committed page is what the sources build, byte by byte.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), "sqmax-dist-"));
let differing;
try {
  process.env.SQMAX_DIST = fresh;
  await build({ root, logLevel: "error" });
  const names = [...new Set([...readdirSync(fresh), ...readdirSync(join(root, "dist"))])].sort();
  const read = (folder, name) => readdirSync(folder).includes(name) ? readFileSync(join(folder, name), "utf8") : null;
  differing = names.filter((name) => read(fresh, name) !== read(join(root, "dist"), name));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
if (differing.length > 0) {
  console.error(`web/dist is not what web/src builds: ${differing.join(", ")}. Run "npm run build" in web/ and commit it.`);
  process.exit(1);
}
console.log("web/dist is what web/src builds.");
