import type { Address } from '@tradepost/solana';
import { type TradeSide, tradeId } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { type SeenTrade, sandwichOf } from '../../../src/modules/trading/rules/sandwich.ts';
import { findSandwich, type SandwichDeps } from '../../../src/modules/trading/use/find-sandwich.ts';
import { seededRandom } from '../../support/simulator/random.ts';
import { freshAddress, freshSignature } from '../../support/tape-rows.ts';

const SLOT = 400_000_001n;
const [ME, BOT, OTHER] = [freshAddress(), freshAddress(), freshAddress()];
const MINE = freshSignature();
const FEE_BPS = 30n;

/** A pool of constant product whose fee of 0.3 % stays outside of its reserves, and the tape of its trades. */
function market(quoteReserve = 10n ** 12n, baseReserve = 10n ** 15n) {
  let [quote, base] = [quoteReserve, baseReserve];
  const tape: SeenTrade[] = [];
  const write = (
    side: TradeSide,
    trader: Address,
    moved: Pick<SeenTrade, 'base' | 'quote' | 'fee'>,
    place: { readonly slot?: bigint; readonly index?: number; readonly signature?: string },
  ) => {
    const id = tradeId({ slot: place.slot ?? SLOT, index: place.index ?? tape.length, ordinal: 0 }) ?? 0n;
    const signature = place.signature ?? (trader === ME ? MINE : freshSignature());
    const trade = { id, side, trader, signature, dust: false, ...moved };
    tape.push(trade);
    return trade;
  };
  return {
    tape,
    buy(trader: Address, lamports: bigint, place: Parameters<typeof write>[3] = {}) {
      const fee = (lamports * FEE_BPS) / 10_000n;
      const given = lamports - fee;
      const got = base - (quote * base) / (quote + given);
      [quote, base] = [quote + given, base - got];
      return write('buy', trader, { base: got, quote: lamports, fee }, place);
    },
    sell(trader: Address, units: bigint, place: Parameters<typeof write>[3] = {}) {
      const gross = quote - (quote * base) / (base + units);
      [quote, base] = [quote - gross, base + units];
      const fee = (gross * FEE_BPS) / 10_000n;
      return write('sell', trader, { base: units, quote: gross - fee, fee }, place);
    },
  };
}

