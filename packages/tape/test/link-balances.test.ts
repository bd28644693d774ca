import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkBalances } from '../src/link-balances.ts';
import type { TapeTransaction } from '../src/transaction.ts';
import { buildMarket, buildTransaction } from './decode/build-transaction.ts';

const market = buildMarket();

/** Transactions of one market that follow each other: what each changes, from what the one before left. */
function chain(changes: readonly (readonly [bigint, bigint])[]): readonly TapeTransaction[] {
  const held = { base: 1_000_000n, quote: 2_000_000n };
  return changes.map(([base, quote], index) => {
    const transaction = buildTransaction([], [[market, { base: 0n, quote: 0n }]], {
      slot: BigInt(100 + index),
      signature: `sig ${index}`,
    });
    const tokens = transaction.tokens.map((token) => {
      const isBase = token.account === market.baseVault;
      const before = isBase ? held.base : held.quote;
      return { ...token, before, after: before + (isBase ? base : quote) };
    });
    held.base += base;
    held.quote += quote;
    return { ...transaction, tokens };
  });
}

it('links what follows each other, and says what the vaults hold in the end', () => {
  const linked = linkBalances(
    chain([
      [5n, -7n],
      [-2n, 3n],
    ]),
    market,
    { base: 1_000_000n, quote: 2_000_000n },
  );
  expect(linked).toEqual({ kind: 'whole', links: 4, post: { base: 1_000_003n, quote: 1_999_996n } });
  expect(linkBalances([], market, null)).toEqual({ kind: 'whole', links: 0, post: null });
});

it('finds a gap before the first transaction by what was known before', () => {
  const linked = linkBalances(chain([[5n, -7n]]), market, { base: 1_000_001n, quote: 2_000_000n });
  expect(linked).toMatchObject({ kind: 'broken', since: null });
});

it('does not make up what a vault holds that nothing has named', () => {
  const [one] = chain([[5n, 0n]]);
  if (one === undefined) throw new Error('no transaction');
  const only = { ...one, tokens: one.tokens.filter(({ account }) => account === market.baseVault) };
  expect(linkBalances([only], market, null)).toEqual({ kind: 'whole', links: 0, post: null });
});

it('finds any run of transactions that is left out, unless it changes nothing at all', () => {
  const amount = fc.bigInt(-500n, 500n);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(amount, amount), { minLength: 3, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (changes, from, count) => {
        const all = chain(changes);
        const start = 1 + (from % (all.length - 2));
        const hidden = 1 + (count % (all.length - 1 - start));
        const seen = [...all.slice(0, start), ...all.slice(start + hidden)];
        const lost = changes.slice(start, start + hidden);
        const sums = [0, 1].map((side) => lost.reduce((sum, change) => sum + (change[side] ?? 0n), 0n));
        const linked = linkBalances(seen, market, null);
        expect(linked.kind).toBe(sums.every((sum) => sum === 0n) ? 'whole' : 'broken');
        if (linked.kind === 'broken') expect(linked.since).toBe(all[start - 1]?.slot);
      },
    ),
  );
});
