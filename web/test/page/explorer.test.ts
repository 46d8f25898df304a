// A person's paths through the page, in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Explanation, Item, Ranking } from "../../src/api";
import { nameOf } from "../../src/words";
import { barriers, get, listed, onPage, openWorld, screenshot, settled, visit, type World } from "./world";

let world: World;
let popular: Item[];
const name = (item: Item | undefined) => nameOf(item ?? { item: "" });
const address = (n: number) => `#h=${popular.slice(0, n).map((item) => encodeURIComponent(item.item)).join(",")}`;

before(async () => {
  world = await openWorld();
  popular = (await get<Ranking>(world, "items?q=&k=12")).items;
});
after(() => world.close());

test("from the empty page to an explained recommendation", () => onPage(world, async (page) => {
  await page.locator(".suggestions button").first().waitFor();
  assert.equal(await page.locator(".suggestions button").count(), 12);
  await page.getByRole("combobox", { name: "Search items to add" }).fill(name(popular[0]));
  await page.locator("#found [role=option]").filter({ hasText: name(popular[0]) }).first().click();
  assert.equal((await settled(page)).length, 10);
  await page.waitForFunction(() => document.getElementById("says")?.textContent?.startsWith("10 recommendations for 1 item"));

  await page.locator("#recommendations .add").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);
  await settled(page);
  const answered = page.waitForResponse((response) => response.url().endsWith("/v1/explain"));
  await page.locator("#recommendations").getByRole("button", { name: /^Why / }).nth(1).click();
  const explanation = await (await answered).json() as Explanation;
  await page.locator(".why tr.total").waitFor();
  const sum = explanation.contributions.reduce((total, each) => total + (each.score ?? 0), explanation.rest);
  assert.ok(Math.abs(sum - explanation.score) < 1e-4 * Math.max(1, Math.abs(explanation.score)), "the parts sum to the score");
  assert.equal(await page.locator(".why tr.item").count(), 2);
  assert.match(await page.locator(".why p").textContent() ?? "", /\.$/);
}));

test("similar items open, lead on, and close", () => onPage(world, async (page) => {
  await settled(page);
  await page.getByRole("button", { name: /^Similar to / }).first().click();
  await page.locator("#similar .entry").first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "similar-title");
  const first = await page.locator("#similar-title").textContent();
  await page.locator("#similar .actions button").first().click();
  await page.waitForFunction((before) => document.getElementById("similar-title")?.textContent !== before, first);
  await page.goBack();
  await page.waitForFunction((before) => document.getElementById("similar-title")?.textContent === before, first);
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator("#similar").count(), 0);
}, address(1)));