describe('the trades around one of ours', () => {
  it('cost what they took of its price: within a basis point of the same units without them, in 500 pools', () => {
    const random = seededRandom(7);
    for (let n = 0; n < 500; n += 1) {
      const side: TradeSide = random.chance(0.5) ? 'buy' : 'sell';
      const lamports = BigInt(Math.floor((0.01 + random.next() * 0.2) * 1e12));
      const front = BigInt(Math.floor((0.001 + random.next() * 0.5) * 1e12));
      const pool = market();
      let truth: number;
      if (side === 'buy') {
        const first = pool.buy(BOT, front);
        const mine = pool.buy(ME, lamports);
        pool.sell(BOT, first.base);
        const alone = neededFor(mine.base, market());
        truth = Number(((lamports - alone) * 1_000_000n) / alone) / 100;
      } else {
        const first = pool.sell(BOT, front * 1_000n);
        const mine = pool.sell(ME, lamports * 1_000n);
        // It takes back what it sold.
        pool.buy(BOT, neededFor(first.base, pool));
        const alone = market().sell(ME, lamports * 1_000n);
        truth = Number(((alone.quote - mine.quote) * 1_000_000n) / alone.quote) / 100;
      }
      const found = sandwichOf(pool.tape, MINE);
      expect(found?.certainty).toBe('sure');
      expect(Math.abs((found?.costBps ?? 0) - truth)).toBeLessThanOrEqual(1);
    }
  });

  it('are likely those of one hand where two traders moved the same amount, and not where they did not', () => {
    const pool = market();
    const first = pool.buy(BOT, 50_000_000_000n);
    pool.buy(ME, 10_000_000_000n);
    pool.sell(OTHER, (first.base * 99n) / 100n);
    expect(sandwichOf(pool.tape, MINE)?.certainty).toBe('likely');
    const another = market();
    const large = another.buy(BOT, 50_000_000_000n);
    another.buy(ME, 10_000_000_000n);
    another.sell(OTHER, (large.base * 97n) / 100n);
    expect(sandwichOf(another.tape, MINE)).toBeNull();
  });

  it.each<readonly [string, (pool: ReturnType<typeof market>) => void]>([
    ['one that sells less than 80 % again', (pool) => pool.sell(BOT, (bought(pool) * 79n) / 100n)],
    [
      'one that sells in the next leader’s slots',
      (pool) => pool.sell(BOT, bought(pool), { slot: SLOT + 3n, index: 0 }),
    ],
    ['one that buys more', (pool) => pool.buy(BOT, 50_000_000_000n)],
    ['one that lost by it', (pool) => void [pool.sell(OTHER, 10n ** 14n), pool.sell(BOT, bought(pool))]],
    ['nothing', () => undefined],
  ])('are none after %s', (_, after) => {
    const pool = market();
    pool.buy(BOT, 50_000_000_000n);
    pool.buy(ME, 10_000_000_000n);
    after(pool);
    expect(sandwichOf(pool.tape, MINE)).toBeNull();
  });

  it('are none where the trader is the same, or where the first came after ours', () => {
    const own = market();
    const first = own.buy(ME, 50_000_000_000n, { signature: freshSignature() });
    own.buy(ME, 10_000_000_000n);
    own.sell(ME, first.base, { signature: freshSignature() });
    expect(sandwichOf(own.tape, MINE)).toBeNull();
    const late = market();
    late.buy(ME, 10_000_000_000n);
    const second = late.buy(BOT, 50_000_000_000n);
    late.sell(BOT, second.base);
    expect(sandwichOf(late.tape, MINE)).toBeNull();
  });

  it('are found among 300 of others in one block', () => {
    const pool = market();
    for (let n = 0; n < 150; n += 1) {
      const first = pool.buy(freshAddress(), 1_000_000n);
      pool.sell(first.trader, first.base);
    }
    const front = pool.buy(BOT, 50_000_000_000n);
    pool.buy(ME, 10_000_000_000n);
    pool.sell(BOT, front.base);
    for (let n = 0; n < 150; n += 1) {
      const first = pool.buy(freshAddress(), 1_000_000n);
      pool.sell(first.trader, first.base);
    }
    expect(sandwichOf(pool.tape, MINE)?.front.trader).toBe(BOT);
  });
});

describe('a landed trade', () => {
  const trade = { mint: freshAddress(), signature: MINE, slot: SLOT, landedAt: 1_000_000 };
  const pool = market();
  const first = pool.buy(BOT, 50_000_000_000n);
  pool.buy(ME, 10_000_000_000n);
  pool.sell(BOT, first.base);
  const deps = (more: { readonly now?: number; readonly market?: Partial<Market> } = {}): SandwichDeps => ({
    tape: { trades: async () => pool.tape as never },
    markets: { ofMint: async () => [{ id: 1, followed: true, gapSince: null, ...more.market } as Market] },
    clock: { now: () => more.now ?? 1_060_000, monotonic: () => 0 } as never,
  });

  it('is judged a minute after it landed, and not before', async () => {
    expect((await findSandwich(deps(), trade))?.certainty).toBe('sure');
    expect(await findSandwich(deps({ now: 1_059_999 }), trade)).toBeNull();
    expect(await findSandwich(deps(), { ...trade, landedAt: null })).toBeNull();
  });

  it('is not judged where trades may be missing, or where nobody reads its market', async () => {
    expect(await findSandwich(deps({ market: { gapSince: SLOT + 1n } }), trade)).toBeNull();
    expect((await findSandwich(deps({ market: { gapSince: SLOT + 2n } }), trade))?.certainty).toBe('sure');
    expect(await findSandwich(deps({ market: { followed: false } }), trade)).toBeNull();
  });
});

/** What the front bought. */
const bought = (pool: ReturnType<typeof market>): bigint => pool.tape[0]?.base ?? 0n;

/** Lamports, the fee with them, for which the pool gives these units. */
function neededFor(units: bigint, pool: ReturnType<typeof market>): bigint {
  const sold = pool.tape.reduce((sum, { base }) => sum + base, 0n);
  const gross = pool.tape.reduce((sum, { quote, fee }) => sum + quote + (fee ?? 0n), 0n);
  const [base, quote] = [10n ** 15n + sold, 10n ** 12n - gross];
  const given = (quote * base) / (base - units) - quote;
  return (given * 10_000n) / (10_000n - FEE_BPS);
}
