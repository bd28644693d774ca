import { createHash } from 'node:crypto';
import { elapsedSince, markOf } from '../../core/time/elapsed.ts';
import type { Charts } from '../ports/charts.ts';
import type { Clock, Mark } from '../ports/clock.ts';
import { createSlots } from './slots.ts';

/** A picture takes some 30 ms of a core, off the main thread for a part: two at a time leave the chat alive. */
const AT_ONCE = 2;
/** People look at the same chart at the same time, and press Refresh. */
const KEPT_MS = 10_000;
const KEPT = 100;

/** Charts through Skia, which is loaded for the first of them: starting takes long enough without. */
export function createCharts(clock: Clock): Charts {
  const slot = createSlots(AT_ONCE);
  const kept = new Map<string, { readonly at: Mark; readonly png: Promise<Uint8Array> }>();

  const once = (kind: string, facts: unknown, draw: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const key = createHash('sha256')
      .update(`${kind}|${JSON.stringify(facts)}`)
      .digest('base64');
    const found = kept.get(key);
    if (found !== undefined && elapsedSince(found.at, clock) < KEPT_MS) return found.png;
    const png = slot(draw);
    kept.delete(key);
    kept.set(key, { at: markOf(clock), png });
    png.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return png;
  };
  return {
    candles: (picture) =>
      once('candles', picture, async () => (await import('./charts/draw-candles.ts')).drawCandles(picture)),
    depth: (picture) =>
      once('depth', picture, async () => (await import('./charts/draw-depth.ts')).drawDepth(picture)),
    pnl: (picture) =>
      once('pnl', picture, async () => (await import('./charts/draw-pnl.ts')).drawPnl(picture)),
    portfolio: (picture) =>
      once('portfolio', picture, async () =>
        (await import('./charts/draw-portfolio.ts')).drawPortfolio(picture),
      ),
  };
}
