// The map under mouse, finger and keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import type { MapAnswer } from "../../src/api";
import { toScreen, WHOLE } from "../../src/map/view";
import { parse, type View } from "../../src/state";
import { get, onPage, openWorld, type World } from "./world";

let world: World;
let answer: MapAnswer;

before(async () => {
  world = await openWorld();
  answer = await get<MapAnswer>(world, "map?limit=5000");
});
after(() => world.close());

async function box(page: Page) {
  await page.locator("#map canvas").waitFor();
  await page.locator("#map").scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  const found = await page.locator("#map canvas").boundingBox();
  assert.ok(found);
  return found;
}

const viewOf = (page: Page): View => parse(new URL(page.url()).hash).view ?? WHOLE;

/** The n-th most popular point, in pixels of the page. */
async function pointAt(page: Page, n: number) {
  const area = await box(page);
  const at = toScreen(viewOf(page), area, { x: answer.x[n] ?? 0, y: answer.y[n] ?? 0 });
  return { x: area.x + at.x, y: area.y + at.y };
}

/** How many different colours a canvas shows. */
function colours(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector("#map canvas") as HTMLCanvasElement;
    const pixels = new Uint32Array((canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return new Set(pixels).size;
  });
}

test("points are drawn, a hover tells the title, a click adds", () => onPage(world, async (page) => {
  const at = await pointAt(page, 0);
  assert.ok(await colours(page) > 50);
  await page.mouse.move(at.x, at.y);
  const tip = await page.locator(".tip strong").textContent();
  assert.ok((answer.titles ?? []).includes(tip) || answer.items.includes(tip ?? ""), `${tip} is no item`);
  await page.mouse.click(at.x, at.y);
  await page.locator(".chip").waitFor();
  assert.equal(await page.locator(".chip .chip-title").textContent(), tip);
  await page.locator("#recommendations .entry").first().waitFor();
}));

test("wheel and drag change the view; the address keeps it", () => onPage(world, async (page) => {
  const area = await box(page);
  await page.mouse.move(area.x + area.width / 3, area.y + area.height / 3);
  await page.mouse.wheel(0, -600);
  await page.waitForURL(/map=/);
  const zoomed = viewOf(page);
  assert.ok(zoomed.zoom > 1.5);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width / 3 + 60, area.y + area.height / 3 + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((before) => location.hash !== before, new URL(page.url()).hash);
  assert.ok(viewOf(page).x < zoomed.x && viewOf(page).y > zoomed.y);
  assert.equal(await page.locator(".chip").count(), 0, "a drag chooses nothing");
  await page.getByRole("button", { name: "Whole" }).click();
  await page.waitForFunction(() => !location.hash.includes("map="));
}));

test("keys move and zoom; without motion if the reader wants none", () => onPage(world, async (page) => {
  await box(page);
  await page.locator("#map").focus();
  await page.keyboard.press("+");
  await page.waitForURL(/map=/);
  const zoomed = viewOf(page);
  assert.ok(zoomed.zoom > 1.5);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((before) => location.hash !== before, new URL(page.url()).hash);
  assert.ok(viewOf(page).x > zoomed.x);
  await page.keyboard.press("0");
  await page.waitForFunction(() => !location.hash.includes("map="));
}, "", { reducedMotion: "reduce" }));

test("two fingers zoom, a finger tells and then adds", () => onPage(world, async (page) => {
  const at = await pointAt(page, 0);
  await page.touchscreen.tap(at.x, at.y);
  await page.locator(".tip").waitFor();
  assert.equal(await page.locator(".chip").count(), 0);
  await page.touchscreen.tap(at.x, at.y);
  await page.locator(".chip").waitFor();

  const area = await box(page);
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) => devtools.send("Input.dispatchTouchEvent", {
    type, touchPoints: type === "touchEnd" ? [] : [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }],
  });
  await touch("touchStart", 30);
  for (const apart of [40, 60, 80, 100]) await touch("touchMove", apart);
  await touch("touchEnd", 100);
  await page.waitForURL(/map=/);
  assert.ok(viewOf(page).zoom > 1.5);
}, "", { hasTouch: true, viewport: { width: 390, height: 844 } }));

test("the map is also told in words", () => onPage(world, async (page) => {
  await box(page);
  await page.getByText("The map in words").click();
  await page.locator(".in-words tbody tr").first().waitFor();
  const rows = await page.locator(".in-words tbody tr").allTextContents();
  assert.ok(rows.length >= 10);
  assert.ok(rows.some((row) => row.includes("popular")));
}));
