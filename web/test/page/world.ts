// The world of a browser test: a server, a browser, pages that are watched for complaints.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

export interface World { url: string; browser: Browser; close: () => Promise<void> }

export async function openWorld(): Promise<World> {
  const url = process.env["SQMAX_URL"];
  assert.ok(url, "SQMAX_URL names the server");
  const executablePath = process.env["SQMAX_BROWSER"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  return { url, browser, close: () => browser.close() };
}

export interface Visit { page: Page; complaints: string[] }

/** A page at `address`; what it throws, logs as an error or asks of another origin is collected. */
export async function visit(world: World, address = "", options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);  // a busy machine takes its time
  const complaints: string[] = [];
  const origin = new URL(world.url).origin;
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => { if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`); });
  await page.goto(world.url + address);
  return { page, complaints };
}

/** Runs `body` on a fresh page; fails if the page complained. */
export async function onPage(world: World, body: (page: Page) => Promise<void>, address = "", options: BrowserContextOptions = {}): Promise<void> {
  const { page, complaints } = await visit(world, address, options);
  try {
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await page.context().close();
  }
}

export async function get<T>(world: World, path: string): Promise<T> {
  const response = await fetch(`${world.url}v1/${path}`);
  assert.equal(response.status, 200, path);
  return await response.json() as T;
}

export async function listed(page: Page): Promise<string[]> {
  return page.locator("#recommendations .title").allTextContents();
}

/** Waits until the list is there and rests. */
export async function settled(page: Page): Promise<string[]> {
  await page.locator('#recommendations[aria-busy="false"] .entry').first().waitFor();
  await page.waitForTimeout(150);
  await page.locator('#recommendations[aria-busy="false"] .entry').first().waitFor();
  return listed(page);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

/** Serious and critical findings of axe. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate("axe.run().then((result) => result.violations)") as Finding[];
  return found.filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`);
}

export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SQMAX_SCREENSHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `explorer-${name}.png`), fullPage: true });
}
