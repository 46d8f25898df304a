// Header: the name, the model in a line, the link to share and the switch of light and dark.
import { useState } from "preact/hooks";

import type { Model } from "../api";
import { useTheme, type Choice } from "../theme";
import { count } from "../words";

const CHOICES: [Choice, string][] = [["system", "Auto"], ["light", "Light"], ["dark", "Dark"]];

function Share() {
  const [said, setSaid] = useState("");
  const copy = async () => {
    // Without a secure context there is no clipboard; the address bar has the same link.
    await navigator.clipboard?.writeText(location.href).then(() => setSaid("Link copied"), () => setSaid("Copy it from the address bar"))
      ?? setSaid("Copy it from the address bar");
    setTimeout(() => setSaid(""), 2500);
  };
  return <button type="button" class="share" title="Copy the link to what is shown" onClick={copy}><span aria-live="polite">{said || "Share"}</span></button>;
}

function Theme() {
  const [choice, choose] = useTheme();
  return (
    <label class="theme"><span class="unseen">Light or dark</span>
      <select id="theme" value={choice} onChange={(event) => choose(event.currentTarget.value as Choice)}>
        {CHOICES.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
      </select>
    </label>
  );
}

export function Header({ model }: { model?: Model | undefined }) {
  return (
    <header>
      <div class="brand">
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
          <rect x="2" y="2" width="28" height="28" rx="8" />
          <path d="M7 24c5 0 6-4 8-9s3-8 5-8 3 4 5 4" />
          <circle cx="20" cy="7.5" r="2.4" />
        </svg>
        <div>
          <h1>sqmax explorer</h1>
          {model && <p class="faint">{count(model.items)} items · {count(model.users)} users</p>}
        </div>
      </div>
      <div class="header-tools">{model && <Share />}<Theme /></div>
    </header>
  );
}
