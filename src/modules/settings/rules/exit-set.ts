/** A share of a purchase's units that is sold at a profit. Hundredths of a percent. */
export type Take = {
  /** Above the entry, network fee and account deposit not counted. */
  readonly atBps: number;
  /** Of the units that arrived. */
  readonly shareBps: number;
};

/**
 * Sales that go with a purchase: up to three take-profits, one stop that sells the rest, and two that sell it at an event. All empty: none.
 */
export type ExitSet = {
  readonly takes: readonly Take[];
  /** Below the entry; null = no stop-loss. */
  readonly stopBps: number | null;
  /** Below the high; null = no trailing stop. */
  readonly trailBps: number | null;
  /** It sells the rest when the token's creator sells. Absent: it does not. */
  readonly devSells?: true;
  /** It sells the rest when liquidity falls by this share. Absent: it does not. */
  readonly liquidityBps?: number;
};

export const NO_EXITS: ExitSet = { takes: [], stopBps: null, trailBps: null };
export const MOST_TAKES = 3;
/** Of a take-profit, as far as an order's price can be said. */
export const TAKE_LIMITS_BPS = { min: 1, max: 100_000_000 } as const;
/** The falls of liquidity that an order may wait for, the usual one first. */
export const LIQUIDITY_STEPS_BPS = [5_000, 7_000, 3_000] as const;
/** Of a trailing stop, as a placing takes it. */
export const TRAIL_LIMITS_BPS = { min: 100, max: 9_000 } as const;

export function hasExits({ takes, stopBps, trailBps, devSells, liquidityBps }: ExitSet): boolean {
  return (
    takes.length > 0 ||
    stopBps !== null ||
    trailBps !== null ||
    devSells === true ||
    liquidityBps !== undefined
  );
}

/** The set with the sale at the creator's own, or without it. */
export function withDevSells({ devSells: _before, ...exits }: ExitSet, isOn: boolean): ExitSet {
  return isOn ? { ...exits, devSells: true } : exits;
}

/** The set with the sale at a fall of liquidity; null = without one. */
export function withLiquidity({ liquidityBps: _before, ...exits }: ExitSet, bps: number | null): ExitSet {
  return bps === null ? exits : { ...exits, liquidityBps: bps };
}

/** The next choice of a fall: none, then each step. */
export function nextLiquidity(bps: number | null): number | null {
  const choices: readonly (number | null)[] = [null, ...LIQUIDITY_STEPS_BPS];
  return choices[(choices.indexOf(bps) + 1) % choices.length] ?? null;
}

/** Whether a purchase can carry it: shares are a whole at most, no two takes at one price, and one stop alone sells the rest. */
export function isExitSet({ takes, stopBps, trailBps, liquidityBps }: ExitSet): boolean {
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
    (trailBps === null || within(trailBps, TRAIL_LIMITS_BPS)) &&
    (liquidityBps === undefined || LIQUIDITY_STEPS_BPS.some((step) => step === liquidityBps))
  );
}

export function sameExits(one: ExitSet, other: ExitSet): boolean {
  const text = ({ takes, stopBps, trailBps, devSells, liquidityBps }: ExitSet): string =>
    [
      ...takes.map(({ atBps, shareBps }) => `${atBps}:${shareBps}`),
      stopBps,
      trailBps,
      devSells,
      liquidityBps,
    ].join();
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
