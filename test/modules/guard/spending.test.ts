import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createDoubtToken } from '../../../src/modules/guard/use/doubt-token.ts';
import type { Exit } from '../../../src/modules/tokens/rules/safety.ts';
import { addressOf, MINT } from '../../engine/intents/build.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { HOUR } from './guard-rig.ts';
import { describeSpending } from './spending-suite.ts';

describeSpending(async () => fakeDatabase());

describe('doubts about a token', () => {
  const RECORD = addressFromBytes(new Uint8Array(32).fill(77));
  const sold = (returned: bigint): Exit => ({
    kind: 'sold',
    spentLamports: 1_000n,
    returnedLamports: returned,
  });

  /** Ages in hours of the oldest transaction told for the mint and for its record; null where there is none. */
  function world(ages: { readonly mint: number | null; readonly record?: number | null }, exit: Exit) {
    const clock = fakeClock();
    let calls = 0;
    const entry = (hours: number | null | undefined) =>
      hours === null || hours === undefined
        ? []
        : [
            { signature: 's', slot: 1n, err: null, memo: null, at: clock.now() },
            { signature: 't', slot: 1n, err: null, memo: null, at: clock.now() - hours * HOUR },
          ];
    const doubt = createDoubtToken({
      db: { createdTokens: { find: async (mint) => (mint === addressOf(9) ? ({} as never) : null) } },
      history: {
        signatures: async (address) => {
          calls += 1;
          return entry(address === RECORD ? ages.record : ages.mint);
        },
      },
      programs: { metadataRecordAddress: () => RECORD },
      clock,
      exitCheck: async () => exit,
      knownMints: new Set([addressOf(8)]),
    });
    return { doubt, clock, calls: () => calls };
  }

  it('ask for a day of age, told by the mint or by its record', async () => {
    expect(await world({ mint: 24 }, sold(1_000n)).doubt(MINT, null)).toEqual([]);
    expect(await world({ mint: 23 }, sold(1_000n)).doubt(MINT, null)).toEqual(['young']);
    // A busy token: its newest thousand transactions are all of today.
    expect(await world({ mint: 2, record: 900 }, sold(1_000n)).doubt(MINT, null)).toEqual([]);
    expect(await world({ mint: null }, sold(1_000n)).doubt(MINT, null)).toEqual(['young']);
  });

  it('ask a node about an old token once, and about a young one again', async () => {
    const { doubt, clock, calls } = world({ mint: 30 }, sold(1_000n));
    await doubt(MINT, null);
    clock.advance(HOUR);
    await doubt(MINT, null);
    expect(calls()).toBe(1);
    const young = world({ mint: 3 }, sold(1_000n));
    await young.doubt(MINT, null);
    young.clock.advance(HOUR);
    await young.doubt(MINT, null);
    expect(young.calls()).toBe(4);
  });

  it('ask for a way out that returns 85 %, and take what cannot be tried for none', async () => {
    const { doubt } = world({ mint: 30 }, sold(850n));
    expect(await doubt(MINT, null)).toEqual([]);
    for (const exit of [
      sold(849n),
      { kind: 'cannot-sell' },
      { kind: 'cannot-buy' },
      { kind: 'unchecked' },
    ] as const) {
      expect(await world({ mint: 30 }, exit).doubt(MINT, null)).toEqual(['poor-exit']);
    }
  });

  it('ask who made it, and of a known token only whether it can be sold', async () => {
    expect(await world({ mint: 30 }, sold(1_000n)).doubt(addressOf(9), null)).toEqual(['home-made']);
    expect(await world({ mint: 0 }, { kind: 'unchecked' }).doubt(addressOf(8), null)).toEqual([]);
    expect(await world({ mint: 0 }, { kind: 'cannot-sell' }).doubt(addressOf(8), null)).toEqual([
      'poor-exit',
    ]);
  });
});
