import type { Address } from '@tradepost/solana';
import type { MarketKeys, TapeTransaction } from '@tradepost/tape';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ReadEffort,
  ReadLevel,
  TransactionSource,
} from '../../src/platform/ports/transaction-source.ts';

export type SourceCase = {
  readonly source: TransactionSource;
  /** All that are traded. */
  readonly markets: readonly MarketKeys[];
  /** Some swaps, and a transaction that names a pool and fails; resolves when all of it is final. */
  readonly trade: () => Promise<void>;
  /** What the chain's own books hold of a market: all that names it, in order. */
  readonly truth: (
    market: MarketKeys,
    after: bigint,
    upTo: bigint,
  ) => readonly {
    readonly signature: string;
    readonly slot: bigint;
    readonly index: number;
    readonly failed: boolean;
  }[];
  readonly stop: () => Promise<void>;
};

/** What every source must do, wherever its transactions come from. `make` is called once per suite. */
export function describeTransactionSource(title: string, make: () => Promise<SourceCase>): void {
  describe(`transaction source conformance: ${title}`, () => {
    let given: SourceCase;
    let woken: Set<Address | null>;
    let waking: { stop(): Promise<void> };
    let before: bigint;
    let tip: bigint;
    beforeAll(async () => {
      given = await make();
      woken = new Set();
      const followed = new Set(given.markets.map(({ address }) => address));
      waking = given.source.wakes(
        () => followed,
        (market) => woken.add(market),
      );
      // From the first block that a stream tells on.
      before = await given.source.horizon('confirmed');
      await given.trade();
      tip = await given.source.horizon('finalized');
    });
    afterAll(async () => {
      await waking?.stop();
      await given?.stop();
    });

    const read = (
      market: MarketKeys,
      after: bigint,
      upTo: bigint,
      level: ReadLevel,
      effort: ReadEffort = 'usual',
    ) => given.source.read(market, { after, upTo, level, effort });
    const facts = (transactions: readonly TapeTransaction[]) =>
      transactions.map(({ signature, slot, index, failed }) => ({ signature, slot, index, failed }));

    it('knows what is confirmed at least as far as what is final, and where the chain begins', async () => {
      expect(await given.source.horizon('confirmed')).toBeGreaterThanOrEqual(tip);
      expect(await given.source.oldest()).toBeLessThanOrEqual(before);
    });

    it.each(['confirmed', 'finalized'] as const)(
      'reads what names a market at %s: each once, where it stands, failed ones too',
      async (level) => {
        let failed = 0;
        for (const market of given.markets) {
          const truth = given.truth(market, before, tip);
          expect(facts(await read(market, before, tip, level))).toEqual(truth);
          failed += truth.filter((one) => one.failed).length;
        }
        expect(failed).toBeGreaterThan(0);
      },
    );

    it('gives together what ranges that touch give one by one', async () => {
      for (const market of given.markets.slice(0, 3)) {
        const whole = await read(market, before, tip, 'confirmed');
        const slots = [...new Set(whole.map(({ slot }) => slot))];
        const edges = [before, ...slots.flatMap((slot) => [slot - 1n, slot]), tip];
        const parts: TapeTransaction[] = [];
        for (const [n, edge] of edges.entries())
          parts.push(...(await read(market, edges[n - 1] ?? before, edge, 'confirmed')));
        expect(facts(parts)).toEqual(facts(whole));
      }
    });

    it('answers harder reads with the same and what names a vault alone', async () => {
      const [market] = given.markets;
      if (market === undefined) throw new Error('there is no market');
      const usual = facts(await read(market, before, tip, 'finalized'));
      for (const effort of ['vaults', 'elsewhere', 'blocks'] as const)
        expect(facts(await read(market, before, tip, 'finalized', effort))).toEqual(
          expect.arrayContaining(usual),
        );
    });

    it('reads nothing of a range that is empty, and throws for one that is not over', async () => {
      const [market] = given.markets;
      if (market === undefined) throw new Error('there is no market');
      expect(await read(market, tip, tip, 'confirmed')).toEqual([]);
      for (const level of ['confirmed', 'finalized'] as const)
        await expect(read(market, before, tip + 5_000n, level)).rejects.toThrow();
    });

    it('woke the markets that were traded, or all', () => {
      const traded = given.markets.filter((market) => given.truth(market, before, tip).length > 0);
      expect(traded.length).toBeGreaterThan(1);
      if (woken.has(null)) return;
      expect([...woken]).toEqual(expect.arrayContaining(traded.map(({ address }) => address)));
    });
  });
}
