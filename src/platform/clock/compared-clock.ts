import type { Clock } from '../ports/clock.ts';

/** Below it clocks count as agreeing: so much a question to a server takes. */
const AGREE_MS = 1_000;
/** A reading of the chain that is older says nothing any more. */
const CHAIN_KEPT_MS = 600_000;

export type ComparedClock = Required<Clock> & {
  /** What another clock shows at this moment, in epoch milliseconds. */
  readonly compared: (other: 'database' | 'chain', at: number) => void;
};

/**
 * A clock that remembers what the others showed, and goes on from there by `elapsed`: milliseconds of a clock that cannot be set. So it
 * notices at once when its own was set, ahead or back.
 */
export function comparedClock(own: Clock, elapsed: () => number): ComparedClock {
  const seen = new Map<'database' | 'chain', { readonly at: number; readonly mark: number }>();
  const readings = (): readonly number[] => {
    const now = own.now();
    const others = [...seen].flatMap(([other, { at, mark }]) => {
      const since = elapsed() - mark;
      return other === 'chain' && since > CHAIN_KEPT_MS ? [] : [at + since];
    });
    return [now, ...others.map((at) => (Math.abs(at - now) < AGREE_MS ? now : at))];
  };
  return {
    now: () => own.now(),
    earliest: () => Math.min(...readings()),
    latest: () => Math.max(...readings()),
    mark: () => ({ steadyMs: elapsed() }),
    compared: (other, at) => void seen.set(other, { at, mark: elapsed() }),
  };
}
