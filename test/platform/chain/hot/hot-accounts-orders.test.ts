import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Between, createFakeNode, expectTruth, KEYS, lamportsOf } from './fake-node.ts';

const [A, B] = KEYS as [Address, Address];

type Step =
  | {
      readonly kind: 'slot';
      readonly changed: readonly number[];
      readonly shuffle: number;
      readonly skipped: number;
      readonly are: Between['are'];
    }
  | { readonly kind: 'deliver'; readonly count: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'reads'; readonly lag: number }
  | { readonly kind: 'want'; readonly pool: number; readonly size: number }
  | { readonly kind: 'cut' | 'repeat' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      changed: fc.uniqueArray(fc.nat(KEYS.length - 1), { maxLength: 4 }),
      shuffle: fc.nat(6),
      skipped: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
      are: fc.constantFrom('empty' as const, 'lost' as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 25 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reads' as const), lag: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('want' as const),
      pool: fc.nat(KEYS.length - 1),
      size: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'repeat' as const) }) },
);

describe('whatever happens on the way', () => {
  it('every snapshot is the chain at one slot, that slot was the last or last but one when it was proven, and in time', async () => {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 30, maxLength: 160 }),
        fc.boolean(),
        async (steps, tellsParents) => {
          const node = createFakeNode({ limits: { pools: 4, busyMs: 1_000, keepMs: 20_000 } });
          node.tellsParents = tellsParents;
          const setOf = (pool: number, size: number): readonly Address[] =>
            Array.from({ length: size }, (_, n) => KEYS[(pool + n) % KEYS.length] as Address);
          const look = (): void => {
            for (let pool = 0; pool < KEYS.length; pool += 1) {
              const keys = setOf(pool, 3);
              const snapshot = node.hot.snapshot(keys);
              if (snapshot === null) continue;
              served += 1;
              expect(lamportsOf(snapshot.accounts)).toEqual(node.lamportsAt(keys, snapshot.slot));
              const asOf = snapshot.asOf - 1_700_000_000_000;
              expect(node.now() - asOf).toBeLessThanOrEqual(2_000);
              expect(node.blocksBetween(snapshot.slot, node.slotAtTime(asOf))).toBeLessThanOrEqual(1);
            }
          };
          node.hot.want(A, setOf(0, 3));
          for (let n = 0; n < 4; n += 1) await node.tick([A]);
          for (const one of steps) {
            if (one.kind === 'slot') {
              node.pass(40);
              node.advance(
                one.changed.map((n) => KEYS[n] as Address),
                one.shuffle,
                { slots: BigInt(one.skipped), are: one.are },
              );
            } else if (one.kind === 'deliver') node.deliver(one.count);
            else if (one.kind === 'pass') node.pass(one.ms);
            else if (one.kind === 'reads') await node.answerReads(BigInt(one.lag));
            else if (one.kind === 'want') node.hot.want(KEYS[one.pool] as Address, setOf(one.pool, one.size));
            else if (one.kind === 'cut') node.cut();
            else node.repeat();
            look();
          }
          // And when all is well again, it serves again.
          node.pass(61_000);
          node.hot.want(A, setOf(0, 3));
          for (let n = 0; n < 6; n += 1) await node.tick([B]);
          if (node.hot.snapshot(setOf(0, 3)) === null) {
            node.pass(61_000);
            node.hot.want(A, setOf(0, 3));
            for (let n = 0; n < 6; n += 1) await node.tick([B]);
          }
          expectTruth(node, setOf(0, 3));
        },
      ),
      { numRuns: 150 },
    );
    expect(served).toBeGreaterThan(1_000);
  });
});
