import type { Address } from '@tradepost/solana';
import type { RecordedTrade } from '@tradepost/tape';
import { SLOT_MS } from '../cluster.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import type { Purchase } from './signal-invariants.ts';
import { idOf, type marketsOf, type PoolDeal, type SimTape } from './sim-tape.ts';

const LAMPORTS = [50_000_000n, 200_000_000n, 1_000_000_000n] as const;
/** Less than any trade: rent that moves. */
const DUST = 1_000_000n;
const UNITS = 1_000n;

type Kind = 'buy' | 'sell' | 'swap' | 'dollars' | 'dust';
type Part = Omit<PoolDeal, 'leader' | 'signature' | 'at'>;
/** Most of what wallets do is to buy. */
const KINDS: readonly Kind[] = [
  ...Array.from({ length: 6 }, () => 'buy' as const),
  'sell',
  'swap',
  'dollars',
  'dust',
];
type Sent = {
  readonly leader: Address;
  readonly signature: string;
  readonly kind: Kind;
  readonly parts: readonly Part[];
};

/**
 * Wallets that trade, and the tape that hears of it: mostly soon, sometimes late. A fork takes some of it back. Then it lands again in a later
 * block, or at the same place for another price, or never.
 */
export function createLeaderTrades(run: {
  readonly seed: number;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly tape: SimTape;
  readonly leaders: readonly Address[];
  /** The last one is of dollars. */
  readonly markets: ReturnType<typeof marketsOf>;
}) {
  const { timeline, random, tape, markets } = run;
  const kinds = new Map<string, Kind>();
  let serial = 0;
  let landings = 0;
  let onTheWay = 0;
  let isOver = false;
  const slotNow = (): bigint => 1_000n + BigInt(Math.floor(timeline.elapsed() / SLOT_MS));

  const later = (ms: number, work: () => void): void => {
    onTheWay += 1;
    timeline.after(ms, () => {
      onTheWay -= 1;
      work();
    });
  };

  function made(): Sent {
    serial += 1;
    const signature = `signal${run.seed}x${serial}`;
    const kind = random.pick(KINDS);
    kinds.set(signature, kind);
    const lamports = kind === 'dust' ? DUST : random.pick(LAMPORTS);
    const tokens = markets.length - 1;
    const market = kind === 'dollars' ? markets.length : random.between(1, tokens);
    const part = (marketId: number, side: 'buy' | 'sell'): Part => ({
      marketId,
      side,
      units: lamports / UNITS,
      lamports,
    });
    const parts =
      kind === 'swap'
        ? [part((market % tokens) + 1, 'sell'), part(market, 'buy')]
        : [part(market, kind === 'sell' ? 'sell' : 'buy')];
    return { leader: random.pick(run.leaders), signature, kind, parts };
  }

  /** The transaction is in the block of this moment; the tape hears of it after a while. */
  function lands(sent: Sent, parts: readonly Part[]): void {
    landings += 1;
    const index = landings;
    const [slot, at] = [slotNow(), Math.floor(timeline.now() / 1_000)];
    const ids = parts.map((_, ordinal) => idOf(slot, index, ordinal));
    const late = random.chance(0.1) ? random.between(8_000, 20_000) : random.between(400, 3_000);
    later(late, () => {
      write(sent, ids, parts, at);
      if (random.chance(0.25)) later(random.between(1, 12_000), () => forks(sent, ids, parts, at));
    });
  }

  function write(sent: Sent, ids: readonly bigint[], parts: readonly Part[], at: number): void {
    const { leader, signature } = sent;
    for (const [n, part] of parts.entries()) tape.add(ids[n] ?? 0n, { ...part, leader, signature, at });
  }

  function forks(sent: Sent, ids: readonly bigint[], parts: readonly Part[], at: number): void {
    const way = random.pick(['never', 'same place', 'later', 'later', 'heard of first'] as const);
    const takeBack = (): void => {
      for (const id of ids) tape.retract(id);
    };
    const dearer = parts.map((part) => ({ ...part, units: part.units - 1n }));
    const again = (): void => {
      if (way === 'same place') write(sent, ids, dearer, at);
      else lands(sent, dearer);
    };
    if (way === 'heard of first') {
      again();
      later(random.between(3_000, 9_000), takeBack);
      return;
    }
    takeBack();
    if (way === 'never') return;
    // One seal takes back and brings again; or there is a reader's round between.
    if (random.chance(0.5)) later(random.between(500, 4_000), again);
    else again();
  }

  const next = (): void => {
    if (isOver) return;
    const sent = made();
    lands(sent, sent.parts);
    timeline.after(random.between(200, 1_500), next);
  };

  return {
    begin: (): void => timeline.after(random.between(500, 3_000), next),
    end: (): void => {
      isOver = true;
    },
    isOver: (): boolean => isOver && onTheWay === 0,
    /** The purchase that a row of the tape is part of; null for a sale, dollars, and a sum that is no trade. */
    purchaseOf(trade: RecordedTrade, dollars: Address): Purchase | null {
      const mint = markets[trade.marketId - 1]?.baseMint;
      const kind = kinds.get(trade.signature);
      if (mint === undefined || mint === dollars || trade.side !== 'buy' || kind === 'dust') return null;
      return {
        leader: trade.trader,
        mint,
        at: trade.at * 1_000,
        lamports: kind === 'swap' ? null : trade.quote,
      };
    },
    /** What the chain has of a transaction and token; null where a fork took it. */
    truthOf(signature: string, mint: Address) {
      for (const deal of tape.deals.values())
        if (deal.signature === signature && markets[deal.marketId - 1]?.baseMint === mint)
          return { side: deal.side, at: deal.at * 1_000, units: deal.units };
      return null;
    },
  };
}
