import { type Address, type TransferFee, WSOL_MINT } from '@tradepost/solana';
import type { MarketKeys } from '../market-keys.ts';
import type { TapeTrade } from '../trade.ts';
import { tradeId } from '../trade-id.ts';
import type { TapeTransaction } from '../transaction.ts';
import { type Call, callsOf, isWithin } from './calls.ts';
import { type FillEvent, fillEvents, logsAreCut } from './fill-events.ts';
import { legsOf, type VaultSide, vaultChange } from './legs.ts';
import { reconcile, type SettledLeg } from './reconcile.ts';
import { settleQuote } from './settle-quote.ts';

export type DecodableMarket = MarketKeys & {
  /** Row id: trades carry it. */
  readonly id: number;
  /** The transfer fees that the mints withhold, as far as they are known. */
  readonly transferFees: Readonly<Record<VaultSide, TransferFee | null>>;
};

/** Trades, or one sentence why the transaction cannot be decoded to the unit. Then nothing of it is recorded. */
export type Decoded =
  | { readonly kind: 'trades'; readonly trades: readonly TapeTrade[] }
  | { readonly kind: 'fault'; readonly why: string };

/** The change of the reserves by one call: positive amounts came in. */
type Net = {
  readonly ordinal: number;
  readonly base: bigint;
  readonly quote: bigint;
  readonly source: TapeTrade['source'];
  readonly fee: bigint | null;
  readonly taker: Address | null;
};

/**
 * The trades of one market in one transaction, by the amounts that entered and left its vaults in each call. A call that moves both vaults
 * the same way, or one alone, is liquidity or fees. Never netted over the transaction where several calls were made.
 */
export function decodeTrades(transaction: TapeTransaction, market: DecodableMarket): Decoded {
  if (transaction.failed) return { kind: 'trades', trades: [] };
  const nets = market.kind === 'book' ? fillsOfBook(transaction, market) : netsOfVaults(transaction, market);
  if (typeof nets === 'string') return { kind: 'fault', why: nets };
  const trades: TapeTrade[] = [];
  for (const net of nets) {
    const isTrade = (net.base > 0n && net.quote < 0n) || (net.base < 0n && net.quote > 0n);
    if (!isTrade) continue;
    const id = tradeId({ slot: transaction.slot, index: transaction.index, ordinal: net.ordinal });
    if (id === null) {
      const { slot, index } = transaction;
      return {
        kind: 'fault',
        why: `slot ${slot}, index ${index}, instruction ${net.ordinal} make no trade id`,
      };
    }
    trades.push({
      id,
      marketId: market.id,
      at: transaction.at,
      side: net.base < 0n ? 'buy' : 'sell',
      base: absolute(net.base),
      quote: absolute(net.quote),
      fee: net.fee,
      feeSource: net.fee === null ? 'unknown' : 'event',
      trader: net.taker ?? traderOf(transaction, market),
      signature: transaction.signature,
      source: net.source,
    });
  }
  return { kind: 'trades', trades };
}

function fillsOfBook(transaction: TapeTransaction, market: DecodableMarket): readonly Net[] | string {
  const calls = callsOf(transaction, market, []);
  if (calls.length === 0) return [];
  if (logsAreCut(transaction)) return 'the logs are cut, and fills are told nowhere else';
  const nets: Net[] = [];
  for (const call of calls) {
    const fills = fillEvents(transaction, call);
    if (fills === null) return 'the logs name a call that is not among the instructions';
    // A call takes once: a second event would need an id of its own.
    if (fills.length > 1) return `one call logged ${fills.length} fills`;
    nets.push(...fills.map((fill) => netOfFill(fill, call)));
  }
  return nets;
}

function netOfFill({ isBuy, base, quote, fee, taker }: FillEvent, { ordinal }: Call): Net {
  const sign = isBuy ? -1n : 1n;
  return { ordinal, base: sign * base, quote: -sign * quote, source: 'event', fee, taker };
}

function netsOfVaults(transaction: TapeTransaction, market: DecodableMarket): readonly Net[] | string {
  const stated = legsOf(transaction, market);
  const calls = callsOf(transaction, market, stated);
  const settled: SettledLeg[] = [];
  const problems: string[] = [];
  const changes = { base: 0n, quote: 0n };
  for (const side of ['base', 'quote'] as const) {
    const change = vaultChange(transaction, market, side);
    // A vault that the transaction does not name did not change.
    if (change === null) continue;
    changes[side] = change.after - change.before;
    const legs = stated.filter((leg) => leg.side === side);
    const fits =
      side === 'quote'
        ? settleQuote(transaction, market, { legs, calls, change })
        : reconcile(legs, change, calls, market.transferFees[side]);
    if (fits === null) {
      const told = legs.reduce((sum, { amount }) => sum + amount, 0n);
      problems.push(`the ${side} vault changed by ${changes[side]}, its instructions tell ${told}`);
    } else settled.push(...fits);
  }
  if (problems.length === 0) return calls.map((call) => netOfLegs(settled, call));
  const [only, ...more] = calls;
  const isSwap = changes.base * changes.quote < 0n;
  if (only === undefined || more.length > 0 || !isSwap) return problems.join('; ');
  return [{ ordinal: only.ordinal, ...changes, source: 'net', fee: null, taker: null }];
}

function netOfLegs(legs: readonly SettledLeg[], call: Call): Net {
  const own = legs.filter(({ at }) => isWithin(call, at));
  const sum = (side: VaultSide): bigint =>
    own.filter((leg) => leg.side === side).reduce((total, { amount }) => total + amount, 0n);
  return {
    // One instruction may call two pools; no transfer pays into both.
    ordinal: own.find(({ amount }) => amount > 0n)?.at ?? call.ordinal,
    base: sum('base'),
    quote: sum('quote'),
    source: 'call',
    fee: null,
    taker: null,
  };
}

/** The first signer whose own holdings of either mint changed, else who paid the fee. */
function traderOf(transaction: TapeTransaction, market: DecodableMarket): Address {
  const { signers, tokens, lamports, feeLamports } = transaction;
  const mints = [market.baseMint, market.quoteMint];
  const vaults = [market.baseVault, market.quoteVault];
  const changed = signers.find((signer, index) => {
    const own = tokens.some(
      ({ account, owner, mint, before, after }) =>
        owner === signer && mints.includes(mint) && !vaults.includes(account) && before !== after,
    );
    if (own || !mints.includes(WSOL_MINT)) return own;
    const held = lamports.find(({ account }) => account === signer);
    return held !== undefined && held.after - held.before !== (index === 0 ? -feeLamports : 0n);
  });
  const payer = changed ?? signers[0];
  if (payer === undefined) throw new RangeError(`transaction ${transaction.signature} has no signer`);
  return payer;
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
