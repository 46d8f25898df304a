// A made-up catalogue: 2,700 books that nobody wrote, with vectors, popularity and places on a map.

const SHELVES = {
  sea: "Harbour Tide Lighthouse Sailor Island Anchor Storm Reef Ferry Whale Shore Pearl",
  mountains: "Summit Valley Glacier Pass Shepherd Avalanche Ridge Refuge Pine Echo Eagle Cairn",
  city: "Tram Balcony Courtyard Bridge Market Tower Alley Station Lodger Square Rooftop Bakery",
  garden: "Orchard Beekeeper Rose Greenhouse Hedge Seed Fig Fountain Path Robin Gate Pond",
  kitchen: "Recipe Oven Salt Spoon Table Feast Broth Plum Cellar Candle Bread Guest",
  stars: "Comet Orbit Observatory Moon Meridian Eclipse Probe Signal Astronomer Dawn Nebula Voyage",
  machines: "Engine Clockmaker Loom Circuit Lever Turbine Workshop Gear Automaton Wire Foundry Compass",
  winter: "Snowfall Sledge Hearth Frost Lantern Wolf Blizzard Skater Icicle Coat Solstice Cabin",
  music: "Violin Choir Overture Piano Refrain Conductor Ballad Drum Nocturne Flute Rehearsal Organ",
};
const KINDS = ("Quiet Last Hidden Borrowed Golden Restless Forgotten Patient Crooked Second Distant Velvet Stubborn Silver Wandering "
  + "Honest Hollow Scarlet Reluctant Northern Gentle Broken Midnight Endless Curious").split(" ");
const USERS = 12000;

// The same numbers in every run: a linear congruence, uniform in [0, 1).
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeItems() {
  const random = randomFrom(7);
  const normal = () => random() + random() + random() + random() - 2;
  const shelves = Object.entries(SHELVES);
  const items = [];
  shelves.forEach(([shelf, nouns], s) => {
    const angle = (2 * Math.PI * s) / shelves.length;
    nouns.split(" ").forEach((noun, n) => KINDS.forEach((kind) => {
      const [turn, far] = [angle + 0.18 * normal() + 0.03 * (n - 6), 0.62 + 0.22 * normal()];
      const vector = shelves.map((_, t) => (t === s ? 1 : 0) + 0.22 * normal());
      items.push({ shelf, title: `The ${kind} ${noun}`, noun, vector, x: far * Math.cos(turn), y: far * Math.sin(turn), luck: random() });
    }));
  });
  items.sort((a, b) => b.luck - a.luck);
  items.forEach((item, n) => {
    item.item = `b${String(n + 1).padStart(4, "0")}`;
    item.popularity = Math.max(1, Math.round(3000 / (n + 1) ** 0.75));
  });
  return items;
}

export const items = makeItems();
export const byId = new Map(items.map((item) => [item.item, item]));
const interactions = items.reduce((sum, item) => sum + item.popularity, 0);
const BLEND = 0.6;

export function about({ item, title, shelf, noun }) {
  return { item, title, link: `https://books.invalid/${noun.toLowerCase()}/${item}`, columns: { shelf } };
}

const dot = (a, b) => a.reduce((sum, value, n) => sum + value * b[n], 0);

/** score = (N π)^blend (1 + Σ_z w_z · 1.5 q_z·q_y): linear in what the history holds. */
export function explain(history, weights, blend, item) {
  const scale = ((items.length * item.popularity) / interactions) ** (blend ?? BLEND);
  const contributions = history
    .map((each, n) => ({ item: each, score: scale * (weights?.[n] ?? 1) * 1.5 * dot(each.vector, item.vector) }))
    .sort((a, b) => b.score - a.score);
  return { rest: scale, contributions, score: contributions.reduce((sum, each) => sum + each.score, scale) };
}

export function recommend(history, weights, blend, k) {
  const seen = new Set(history);
  return items.filter((item) => !seen.has(item))
    .map((item) => ({ item, score: explain(history, weights, blend, item).score }))
    .sort((a, b) => b.score - a.score).slice(0, k);
}

export function similar(item, k) {
  const size = (each) => Math.sqrt(dot(each.vector, each.vector));
  return items.filter((each) => each !== item)
    .map((each) => ({ item: each, score: dot(each.vector, item.vector) / (size(each) * size(item)) }))
    .sort((a, b) => b.score - a.score).slice(0, k);
}

export function search(text, k) {
  const wanted = text.toLowerCase();
  return items.filter((item) => item.title.toLowerCase().includes(wanted) || item.item.startsWith(wanted)).slice(0, k);
}

function trials() {
  const random = randomFrom(11);
  return Array.from({ length: 24 }, (_, n) => {
    const quality = 0.31 + 0.05 * (1 - Math.exp(-n / 8)) - 0.03 * random();
    const users = n % 4 === 3 ? 3000 : USERS;
    return {
      options: { alpha: Number((0.02 + 0.1 * random()).toFixed(3)), blend: Number((0.3 + 0.5 * random()).toFixed(2)), lambda: 0.1 },
      rank: n % 3 === 0 ? 32 : 64, solver: "als", steps: 10, users,
      valid: { "ndcg@10": quality, "recall@10": quality + 0.1 },
    };
  });
}

export function model() {
  const all = trials();
  const values = all.map((trial) => (trial.users === USERS ? trial.valid["ndcg@10"] : 0));
  return {
    loss: "rgp", rank: 64, users: USERS, items: items.length, interactions, uses_prior: true, blend: BLEND,
    options: { alpha: 0.05, blend: BLEND, lambda: 0.1, links: 20, prior: 0.4, ridge: "frequency" },
    story: {
      solver: "als", steps: 10, residual: 0.0021, contraction: 0.62, converged: true, seed: 0, data_fingerprint: "0123456789abcdef",
      data_recipe: { source: { files: ["books.tsv"] }, split: { kind: "ratio", ratios: [0.8, 0.1, 0.1] } },
      test: { "ndcg@10": 0.3612, "recall@10": 0.4571, "map@10": 0.2931, "mrr@10": 0.3377 },
      intervals: { "ndcg@10": [0.349, 0.373], "recall@10": [0.442, 0.472], "map@10": [0.281, 0.305], "mrr@10": [0.324, 0.351] },
      trials: all, best: values.indexOf(Math.max(...values)),
      curve: Array.from({ length: 10 }, (_, n) => ({ step: n + 1, seconds: 0.1 * (n + 1), valid: 0.36 * (1 - 0.6 ** (n + 1)) })),
    },
    index: { kind: "exact" }, version: "0.0.0-mock", explains: true, events: false,
  };
}
