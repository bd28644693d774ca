import {
  firstIdOfSlot,
  linkBalances,
  type RecordedTrade,
  type TapeTrade,
  type TapeTransaction,
  type VaultBalances,
} from '@tradepost/tape';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { TransactionSource } from '../../../platform/ports/transaction-source.ts';
import type { Market } from '../rules/market.ts';
import { decodable, decodeAll } from './read-market.ts';
import { vaultsNow } from './vaults-now.ts';
import { firstWrongBar, type WrongBar } from './verify-bars.ts';

export type VerifyMarketDeps = {
  readonly source: TransactionSource;
  readonly chain: Pick<Chain, 'token' | 'accounts'>;
  readonly tape: Pick<TapeStore, 'cursor' | 'trades' | 'candles'>;
};

/** A market on the chain, and the same market in the tape. */
export type MarketReport = {
  readonly from: bigint;
  readonly upTo: bigint;
  readonly transactions: number;
  readonly links: number;
  /** Where the balances do not link; null where nothing is missing. */
  readonly hole: string | null;
  readonly faults: number;
  readonly trades: number;
  /** On the chain and not on the tape, on the tape and not on the chain, and with other contents. */
  readonly missing: readonly TapeTrade[];
  readonly extra: readonly RecordedTrade[];
  readonly different: readonly TapeTrade[];
  /** The first bar that its trades do not make. */
  readonly wrongBar: WrongBar | null;
  /** The vaults' balances after the last transaction that was read, and their balances now. */
  readonly post: VaultBalances | null;
  readonly now: VaultBalances;
  readonly isExact: boolean;
};

/** Slots of one read of whole blocks. */
const SLOTS_AT_ONCE = 500n;
const PAGE = 1_000;
/** At bars, while trades come in. */
const LOOKS = 5;

/**
 * Reads a market's final transactions again, from a slot or from the tape's first trade, and compares the tape with them to the unit. Null
 * for a market that was never read. Throws the source's errors.
 */
export async function verifyMarket(
  deps: VerifyMarketDeps,
  market: Market,
  fromSlot: bigint | null,
): Promise<MarketReport | null> {
  const { source, tape } = deps;
  const cursor = await tape.cursor(market.id);
  if (cursor === null) return null;
  const oldest = await source.oldest();
  const from = [fromSlot ?? market.createdSlot + 1n, oldest].reduce((a, b) => (a > b ? a : b));
  // Before the balances: a transaction that comes in between was not read, and the balances show it.
  const now = await vaultsNow(deps, market);
  const horizon = await source.horizon('finalized');
  const upTo = cursor.sealedSlot < horizon ? cursor.sealedSlot : horizon;
  const transactions = await readAll(source, market, from - 1n, upTo);
  const linked = linkBalances(transactions, market, null);
  const read = decodeAll(transactions, await decodable(deps, market));
  const recorded = await recordedIn(tape, market.id, from, upTo);
  const known = new Map(recorded.map((trade) => [trade.id, trade]));
  const told = new Set(read.trades.map(({ id }) => id));
  const missing = read.trades.filter(({ id }) => !known.has(id));
  const extra = recorded.filter(({ id }) => !told.has(id));
  const different = read.trades.filter((trade) => {
    const other = known.get(trade.id);
    return other !== undefined && !isSame(trade, other);
  });
  const wrongBar = await wrongBarOf(tape, market, from);
  const hole = linked.kind === 'broken' ? linked.why : null;
  const post = linked.kind === 'whole' ? linked.post : null;
  return {
    from,
    upTo,
    transactions: transactions.length,
    links: linked.kind === 'whole' ? linked.links : 0,
    hole,
    faults: read.faults.length,
    trades: read.trades.length,
    missing,
    extra,
    different,
    wrongBar,
    post,
    now,
    isExact:
      hole === null &&
      wrongBar === null &&
      read.faults.length + missing.length + extra.length + different.length === 0,
  };
}

/** Bars hold unsealed trades too; a trade that came between two reads is waited out. */
async function wrongBarOf(
  tape: Pick<TapeStore, 'trades' | 'candles'>,
  market: Market,
  from: bigint,
): Promise<WrongBar | null> {
  const isWhole = from === market.createdSlot + 1n;
  for (let look = 1; ; look += 1) {
    const trades = await recordedIn(tape, market.id, from, null);
    const wrong = await firstWrongBar(tape, market.id, trades, isWhole);
    if (wrong === null || look === LOOKS) return wrong;
    const [newest] = await tape.trades(market.id, { limit: 1 });
    if (newest?.id === trades[0]?.id) return wrong;
  }
}

async function readAll(
  source: TransactionSource,
  market: Market,
  after: bigint,
  upTo: bigint,
): Promise<readonly TapeTransaction[]> {
  const step = source.reads === 'together' ? SLOTS_AT_ONCE : upTo;
  const found: TapeTransaction[] = [];
  for (let at = after; at < upTo; at += step) {
    const end = at + step < upTo ? at + step : upTo;
    found.push(
      ...(await source.read(market, { after: at, upTo: end, level: 'finalized', effort: 'vaults' })),
    );
  }
  return found;
}

async function recordedIn(
  tape: Pick<TapeStore, 'trades'>,
  marketId: number,
  from: bigint,
  /** Null: to the newest. */
  upTo: bigint | null,
): Promise<readonly RecordedTrade[]> {
  const found: RecordedTrade[] = [];
  let before = upTo === null ? null : firstIdOfSlot(upTo + 1n);
  for (;;) {
    const page = await tape.trades(marketId, {
      after: firstIdOfSlot(from) - 1n,
      ...(before === null ? {} : { before }),
      limit: PAGE,
    });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    before = last.id;
  }
}

function isSame(a: TapeTrade, b: TapeTrade): boolean {
  return (
    a.side === b.side &&
    a.base === b.base &&
    a.quote === b.quote &&
    a.signature === b.signature &&
    a.trader === b.trader &&
    a.fee === b.fee
  );
}
