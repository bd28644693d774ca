import { type Address, WSOL_MINT } from '@tradepost/solana';
import { windowStart } from '../../../core/time/age.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Follow } from '../../follows/rules/follow.ts';
import { ownFollow } from '../../follows/use/follow-wallet.ts';
import { rateOf } from '../../guard/use/usual-price.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { executablePrice } from '../../orders/use/executable-price.ts';
import { COPY_DEFAULTS, COPY_LIMITS, type Copy } from '../rules/copy.ts';
import { REPLAY, type Replay, type ReplayTrade, replay, type TapePrice } from '../rules/replay.ts';
import type { CopySpent } from '../store-port.ts';
import { worthOf } from './copy-buy.ts';
import { copyDelayMs } from './copy-delay.ts';
import type { CopyDeps } from './copy-deps.ts';
import { copyOf } from './switch-copy.ts';

export type CopyViewDeps = CopyDeps & {
  readonly tape: Pick<TapeStore, 'candlesOf'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly tradeFeeBps: () => number;
};

export type CopyOnScreen = {
  readonly follow: Follow;
  readonly copy: Copy | null;
  readonly spent: CopySpent | null;
  readonly replay: Replay;
};

/** The newest trades that a replay takes, and tokens whose pools are asked for it. */
const MOST_TRADES = 1_000;
const MOST_MINTS = 20;

/**
 * A followed wallet, its copy, and its replay over seven days with the copy's rules, or with the proposed ones.
 * Changes nothing. Throws FOLLOW_NOT_FOUND, CHAIN_UNREACHABLE.
 */
export async function viewCopy(
  deps: CopyViewDeps,
  asked: { readonly userId: string; readonly followId: string },
): Promise<CopyOnScreen> {
  const follow = await ownFollow(deps, asked);
  const copy = await copyOf(deps, asked);
  const user = await deps.db.users.find(asked.userId);
  const spent =
    copy === null ? null : await deps.db.copies.spent(copy.id, windowStart(COPY_LIMITS.dayMs, deps.clock));
  const to = deps.clock.now();
  const from = to - REPLAY.spanMs;
  const trades = await tradesOf(deps, follow.leader, from);
  const mints = [...new Set(trades.map(({ mint }) => mint))];
  const markets = await Promise.all(
    mints.map(async (mint) => marketOf(deps, mint, { follow, trades, from, to })),
  );
  const told = replay({
    trades,
    tape: new Map(markets.map(({ mint, prices }) => [mint, prices])),
    depth: new Map(markets.flatMap(({ mint, side }) => (side === null ? [] : [[mint, side]]))),
    rules: copy?.rules ?? { ...COPY_DEFAULTS, exits: { takes: [], stopBps: null, trailBps: null } },
    delayMs: await copyDelayMs(deps),
    feeBps: BigInt(deps.tradeFeeBps()),
    networkLamports: networkFeeCap(user?.settings.tier ?? 'normal'),
    from,
    to,
  });
  return { follow, copy, spent, replay: told };
}

/** Oldest first, of the tokens that were traded last. */
export async function tradesOf(
  deps: CopyViewDeps,
  leader: Address,
  from: number,
): Promise<readonly ReplayTrade[]> {
  const newest = (await deps.db.follows.trades(leader, from, MOST_TRADES)).filter(
    ({ takenBack }) => !takenBack,
  );
  const mints = new Set([...new Set(newest.map(({ mint }) => mint))].slice(0, MOST_MINTS));
  const kept = newest.filter(({ mint }) => mints.has(mint)).toReversed();
  return Promise.all(
    kept.map(async (trade) => {
      const { mint, side, at, units } = trade;
      return { mint, side, at, units, lamports: await worthOf(deps, trade) };
    }),
  );
}

type Span = { readonly from: number; readonly to: number };

type Asked = Span & {
  readonly follow: Pick<Follow, 'leader'>;
  readonly trades: readonly ReplayTrade[];
};

/** The prices of a token by the tape, the leader's own trades among them, and one side of its pools of today. */
export async function marketOf(
  deps: Pick<CopyViewDeps, 'trade' | 'tape' | 'markets'>,
  mint: Address,
  { follow, trades, from, to }: Asked,
) {
  const wallet = follow.leader;
  const amount = COPY_LIMITS.leastBuyLamports;
  const [bars, price] = await Promise.all([
    barsOf(deps, mint, { from, to }),
    executablePrice(deps.trade, { side: 'buy', mint, amount, wallet }).catch(() => null),
  ]);
  const own = trades.flatMap((one): readonly TapePrice[] =>
    one.mint === mint && one.lamports !== null && one.units > 0n
      ? [{ at: one.at, lamports: one.lamports, units: one.units }]
      : [],
  );
  const prices = [...own, ...bars].toSorted((one, other) => one.at - other.at);
  return { mint, prices, side: price === null ? null : price.depthLamports / 2n };
}

/** The ends of the minutes in which anybody traded the token for SOL. */
async function barsOf(
  { tape, markets }: Pick<CopyViewDeps, 'tape' | 'markets'>,
  mint: Address,
  { from, to }: Span,
): Promise<readonly TapePrice[]> {
  const [market] = (await markets.ofMint(mint)).filter(
    ({ baseMint, quoteMint }) => baseMint === mint && quoteMint === WSOL_MINT,
  );
  if (market === undefined) return [];
  const seconds = { from: Math.floor(from / 1_000), to: Math.floor(to / 1_000) + 1 };
  const bars = (await tape.candlesOf([market.id], 1, seconds)).get(market.id) ?? [];
  return bars.flatMap(({ t, prices }) => {
    const rate = prices === null ? null : rateOf(prices.close, market.baseDecimals);
    return rate === null ? [] : [{ at: (t + 59) * 1_000, lamports: rate.got, units: rate.given }];
  });
}
