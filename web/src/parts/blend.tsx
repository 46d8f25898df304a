// Blend: from discovery to popularity, τ' of docs/losses/rgp.md, with the model's own value marked.
import { fixed } from "../words";

interface Props { value: number; own: number; onMove: (value: number | undefined) => void }

const STEP = 0.01;

export function Blend({ value, own, onMove }: Props) {
  const most = own > 1 ? 2 : 1;
  const isOwn = (each: number) => Math.abs(each - own) < STEP / 2;
  const said = `${fixed(value, 2)}${isOwn(value) ? ", the model's own" : ""}`;
  return (
    <div class="blend">
      <div class="blend-head">
        <label for="blend">How far popularity counts</label>
        <output for="blend">{fixed(value, 2)}</output>
      </div>
      <div class="track">
        <input id="blend" type="range" min="0" max={most} step={STEP} value={value} aria-valuetext={said}
          onInput={(event) => onMove(isOwn(event.currentTarget.valueAsNumber) ? undefined : event.currentTarget.valueAsNumber)} />
        <span class="own" style={{ "--at": own / most }} aria-hidden="true" />
      </div>
      <div class="blend-ends">
        <span>Discovery</span>
        <button type="button" class="quiet" disabled={isOwn(value)} onClick={() => onMove(undefined)}>
          model’s own: {fixed(own, 2)}
        </button>
        <span>Popularity</span>
      </div>
    </div>
  );
}