test("the slider changes the list and the address, and finds back", () => onPage(world, async (page) => {
  const own = await settled(page);
  const slider = page.getByRole("slider");
  await slider.focus();
  await slider.press("ArrowRight");
  await slider.press("ArrowRight");
  await page.waitForURL(/[#&]b=/);
  await slider.press("ArrowLeft");
  await slider.press("ArrowLeft");
  await page.waitForFunction(() => !location.hash.includes("b="));
  await slider.press("Home");
  await page.waitForFunction((before) => [...document.querySelectorAll("#recommendations .title")].map((each) => each.textContent).join() !== before, own.join());
  assert.match(page.url(), /[#&]b=0(&|$)/);
  await page.getByRole("button", { name: /model’s own/ }).click();
  await page.waitForFunction((before) => [...document.querySelectorAll("#recommendations .title")].map((each) => each.textContent).join() === before, own.join());
  assert.doesNotMatch(page.url(), /b=/);
}, address(2)));

test("weights change the list and are in the address", () => onPage(world, async (page) => {
  await settled(page);
  const asked = page.waitForRequest((request) => request.url().endsWith("/v1/recommend"));
  await page.getByRole("button", { name: `Weight of ${name(popular[1])}: 1` }).click();
  assert.deepEqual(((await asked).postDataJSON() as { weights: number[] }).weights, [1, 2]);
  assert.match(page.url(), /:2/);
  await settled(page);
}, address(2)));

test("a shared address is restored, and so are back and forward", () => onPage(world, async (page) => {
  const recommended = await settled(page);
  await page.locator("#recommendations").getByRole("button", { name: /^Why / }).first().click();
  await page.locator(".why tr.total").waitFor();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForURL(/map=/);
  await page.reload();
  assert.deepEqual(await settled(page), recommended);
  await page.locator(".why tr.total").waitFor();
  assert.equal(await page.locator(".chip").count(), 3);
  assert.match(page.url(), /map=/);

  await page.getByRole("button", { name: /^Remove / }).last().click();
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 3);
  assert.deepEqual(await settled(page), recommended);
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);
}, address(3)));

test("an item that this model does not have is shown and left out", () => onPage(world, async (page) => {
  assert.equal((await settled(page)).length, 10);
  assert.equal(await page.locator(".chip.lost").count(), 1);
  assert.match(await page.locator(".chip.lost").textContent() ?? "", /no such thing/);
}, `${address(1)},no%20such%20thing`));

test("a late answer to an old question is dropped", () => onPage(world, async (page) => {
  await settled(page);
  let held = 0;
  await page.route("**/v1/recommend", async (route) => {
    if (held++ === 0) await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {}); // the page may have given it up
  });
  await page.locator("#recommendations .add").first().click();
  await page.waitForTimeout(200);
  await page.getByRole("button", { name: /^Remove / }).first().click();
  await page.waitForFunction(() => document.getElementById("says")?.textContent?.includes("for 1 item"));
  const now = await settled(page);
  await page.waitForTimeout(900);
  assert.deepEqual(await listed(page), now);
  assert.ok(held >= 2);
}, address(1)));

test("by keyboard alone", () => onPage(world, async (page) => {
  await page.locator(".suggestions button").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(name(popular[2]).slice(0, 7));
  await page.locator("#found [role=option]").first().waitFor();
  await page.waitForTimeout(300);
  await page.keyboard.press("ArrowDown");
  const active = await page.locator("#search").getAttribute("aria-activedescendant");
  assert.equal(await page.locator('[role="option"][aria-selected="true"]').getAttribute("id"), active);
  await page.keyboard.press("Enter");
  await settled(page);

  for (let presses = 0; presses < 30; ++presses) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.textContent === "Why this?")) break;
  }
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle), "none", "the focus is visible");
  await page.keyboard.press("Enter");
  await page.locator(".why tr.total").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-expanded")), "true");

  await page.locator("#map").focus();
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.getElementById("map-says")?.textContent?.includes("in the history"));
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.getElementById("map-says")?.textContent?.includes("recommended"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);

  await page.locator(".chip .remove").first().focus();
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll(".chip").length === 1);
  await page.waitForFunction(() => document.activeElement?.classList.contains("remove"));
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.activeElement?.id === "search");
  await page.keyboard.press("ArrowDown");
  await page.locator("#found [role=option]").first().waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#found [role=option]").count(), 0);
}));

test("the card tells the model's data, metrics and settings", () => onPage(world, async (page) => {
  const model = await get<{ users: number; options: Record<string, unknown>; story: { test?: object } }>(world, "model");
  await page.locator("#card .tiles").waitFor();
  assert.match(await page.locator("#card .tiles").textContent() ?? "", new RegExp(model.users.toLocaleString("en")));
  assert.equal(await page.locator("#card .metrics tbody tr").count(), Object.keys(model.story.test ?? {}).length);
  await page.getByText("Options and origin").click();
  assert.match(await page.locator("#card .facts").textContent() ?? "", new RegExp(Object.keys(model.options)[0] ?? "version"));
}));

