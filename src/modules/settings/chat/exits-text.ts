import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import type { ExitSet, Take } from '../rules/exit-set.ts';

const WHOLE = 10_000;

export function takeLabel(words: Words, { takes }: ExitSet): string {
  if (takes.length === 0) return words.text('btn.exit_take_off');
  const figures = figuresOf(words.language);
  return `TP ${takes.map(({ atBps }) => `+${figures.percent(atBps)}`).join(' ')}`;
}

export function stopLabel(words: Words, { stopBps, trailBps }: ExitSet): string {
  const figures = figuresOf(words.language);
  if (trailBps !== null) return words.text('btn.order_trail', { percent: figures.percent(trailBps) });
  return stopBps === null ? words.text('btn.exit_stop_off') : `SL −${figures.percent(stopBps)}`;
}

export function liquidityLabel(words: Words, bps: number): string {
  return words.text('btn.exit_liquidity', { percent: figuresOf(words.language).percent(bps) });
}

/** `TP +100% (50%) · SL −30%`: shares where a take-profit sells a part alone. Empty where there are none. */
export function exitsText(words: Words, exits: ExitSet): string {
  const figures = figuresOf(words.language);
  const { takes, stopBps, trailBps, devSells, liquidityBps } = exits;
  const part = ({ shareBps }: Take): string => (shareBps === WHOLE ? '' : ` (${figures.percent(shareBps)})`);
  return [
    ...takes.map((take) => `TP +${figures.percent(take.atBps)}${part(take)}`),
    ...(stopBps === null && trailBps === null ? [] : [stopLabel(words, exits)]),
    ...(devSells === true ? [words.text('btn.exit_dev')] : []),
    ...(liquidityBps === undefined ? [] : [liquidityLabel(words, liquidityBps)]),
  ].join(' · ');
}
