import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTape, type Tape } from '../../../src/platform/tape/open-tape.ts';
import { createTestDatabase } from '../../support/database.ts';
import { newMarkets } from '../../support/tape-rows.ts';

const NOW = 1_800_000_000_000;
let tape: Tape;
beforeAll(async () => {
  tape = await openTape({ url: await createTestDatabase() });
});
afterAll(() => tape.tape.close());

it('keeps the last look at each market, whatever comes late', async () => {
  const [one, other, unseen] = (await newMarkets(tape.markets, ['ONE', 'TWO', 'THREE'])).map(({ id }) => id);
  const looks = [
    { marketId: one ?? 0, quote: 2n ** 64n - 1n, mid: 1.5e-13, at: NOW },
    { marketId: other ?? 0, quote: 0n, mid: null, at: NOW },
  ];
  await tape.markets.saveLooks(looks);
  await tape.markets.saveLooks([{ marketId: one ?? 0, quote: 1n, mid: 7, at: NOW - 1 }]);
  const kept = await tape.markets.looks();
  expect([...kept.values()]).toEqual(expect.arrayContaining(looks));
  expect(kept.has(unseen ?? 0)).toBe(false);
  await tape.markets.saveLooks([{ marketId: other ?? 0, quote: 5n, mid: 1_234_567.890_123, at: NOW + 1 }]);
  expect((await tape.markets.looks()).get(other ?? 0)).toEqual({
    marketId: other,
    quote: 5n,
    mid: 1_234_567.890_123,
    at: NOW + 1,
  });
});
