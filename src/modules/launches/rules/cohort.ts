import { type Address, mulDivFloor } from '@tradepost/solana';
import { firstIdOfSlot, type RecordedTrade, slotOfTrade } from '@tradepost/tape';
import type { SeenLaunch } from './stage.ts';

/** Slots after the creation whose buyers count as snipers. */
const SNIPED_SLOTS = 3n;

export type CohortTrade = Pick<
  RecordedTrade,
  'id' | 'at' | 'side' | 'base' | 'quote' | 'trader' | 'signature'
>;

/** The purchases of a few early wallets. */
export type Cohort = {
  /** Of the supply, rounded up: bought in their slots. */
  readonly bps: number;
  readonly wallets: readonly Address[];
  /** Purchases, oldest first. */
  readonly trades: readonly CohortTrade[];
  /** Of the supply, rounded up: bought less sold on the tape until now; null where the tape does not show all of it. */
  readonly heldBps: number | null;
};

/** Each is null where the tape does not show all of it. */
export type Cohorts = {
  /** Bought and sold by the creator on the tape. */
  readonly dev: {
    readonly boughtBps: number;
    readonly soldBps: number;
    readonly trades: readonly CohortTrade[];
  } | null;
  /** Bought by others in the slot of the creation. */
  readonly bundle: Cohort | null;
  /** Bought by others in the three slots after it. */
  readonly snipers: Cohort | null;
};

/** How far the tape of a curve's market reaches; null where there is none. */
export type TapeSpan = {
  /** Trades of later slots are known. */
  readonly after: bigint;
  /** Trades up to here are known. */
  readonly upTo: bigint;
  /** From this slot on trades may be missing; null where none are. */
  readonly gapSince: bigint | null;
} | null;

const NONE: Cohorts = { dev: null, bundle: null, snipers: null };

/**
 * The early wallets of a launch, by the tape of its curve. `trades`: all of them up to the span's end, oldest first; null where they are
 * too many to read. A figure whose slots the tape does not cover whole is null, never 0.
 */
export function cohorts(
  launch: Pick<SeenLaunch, 'creator' | 'createdSlot'>,
  {
    supply,
    span,
    early,
    trades,
  }: {
    readonly supply: bigint;
    readonly span: TapeSpan;
    /** Those of the first slots; null where they are too many to read. */
    readonly early: readonly CohortTrade[] | null;
    readonly trades: readonly CohortTrade[] | null;
  },
): Cohorts {
  const { creator, createdSlot } = launch;
  if (span === null || supply <= 0n || span.after >= createdSlot) return NONE;
  const isKnown = (slot: bigint): boolean =>
    span.upTo >= slot && (span.gapSince === null || span.gapSince > slot);
  const whole = trades !== null && isKnown(span.upTo) ? trades : null;
  const share = (units: bigint): number => shareBps(units, supply);
  const of = (from: bigint, to: bigint): Cohort | null => {
    if (early === null || !isKnown(to)) return null;
    const bought = early.filter(({ id, side, trader }) => {
      const slot = slotOfTrade(id);
      return side === 'buy' && trader !== creator && slot >= from && slot <= to;
    });
    const wallets = [...new Set(bought.map(({ trader }) => trader))];
    return {
      bps: share(unitsOf(bought)),
      wallets,
      trades: bought,
      heldBps: whole === null ? null : share(netOf(whole, new Set(wallets))),
    };
  };
  const own = whole?.filter(({ trader }) => trader === creator) ?? null;
  return {
    dev:
      own === null
        ? null
        : {
            boughtBps: share(unitsOf(own.filter(({ side }) => side === 'buy'))),
            soldBps: share(unitsOf(own.filter(({ side }) => side === 'sell'))),
            trades: own,
          },
    bundle: of(createdSlot, createdSlot),
    snipers: of(createdSlot + 1n, createdSlot + SNIPED_SLOTS),
  };
}

/** The ids that the trades of the first slots have: `after` and `before` are exclusive. */
export function earlyIds({ createdSlot }: Pick<SeenLaunch, 'createdSlot'>): {
  readonly after: bigint;
  readonly before: bigint;
} {
  return { after: firstIdOfSlot(createdSlot) - 1n, before: firstIdOfSlot(createdSlot + SNIPED_SLOTS + 1n) };
}

const unitsOf = (trades: readonly CohortTrade[]): bigint => trades.reduce((sum, { base }) => sum + base, 0n);

/** Units that these wallets bought more than they sold, each for itself; no wallet holds less than nothing. */
function netOf(trades: readonly CohortTrade[], wallets: ReadonlySet<Address>): bigint {
  const held = new Map<Address, bigint>();
  for (const { trader, side, base } of trades)
    if (wallets.has(trader)) held.set(trader, (held.get(trader) ?? 0n) + (side === 'buy' ? base : -base));
  return [...held.values()].reduce((sum, units) => (units > 0n ? sum + units : sum), 0n);
}

/** Rounded up: a risk is never shown smaller than it is. */
export function shareBps(units: bigint, supply: bigint): number {
  const bps = mulDivFloor(units, 10_000n, supply);
  return Number(bps * supply < units * 10_000n ? bps + 1n : bps);
}

/** The gravest of these figures, and which it is; null where none is known. */
export function worstOf(figures: {
  readonly devBps: number | null;
  readonly bundleBps: number | null;
  readonly snipersBps: number | null;
}): { readonly kind: 'dev' | 'bundle' | 'snipers'; readonly bps: number } | null {
  const known = [
    { kind: 'dev', bps: figures.devBps },
    { kind: 'bundle', bps: figures.bundleBps },
    { kind: 'snipers', bps: figures.snipersBps },
  ] as const;
  return known.reduce<ReturnType<typeof worstOf>>(
    (worst, { kind, bps }) => (bps !== null && bps > (worst?.bps ?? -1) ? { kind, bps } : worst),
    null,
  );
}
