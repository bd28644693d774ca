/** A share of a purchase's units that is sold at a profit. Hundredths of a percent. */
export type Take = {
  /** Above the entry, network fee and account deposit not counted. */
  readonly atBps: number;
  /** Of the units that arrived. */
  readonly shareBps: number;
};

/** Sales that go with a purchase: up to three take-profits, and one stop that sells the rest. All empty: none. */
export type ExitSet = {
  readonly takes: readonly Take[];
  /** Below the entry; null = no stop-loss. */
  readonly stopBps: number | null;
  /** Below the high; null = no trailing stop. */
  readonly trailBps: number | null;
};

export const NO_EXITS: ExitSet = { takes: [], stopBps: null, trailBps: null };
export const MOST_TAKES = 3;
/** Of a take-profit, as far as an order's price can be said. */
export const TAKE_LIMITS_BPS = { min: 1, max: 100_000_000 } as const;
/** Of a trailing stop, as a placing takes it. */
export const TRAIL_LIMITS_BPS = { min: 100, max: 9_000 } as const;

export function hasExits({ takes, stopBps, trailBps }: ExitSet): boolean {
  return takes.length > 0 || stopBps !== null || trailBps !== null;
}

/** Whether a purchase can carry it: shares are a whole at most, no two takes at one price, and one stop alone sells the rest. */
export function isExitSet({ takes, stopBps, trailBps }: ExitSet): boolean {
  const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
    Number.isSafeInteger(value) && value >= min && value <= max;
  const shares = takes.reduce((sum, { shareBps }) => sum + shareBps, 0);
  return (
    takes.length <= MOST_TAKES &&
    takes.every(
      ({ atBps, shareBps }) => within(atBps, TAKE_LIMITS_BPS) && within(shareBps, { min: 1, max: 10_000 }),
    ) &&
    new Set(takes.map(({ atBps }) => atBps)).size === takes.length &&
    shares <= 10_000 &&
    (stopBps === null || trailBps === null) &&
    (stopBps === null || within(stopBps, { min: 1, max: 9_999 })) &&
    (trailBps === null || within(trailBps, TRAIL_LIMITS_BPS))
  );
}

export function sameExits(one: ExitSet, other: ExitSet): boolean {
  const text = ({ takes, stopBps, trailBps }: ExitSet): string =>
    [...takes.map(({ atBps, shareBps }) => `${atBps}:${shareBps}`), stopBps, trailBps].join();
  return text(one) === text(other);
}

/** `+100%`, `-12.5%`: as a person would have typed it. */
export function exitRequest(moveBps: number): string {
  const size = Math.abs(moveBps);
  const part =
    size % 100 === 0
      ? ''
      : `.${String(size % 100)
          .padStart(2, '0')
          .replace(/0$/, '')}`;
  return `${moveBps < 0 ? '-' : '+'}${Math.floor(size / 100)}${part}%`;
}