test("a story that cannot be read leaves the rest of the page alone", async () => {
  const { page } = await visit(world);
  await page.route("**/v1/model", async (route) => {
    const model = await (await route.fetch()).json() as Record<string, unknown>;
    await route.fulfill({ json: { ...model, story: { residual: null, test: { "ndcg@10": "much" }, trials: [7, 8], curve: {} } } });
  });
  await page.reload();
  await page.locator("#card .tiles").waitFor();
  await page.locator(".suggestions button").first().click();
  assert.equal((await settled(page)).length, 10);
  await page.context().close();
});

test("nobody is kept out: axe in light and dark, empty and full", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await onPage(world, async (page) => {
      await page.locator(".suggestions button").first().waitFor();
      await page.locator("#card").waitFor();
      await page.locator("#search").focus();
      await page.locator("#found [role=option]").first().waitFor();
      assert.deepEqual(await barriers(page), []);
    }, "", { colorScheme });
    await onPage(world, async (page) => {
      await settled(page);
      await page.locator("#recommendations").getByRole("button", { name: /^Why / }).first().click();
      await page.locator("#similar .entry").first().waitFor();
      await page.locator(".why tr.total").waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      await page.waitForTimeout(300); // colours have faded in
      assert.deepEqual(await barriers(page), []);
    }, `${address(2)}&similar=${encodeURIComponent(popular[0]?.item ?? "")}`, { colorScheme });
  }
});

test("the switch of light and dark is kept", () => onPage(world, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.locator("#theme").waitFor();
  const light = await ground();
  await page.locator("#theme").selectOption("dark");
  await page.waitForFunction((before) => getComputedStyle(document.documentElement).backgroundColor !== before, light);
  const dark = await ground();
  await page.reload();
  await page.locator("#theme").waitFor();
  assert.equal(await ground(), dark);
}));

test("nothing is wider than a phone; how it looks", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [size, width, height] of [["wide", 1280, 900], ["narrow", 390, 844]] as const) {
      const options = { colorScheme, viewport: { width, height } };
      await onPage(world, async (page) => {
        await page.locator(".suggestions button").first().waitFor();
        await page.waitForTimeout(300);
        await screenshot(page, `empty-${size}-${colorScheme}`);
      }, "", options);
      await onPage(world, async (page) => {
        await settled(page);
        await page.locator("#recommendations").getByRole("button", { name: /^Why / }).nth(2).click();
        await page.locator(".why tr.total").waitFor();
        await page.waitForTimeout(300);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
        await screenshot(page, `${size}-${colorScheme}`);
      }, `${address(3)}&similar=${encodeURIComponent(popular[1]?.item ?? "")}`, options);
    }
  }
});

test("without a server, with a token, with errors", async () => {
  const { page } = await visit(world, address(1));
  await settled(page);
  await page.route("**/v1/**", (route) => route.abort());
  await page.locator("#recommendations .add").first().click();
  await page.getByRole("alert").filter({ hasText: "does not answer" }).first().waitFor();
  await page.unroute("**/v1/**");
  await page.getByRole("button", { name: "Try again" }).first().click();
  assert.equal((await settled(page)).length, 10);

  const body = JSON.stringify({ error: { status: 400, code: "bad", message: "A sentence of the server." } });
  await page.route("**/v1/recommend", (route) => route.fulfill({ status: 400, contentType: "application/json", body }));
  await page.locator("#size").selectOption("20");
  await page.getByRole("alert").filter({ hasText: "A sentence of the server." }).waitFor();
  await page.unroute("**/v1/recommend");

  await page.route("**/v1/**", (route) => (route.request().headers()["authorization"] === "Bearer open sesame"
    ? route.continue() : route.fulfill({ status: 401, contentType: "application/json", body: "{}" })));
  await page.reload();
  await page.locator("#token").fill("wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("does not know the token").waitFor();
  await page.locator("#token").fill("open sesame");
  await page.getByRole("button", { name: "Open" }).click();
  assert.equal((await settled(page)).length, 20);
  await page.context().close();
});
