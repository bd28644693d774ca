import type { TapeTransaction } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import {
  buildMarket,
  buildTransaction,
  buy,
  call,
  transfer,
  WALLET_QUOTE,
} from '../../../packages/tape/test/decode/build-transaction.ts';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { type SealMarketsDeps, sealMarkets } from '../../../src/modules/market/use/seal-markets.ts';
import type { MarketCursor, SealBatch, TapeFault } from '../../../src/platform/ports/tape-store.ts';
import type { ReadEffort, TransactionSource } from '../../../src/platform/ports/transaction-source.ts';

const HELD = 1_000_000_000n;
const keys = buildMarket();
const market: Market = {
  ...keys,
  venue: 'desk',
  baseDecimals: 6,
  quoteDecimals: 6,
  createdSlot: 0n,
  baseTicker: 'A',
  quoteTicker: 'B',
  name: 'A/B',
  verified: false,
  followed: true,
  primary: true,
  gapSince: null,
};
const cursor: MarketCursor = {
  marketId: 1,
  liveSlot: 0n,
  sealedSlot: 10n,
  post: { base: HELD, quote: HELD },
};

/** A purchase of 4,000 base for 5,000 quote in a slot, after `n` of the same. */
function purchase(n: number, slot: bigint): TapeTransaction {
  const transaction = buildTransaction(
    [call(keys), ...buy(keys, 5_000n, 4_000n)],
    [[keys, { base: -4_000n, quote: 5_000n }]],
    { slot, index: n, signature: `buy ${n}` },
  );
  const step = BigInt(n);
  return {
    ...transaction,
    tokens: transaction.tokens.map((token) => {
      const moved = token.account === keys.baseVault ? -4_000n * step : 5_000n * step;
      return { ...token, before: token.before + moved, after: token.after + moved };
    }),
  };
}

function rigOver(
  read: (effort: ReadEffort) => readonly TapeTransaction[],
  held: { readonly base: bigint; readonly quote: bigint; readonly slot: bigint } | null = null,
) {
  const batches: SealBatch[] = [];
  const faults: TapeFault[] = [];
  const gaps: bigint[] = [];
  const cleared: number[] = [];
  const source: TransactionSource = {
    reads: held === null ? 'together' : 'apart',
    wakes: () => ({ stop: async () => undefined }),
    horizon: async () => 40n,
    oldest: async () => 1n,
    held: async (markets) => (held === null ? null : markets.map(() => held)),
    tip: () => null,
    resume: () => undefined,
    read: async (_, { effort, after, upTo }) =>
      read(effort).filter(({ slot }) => slot > after && slot <= upTo),
  };
  const deps: SealMarketsDeps = {
    source,
    chain: { token: async () => null, accounts: async () => ({ slot: 0n, accounts: [] }) },
    tape: {
      seal: async (batch) => {
        batches.push(batch);
        return { added: [], retracted: [], movedMarketIds: batch.ranges.map(({ marketId }) => marketId) };
      },
      recordFaults: async (more) => void faults.push(...more),
      markGap: async (_, since) => void gaps.push(since),
      clearGap: async (id) => void cleared.push(id),
    },
    log: { warn: () => undefined, error: () => undefined },
  };
  const seal = (of: Market = market) => sealMarkets(deps, [{ market: of, cursor }], 40n, () => null);
  return { seal, batches, faults, gaps, cleared };
}

describe('sealMarkets', () => {
  it('writes down what links, up to the horizon, with what the vaults hold then', async () => {
    const rig = rigOver(() => [purchase(0, 12n), purchase(1, 30n)]);
    await rig.seal();
    expect(rig.batches).toHaveLength(1);
    expect(rig.batches[0]?.trades.map(({ signature }) => signature)).toEqual(['buy 0', 'buy 1']);
    expect(rig.batches[0]?.ranges).toEqual([
      { marketId: 1, after: 10n, upTo: 40n, post: { base: HELD - 8_000n, quote: HELD + 10_000n } },
    ]);
  });

  it.each(['vaults', 'elsewhere', 'blocks'] as const)(
    'reads again until a read by %s shows what was missing',
    async (honest) => {
      const all = [purchase(0, 12n), purchase(1, 20n), purchase(2, 30n)];
      const rig = rigOver((effort) => (effort === honest ? all : all.filter((_, index) => index !== 1)));
      await rig.seal();
      expect(rig.batches[0]?.trades).toHaveLength(3);
      expect(rig.gaps).toEqual([]);
    },
  );

  it('marks a hole that nobody fills, and seals what is before it', async () => {
    const rig = rigOver(() => [purchase(0, 12n), purchase(1, 15n), purchase(3, 30n)]);
    await rig.seal();
    expect(rig.gaps).toEqual([15n]);
    expect(rig.batches[0]?.ranges).toMatchObject([{ after: 10n, upTo: 14n }]);
    expect(rig.batches[0]?.trades.map(({ signature }) => signature)).toEqual(['buy 0']);
  });

  it('finds what is missing after the last transaction by what the vaults hold', async () => {
    const rig = rigOver(() => [purchase(0, 12n)], { base: HELD - 8_000n, quote: HELD + 10_000n, slot: 40n });
    await rig.seal();
    expect(rig.gaps).toEqual([12n]);
    expect(rig.batches[0]?.trades).toEqual([]);
    const whole = rigOver(() => [purchase(0, 12n)], { base: HELD - 4_000n, quote: HELD + 5_000n, slot: 33n });
    await whole.seal();
    expect(whole.batches[0]?.ranges).toMatchObject([{ upTo: 33n }]);
  });

  it('ends before a transaction that cannot be told to the unit, and says why', async () => {
    const odd = {
      ...purchase(1, 20n),
      instructions: [call(keys), call(keys), transfer(WALLET_QUOTE, keys.quoteVault, 5_000n)],
    };
    const rig = rigOver(() => [purchase(0, 12n), odd, purchase(2, 30n)]);
    await rig.seal();
    expect(rig.faults).toMatchObject([
      { signature: 'buy 1', slot: 20n, why: expect.stringContaining('-4000') },
    ]);
    expect(rig.batches[0]?.ranges).toMatchObject([
      { upTo: 19n, post: { base: HELD - 4_000n, quote: HELD + 5_000n } },
    ]);
    expect(rig.batches[0]?.trades.map(({ signature }) => signature)).toEqual(['buy 0']);
  });

  it('heals a gap that begins after the seal, and none that was sealed over', async () => {
    const rig = rigOver(() => [purchase(0, 12n)]);
    await rig.seal({ ...market, gapSince: 11n });
    await rig.seal({ ...market, gapSince: 5n });
    expect(rig.cleared).toEqual([1]);
  });
});
