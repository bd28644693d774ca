import {
  type DecodableMarket,
  decodeTrades,
  type Linked,
  linkBalances,
  type TapeTrade,
  type TapeTransaction,
  type VaultPost,
} from '@tradepost/tape';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { TapeFault } from '../../../platform/ports/tape-store.ts';
import {
  READ_EFFORTS,
  type ReadRange,
  type TransactionSource,
} from '../../../platform/ports/transaction-source.ts';
import type { Market } from '../rules/market.ts';

export type ReadMarketDeps = {
  readonly source: TransactionSource;
  readonly chain: Pick<Chain, 'token' | 'accounts'>;
};

/** The result of reading the market's transactions in a range. */
export type MarketRead = {
  readonly transactions: readonly TapeTransaction[];
  readonly trades: readonly TapeTrade[];
  readonly faults: readonly TapeFault[];
};

/** The market with the transfer fees of its mints. */
export async function decodable(
  { chain }: { readonly chain: Pick<Chain, 'token'> },
  market: Market,
): Promise<DecodableMarket> {
  const [base, quote] = await Promise.all([chain.token(market.baseMint), chain.token(market.quoteMint)]);
  return {
    ...market,
    transferFees: {
      base: base?.extensions.transferFee ?? null,
      quote: quote?.extensions.transferFee ?? null,
    },
  };
}

export function decodeAll(transactions: readonly TapeTransaction[], market: DecodableMarket): MarketRead {
  const trades: TapeTrade[] = [];
  const faults: TapeFault[] = [];
  for (const transaction of transactions) {
    const decoded = decodeTrades(transaction, market);
    if (decoded.kind === 'trades') trades.push(...decoded.trades);
    else {
      const { signature, slot } = transaction;
      faults.push({ signature, slot, marketId: market.id, why: decoded.why });
    }
  }
  return { transactions, trades, faults };
}

export type ProvenRead = MarketRead & {
  /** However hard it was tried, something is missing: from this slot on, as far as is known. Null where all is there. */
  readonly hole: { readonly since: bigint; readonly why: string } | null;
};

/**
 * Reads a market's transactions and proves by the vaults' balances that none is missing. Where they do not link, it reads again, harder
 * each time. `held` holds the vaults' balances at the end, where they are known. Throws the source's errors.
 */
export async function readProven(
  { source }: Pick<ReadMarketDeps, 'source'>,
  market: DecodableMarket,
  range: Omit<ReadRange, 'effort'>,
  post: VaultPost,
  held: VaultPost,
): Promise<ProvenRead> {
  let last: ProvenRead | null = null;
  for (const effort of READ_EFFORTS) {
    const transactions = await source.read(market, { ...range, effort });
    const linked = linkBalances(transactions, market, post);
    const hole = holeOf(linked, range.after, post, held, transactions.at(-1)?.slot ?? null);
    last = { ...decodeAll(transactions, market), hole };
    if (hole === null) return last;
  }
  if (last === null) throw new RangeError('no way to read was tried');
  return last;
}

/** Where something is missing: between two transactions, or after the last of them. */
function holeOf(
  linked: Linked,
  after: bigint,
  before: VaultPost,
  held: VaultPost,
  last: bigint | null,
): ProvenRead['hole'] {
  if (linked.kind === 'broken') return { since: linked.since ?? after + 1n, why: linked.why };
  const post = linked.post ?? before;
  if (post === null || held === null || (post.base === held.base && post.quote === held.quote)) return null;
  const why = `the vaults hold ${held.base} and ${held.quote}, after the last transaction ${post.base} and ${post.quote}`;
  return { since: last ?? after + 1n, why };
}
