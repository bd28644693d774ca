import type { Address } from '@tradepost/solana';

/** A followed wallet's dealing in one token within one transaction, as the pools saw it. */
export type LeaderTrade = {
  readonly leader: Address;
  readonly signature: string;
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  /** Of the tape: the first of its pools. Below zero: read from the chain's list of the wallet. Either way a later trade has the greater. */
  readonly tradeId: bigint;
  /** Epoch milliseconds of the block. */
  readonly at: number;
  /** Units that it got or gave. */
  readonly units: bigint;
  /** The money of it; null where several tokens share it, or where tokens were swapped for each other. */
  readonly paid: { readonly mint: Address; readonly units: bigint } | null;
  /** A fork had it: it is no trade any more. */
  readonly takenBack: boolean;
};

/** One trade of the tape with the mints of its market. */
export type PoolTrade = {
  readonly id: bigint;
  readonly trader: Address;
  readonly signature: string;
  /** Unix seconds. */
  readonly at: number;
  readonly side: 'buy' | 'sell';
  readonly base: bigint;
  readonly quote: bigint;
  readonly baseMint: Address;
  readonly quoteMint: Address;
};

/** A sum of SOL below it is rent or a fee that moved, and no trade. */
const LEAST_LAMPORTS = 2_000_000n;

/**
 * Trades of the tape as trades of wallets: the pools of one transaction count together, so a token that only passes through is none. One token
 * up is a purchase, one down a sale; two that cross are a sale, then a purchase. `money`: SOL first, then dollars.
 */
export function leaderTrades(
  trades: readonly PoolTrade[],
  money: readonly [sol: Address, ...dollars: readonly Address[]],
): readonly LeaderTrade[] {
  const [sol] = money;
  return [...grouped(trades).values()].flatMap((own): readonly LeaderTrade[] => {
    const [first] = own;
    if (first === undefined) return [];
    const nets = netsOf(own);
    const tokens = [...nets].filter(([mint, net]) => net !== 0n && !money.includes(mint));
    const [only] = tokens;
    const paid = tokens.length === 1 && only !== undefined ? paidOf(nets, only[1], money) : null;
    if (!isTrade(paid, sol)) return [];
    return tokens
      .toSorted(([, one], [, other]) => (one < other ? -1 : 1))
      .map(([mint, net]) => ({
        leader: first.trader,
        signature: first.signature,
        mint,
        side: net > 0n ? 'buy' : 'sell',
        tradeId: own.reduce((least, { id }) => (id < least ? id : least), first.id),
        at: first.at * 1_000,
        units: net > 0n ? net : -net,
        paid,
        takenBack: false,
      }));
  });
}

/** Whether so much money is one: less SOL is a fee or rent. */
export const isTrade = (paid: LeaderTrade['paid'], sol: Address): boolean =>
  paid?.mint !== sol || paid.units >= LEAST_LAMPORTS;

function grouped(trades: readonly PoolTrade[]): ReadonlyMap<string, PoolTrade[]> {
  const groups = new Map<string, PoolTrade[]>();
  for (const trade of trades) {
    const key = `${trade.trader} ${trade.signature}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [trade]);
    else group.push(trade);
  }
  return groups;
}

function netsOf(trades: readonly PoolTrade[]): ReadonlyMap<Address, bigint> {
  const nets = new Map<Address, bigint>();
  const add = (mint: Address, units: bigint): void => void nets.set(mint, (nets.get(mint) ?? 0n) + units);
  for (const { side, base, quote, baseMint, quoteMint } of trades) {
    add(baseMint, side === 'buy' ? base : -base);
    add(quoteMint, side === 'buy' ? -quote : quote);
  }
  return nets;
}

/** The first kind of money that moved the other way. */
export function paidOf(
  nets: ReadonlyMap<Address, bigint>,
  token: bigint,
  money: readonly Address[],
): LeaderTrade['paid'] {
  for (const mint of money) {
    const net = nets.get(mint) ?? 0n;
    if (net !== 0n && net > 0n !== token > 0n) return { mint, units: net > 0n ? net : -net };
  }
  return null;
}
