// Blend: from discovery to popularity, τ' of docs/losses/rgp.md, with the model's own value marked.
import { fixed } from "../words";

interface Props { value: number; own: number; onMove: (value: number | undefined) => void }

export function Blend({ value, own, onMove }: Props) {
  const most = own > 1 ? 2 : 1;
  const said = `${fixed(value, 2)}${Math.abs(value - own) < 0.005 ? ", the model's own" : ""}`;
  const snap = (moved: number) => onMove(Math.abs(moved - own) < 0.015 * most ? undefined : moved);
  return (
    <div class="blend">
      <div class="blend-head">
        <label for="blend">How far popularity counts</label>
        <output for="blend">{fixed(value, 2)}</output>
      </div>
      <div class="track">
        <input id="blend" type="range" min="0" max={most} step="0.01" value={value} aria-valuetext={said} list="blend-own"
          onInput={(event) => snap(event.currentTarget.valueAsNumber)} />
        <span class="own" style={{ "--at": own / most }} aria-hidden="true" />
      </div>
      <div class="blend-ends">
        <span>Discovery</span>
        <button type="button" class="quiet" disabled={Math.abs(value - own) < 0.005} onClick={() => onMove(undefined)}>
          model’s own: {fixed(own, 2)}
        </button>
        <span>Popularity</span>
      </div>
    </div>
  );
}
