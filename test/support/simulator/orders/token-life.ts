import { type Address, addressFromBytes } from '@tradepost/solana';
import { seededRandom } from '../random.ts';

export const CREATOR: Address = addressFromBytes(new Uint8Array(32).fill(91));
export const STRANGER: Address = addressFromBytes(new Uint8Array(32).fill(92));
/** A wallet that the creator gives tokens to. A key can sign for it. */
export const HEIR: Address = addressFromBytes(new Uint8Array(32).fill(98));
export const SUPPLY = 100_000_000_000n;
/** Sales of the creator: too small alone, half of a small holding, more than 1 % of the supply. */
const SALES = [200_000_000n, 200_000_000n, 200_000_000n, 700_000_000n, 1_200_000_000n] as const;
const LAST_SALE = SUPPLY / 20n;
/** Shares of the first depth. After the weather less is left than 70 % below any of them. */
const DEPTHS = [1, 0.75, 0.6, 0.4, 0.25] as const;
const LAST_DEPTH = 0.05;

/** A trade of the token on one of its two markets: the first has it as base, the second as quote. */
export type LifeTrade = {
  readonly slot: bigint;
  readonly trader: Address;
  readonly isSale: boolean;
  readonly units: bigint;
  readonly market: 1 | 2;
  /** The slot from which on no node knows it any more; null = it stays. */
  readonly takenBackAt: bigint | null;
};

/** Tokens that the creator gave to the heir. */
export type LifeMove = { readonly slot: bigint; readonly units: bigint };

/** The acts of a token's creator and of who gives its pool liquidity, over all slots of a run. */
export type TokenLife = {
  /** Of the first depth of the pool. */
  readonly depthAt: (slot: bigint) => number;
  /** Trades that stood at this slot, in their order. */
  readonly tradesAt: (slot: bigint) => readonly LifeTrade[];
  /** What the creator gave to the heir until this slot, in its order. */
  readonly movesAt: (slot: bigint) => readonly LifeMove[];
  /** Units that the creator holds at first. */
  readonly held: bigint;
  /** From this slot on the creator has sold, or who got its tokens has, and the pool is all but empty. */
  readonly endFrom: (slot: bigint) => void;
};

/** Sales of the creator, of its heir and of others, some on a dead fork; falls of depth that stay and such of one to five slots. Asking changes nothing. */
export function createTokenLife(seed: number, firstSlot: bigint): TokenLife {
  const random = seededRandom(seed);
  const depths: number[] = [];
  const trades: LifeTrade[] = [];
  const moves: LifeMove[] = [];
  /** Draws of their own: what happens beside the heir stays what it was. */
  const ofHeir = seededRandom(seed ^ 0x4e19);
  const held = random.pick([0n, 1_200_000_000n, 10_000_000_000n]);
  const endsByHeir = ofHeir.chance(0.5);
  let ended: bigint | null = null;
  let level = 1;
  let flash = { left: 0, depth: 1 };

  const trade = (slot: bigint): void => {
    const isCreator = random.chance(0.3);
    // In the end the heir alone sells: an unseen sale of it leaves an order open.
    if (isCreator && endsByHeir && ended !== null) return;
    trades.push({
      slot,
      trader: isCreator ? CREATOR : STRANGER,
      isSale: random.chance(isCreator ? 0.7 : 0.5),
      units: isCreator ? random.pick(SALES) : LAST_SALE,
      market: random.pick([1, 2] as const),
      takenBackAt: random.chance(0.3) ? slot + BigInt(random.between(1, 30)) : null,
    });
  };
  const extend = (): void => {
    if (random.chance(0.006)) level = random.pick(DEPTHS);
    if (flash.left > 0) flash = { ...flash, left: flash.left - 1 };
    else if (random.chance(0.01)) flash = { left: random.between(1, 5), depth: random.pick(DEPTHS) };
    depths.push(flash.left > 0 ? flash.depth : level);
    const slot = firstSlot + BigInt(depths.length - 1);
    if (random.chance(0.05)) trade(slot);
    if (ofHeir.chance(0.01)) moves.push({ slot, units: ofHeir.pick(SALES) });
    if (ofHeir.chance(0.015))
      trades.push({
        slot,
        trader: HEIR,
        isSale: ofHeir.chance(0.8),
        units: ofHeir.pick(SALES),
        market: ofHeir.pick([1, 2] as const),
        takenBackAt: ofHeir.chance(0.3) ? slot + BigInt(ofHeir.between(1, 30)) : null,
      });
  };
  const extendTo = (slot: bigint): void => {
    while (BigInt(depths.length) <= slot - firstSlot) extend();
  };

  return {
    held,
    depthAt: (slot) => {
      if (ended !== null && slot >= ended) return LAST_DEPTH;
      extendTo(slot);
      return depths[Math.max(0, Number(slot - firstSlot))] ?? 1;
    },
    tradesAt: (slot) => {
      extendTo(slot);
      const last: readonly LifeTrade[] =
        ended === null
          ? []
          : [
              {
                slot: ended,
                trader: endsByHeir ? HEIR : CREATOR,
                isSale: true,
                units: LAST_SALE,
                market: 1,
                takenBackAt: null,
              },
            ];
      return [...trades, ...last]
        .filter((one) => one.slot <= slot && (one.takenBackAt === null || one.takenBackAt > slot))
        .toSorted((a, b) => Number(a.slot - b.slot));
    },
    movesAt: (slot) => {
      extendTo(slot);
      const last: readonly LifeMove[] =
        ended === null || !endsByHeir ? [] : [{ slot: ended, units: LAST_SALE }];
      return [...moves, ...last].filter((one) => one.slot <= slot);
    },
    endFrom: (slot) => {
      ended = slot;
    },
  };
}
