import { type Address, maxBigint } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { microUsd } from '../../trading/rules/price.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { DAY_MS, dayStart, todaysResult } from '../rules/day.ts';
import { foldEvents } from '../rules/fold-events.ts';
import { foldPositions, type HeldPosition } from './fold-positions.ts';
import { knownEvents } from './known-events.ts';
import type { SaleNow } from './sale-now.ts';

export type PositionDeps = {
  readonly db: Database;
  readonly chain: Pick<Chain, 'token' | 'holdings' | 'accounts'>;
  readonly clock: Clock;
  readonly solPrice: SolPrice;
  readonly saleNow: (sale: {
    readonly wallet: Address;
    readonly mint: Address;
    readonly units: bigint;
    readonly tier: PriorityTier;
  }) => Promise<SaleNow | null>;
};

/** One position as it is shown. Lamports; null = not known, never zero. */
export type ShownPosition = {
  readonly position: HeldPosition;
  readonly token: Token | null;
  readonly sale: SaleNow | null;
  /** Whether a sale was looked for: without it nothing is said of the market. */
  readonly priced: boolean;
  /** Net value less cost, and at worst minus the cost: a sale that only costs need not be made. */
  readonly unrealized: bigint | null;
};

export type PositionList = {
  readonly wallet: Wallet;
  /** Held, wanted, and worth more than dust or of unknown worth; largest net value first. */
  readonly shown: readonly ShownPosition[];
  /** Held, and hidden: by the person, as an airdrop, or as dust. */
  readonly hidden: readonly ShownPosition[];
  /** Of the positions shown; null while one of them is not known. */
  readonly netValue: bigint | null;
  /** Since 00:00 UTC; null without the value at midnight. */
  readonly today: bigint | null;
  readonly realizedWeek: bigint;
  /** The network's and the platform's, of the last seven days. */
  readonly feesWeek: bigint;
  /** Trades of this wallet that are on their way, or confirmed without a receipt. Their changes are not in here yet. */
  readonly underWay: number;
  /** Trades of this wallet that are in here and not final. */
  readonly notFinal: number;
  readonly microUsdPerSol: bigint | null;
  readonly at: number;
};

/** One dollar: a position worth less is not shown by itself. */
const DUST_MICRO_USD = 1_000_000n;
/** Positions that are priced for one screen; more are named and not priced. */
const MOST_PRICED = 24;
const WEEK_DAYS = 7;

/** The positions of one wallet with the current proceeds of a sale of each. Reads only. */
export async function listPositions(
  deps: PositionDeps,
  input: { readonly userId: string; readonly wallet: Wallet; readonly tier: PriorityTier },
): Promise<PositionList> {
  const { userId, wallet } = input;
  const now = deps.clock.now();
  const { wallets, positions } = await foldPositions(deps.db, userId);
  const held = positions.filter(({ walletId, units }) => walletId === wallet.id && units > 0n);
  const [priced, microUsdPerSol, week, recent] = await Promise.all([
    Promise.all(held.map((position, index) => showPosition(deps, input, position, index < MOST_PRICED))),
    deps.solPrice(),
    weekOf(
      deps,
      wallets.map(({ id }) => id),
      wallet.id,
      now,
    ),
    deps.db.intents.listByUser(userId, { limit: 20, kinds: ['buy', 'sell'] }),
  ]);
  const isDust = ({ sale }: ShownPosition): boolean =>
    sale !== null &&
    microUsdPerSol !== null &&
    microUsd(maxBigint(0n, sale.netLamports), microUsdPerSol) < DUST_MICRO_USD;
  const isHidden = (one: ShownPosition): boolean =>
    one.position.hiddenByPerson ?? (one.position.hidden || isDust(one));
  const shown = priced.filter((one) => !isHidden(one)).toSorted(byValue);
  const netValue = sumOf(shown.map(worthOf));
  return {
    wallet,
    shown,
    hidden: priced.filter(isHidden),
    netValue,
    today: todaysResult({
      walletId: wallet.id,
      day: dayStart(now),
      events: week.events,
      positions,
      // Dust as well: a token that lost everything today has become dust.
      worthNow: new Map(priced.map((one) => [one.position.mint, worthOf(one)])),
    }),
    realizedWeek: week.realized,
    feesWeek: week.fees,
    underWay: recent.filter(
      ({ id, walletId, status }) =>
        walletId === wallet.id && (status === 'CREATED' || status === 'ACTIVE') && !week.counted.has(id),
    ).length,
    notFinal: week.counted.size,
    microUsdPerSol,
    at: now,
  };
}

/** One position, priced; without its price where `priced` is false. */
export async function showPosition(
  deps: Pick<PositionDeps, 'saleNow'> & { readonly chain: Pick<Chain, 'token'> },
  { wallet, tier }: { readonly wallet: Wallet; readonly tier: PriorityTier },
  position: HeldPosition,
  priced = true,
): Promise<ShownPosition> {
  const { mint, units, cost } = position;
  const [token, sale] = await Promise.all([
    deps.chain.token(mint).catch(() => null),
    priced ? deps.saleNow({ wallet: wallet.address, mint, units, tier }) : null,
  ]);
  const worth = worthOf({ sale });
  return { position, token, sale, priced, unrealized: worth === null ? null : worth - cost };
}

/** The changes of the last seven days to this wallet. All wallets' events are folded, since a move between two takes its cost along. */
async function weekOf(
  { db }: Pick<PositionDeps, 'db'>,
  walletIds: readonly string[],
  walletId: string,
  now: number,
) {
  const since = now - WEEK_DAYS * DAY_MS;
  const { events, pending } = await knownEvents(db, walletIds);
  const mine = foldEvents(events).entries.filter(({ event }) => event.walletId === walletId);
  const lately = mine.filter(({ event }) => event.at >= since);
  return {
    events,
    /** Intents of this wallet whose confirmed trade is counted before it is final. */
    counted: new Set(pending.flatMap((event) => (event.walletId === walletId ? [event.intentId] : []))),
    realized: lately.reduce((sum, { realizedChange }) => sum + realizedChange, 0n),
    fees: events
      .filter((event) => event.walletId === walletId && event.at >= since)
      .reduce((sum, event) => sum + event.networkFeeLamports + event.platformFeeLamports, 0n),
  };
}

/** The proceeds of a sale, at least nothing: a sale that only costs need not be made. Null = not known. */
function worthOf({ sale }: Pick<ShownPosition, 'sale'>): bigint | null {
  return sale === null ? null : maxBigint(0n, sale.netLamports);
}

function byValue(a: ShownPosition, b: ShownPosition): number {
  const [left, right] = [a.sale?.netLamports ?? -1n, b.sale?.netLamports ?? -1n];
  return left === right ? 0 : left > right ? -1 : 1;
}

function sumOf(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce<bigint | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0n,
  );
}
