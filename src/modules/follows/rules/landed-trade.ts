import type { Address } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import { isTrade, type LeaderTrade, paidOf } from './leader-trade.ts';

/**
 * The dealings of a wallet in one final transaction, by what its own accounts lost and got: SOL with its wrapped accounts, the network's fee
 * and rent put back. One token up against money down is a purchase, down and up a sale, two tokens that cross a sale and a purchase.
 * Nothing for a failed transaction, one that the wallet did not sign, and one that only moved something. At: epoch milliseconds. Newer: the
 * wallet's transactions of its past that came after it; their number orders the past, below every id of the tape, which takes back none.
 */
export function landedTrades(
  landed: Pick<
    LandedTransaction,
    'signature' | 'err' | 'feeLamports' | 'balances' | 'tokenBalances' | 'signatureCount'
  >,
  leader: Address,
  {
    money,
    at,
    newer,
  }: {
    readonly money: readonly [sol: Address, ...dollars: readonly Address[]];
    readonly at: number;
    readonly newer: number;
  },
): readonly LeaderTrade[] {
  const { signature, balances, signatureCount } = landed;
  const hasSigned = balances.slice(0, signatureCount).some(({ address }) => address === leader);
  if (landed.err !== null || !hasSigned) return [];
  const nets = netsOf(landed, leader, money[0]);
  const tokens = [...nets].filter(([mint, net]) => net !== 0n && !money.includes(mint));
  const [only] = tokens;
  const paid = tokens.length === 1 && only !== undefined ? paidOf(nets, only[1], money) : null;
  const ups = tokens.filter(([, net]) => net > 0n).length;
  const isSwap = tokens.length === 2 ? ups === 1 : tokens.length === 1 && paid !== null;
  if (!isSwap || !isTrade(paid, money[0])) return [];
  return tokens
    .toSorted(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([mint, net]) => ({
      leader,
      signature,
      mint,
      side: net > 0n ? 'buy' : 'sell',
      tradeId: BigInt(-1 - newer),
      at,
      units: net > 0n ? net : -net,
      paid,
      takenBack: false,
    }));
}

/** By mint: what the wallet and its own token accounts got, less what they lost. */
function netsOf(
  {
    balances,
    tokenBalances,
    feeLamports,
  }: Pick<LandedTransaction, 'balances' | 'tokenBalances' | 'feeLamports'>,
  leader: Address,
  sol: Address,
): ReadonlyMap<Address, bigint> {
  const own = tokenBalances.filter(({ owner, newOwner }) => owner === leader && newOwner === undefined);
  const nets = new Map<Address, bigint>();
  const add = (mint: Address, units: bigint): void => void nets.set(mint, (nets.get(mint) ?? 0n) + units);
  for (const { mint, before, after } of own) if (mint !== sol) add(mint, after - before);
  // The lamports of its accounts are rent and wrapped SOL: with them on both sides neither is a price.
  const accounts = new Set([leader, ...own.map(({ account }) => account)]);
  for (const { address, before, after } of balances) if (accounts.has(address)) add(sol, after - before);
  if (balances[0]?.address === leader) add(sol, feeLamports);
  return nets;
}
