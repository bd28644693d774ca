import { describe, expect, it } from 'vitest';
import { INTENT_KINDS } from '../../src/engine/intents/kinds/rules.ts';
import { PACE } from '../../src/engine/intents/rules/pace.ts';
import { CRASH_POINTS, type CrashPoint } from '../support/chaos/crash-points.ts';
import { CALM } from '../support/simulator/fault-levels.ts';
import type { SimKind, SimOptions } from '../support/simulator/sim-options.ts';
import { simulate } from '../support/simulator/simulate.ts';

const KINDS: readonly SimKind[] = INTENT_KINDS;

/** Looks often enough to meet a transaction while it is only processed. */
const pace = { ...PACE, observe: [[Number.POSITIVE_INFINITY, 300]], untilFinalMs: 1_000 } as const;
const calm = { mode: 'liveness', kills: false, pace, levels: CALM, stormMs: 1_000 } as const;

type Story = { readonly options: Omit<SimOptions, 'seed'>; readonly ends: readonly string[] };
const pays: Story = { options: calm, ends: ['SUCCEEDED'] };
/** Everything sent at first is lost, so the first signature dies and a second one is made. */
const dies: Story = {
  options: { ...calm, levels: { ...CALM, dropSend: 1 }, stormMs: 90_000 },
  ends: ['SUCCEEDED'],
};
const forks: Story = {
  options: { ...calm, levels: { ...CALM, fork: 1 }, stormMs: 20_000 },
  ends: ['SUCCEEDED'],
};
const isPoor: Story = { options: { ...calm, poor: true }, ends: ['REJECTED'] };
const lapses: Story = {
  options: { ...calm, levels: { ...CALM, dropSend: 1 }, stormMs: 900_000 },
  ends: ['EXPIRED'],
};
const slips: Story = {
  options: { ...calm, levels: { ...CALM, priceMoves: 1 }, stormMs: 120_000 },
  ends: ['FAILED'],
};
/** Lost like `dies`, and no node's history reaches back to the signing. */
const unprovable: Story = {
  options: { ...calm, levels: { ...CALM, dropSend: 1, pruned: 1 }, stormMs: 900_000 },
  ends: ['NEEDS_REVIEW'],
};
const recalled: Story = { options: { ...calm, cancelAfterMs: 0 }, ends: ['CANCELLED', 'SUCCEEDED'] };

function storyOf(point: CrashPoint): { readonly story: Story; readonly kinds: readonly SimKind[] } {
  const of = (story: Story, kinds = KINDS) => ({ story, kinds });
  const people = KINDS.filter((kind) => kind !== 'payout');
  const trades: readonly SimKind[] = ['buy', 'sell'];
  const name = point.replace(/^(before|after)-/, '');
  switch (name) {
    case 'payout-commit':
      return of(pays, ['payout']);
    case 'create-commit':
      return of(pays, people);
    case 'look-commit':
    case 'death-commit':
    case 'probe':
      return of(dies);
    case 'seen-commit':
      return of(forks);
    case 'refusal-commit':
      // A revocation and the closing of accounts cost no more than the network's fee.
      return of(
        isPoor,
        people.filter((kind) => kind !== 'revoke-authority' && kind !== 'close-accounts'),
      );
    case 'expiry-commit':
      return of(lapses, people);
    case 'failure-commit':
    case 'landed-error-commit':
      return of(slips, trades);
    case 'plan-read':
      // The plan of a revocation follows from its row alone.
      return of(
        pays,
        KINDS.filter((kind) => kind !== 'revoke-authority'),
      );
    case 'cancel-commit':
      return of(recalled, people);
    case 'review-commit':
      return of(unprovable);
    default:
      return of(pays);
  }
}

const rows = CRASH_POINTS.flatMap((point) => {
  const { story, kinds } = storyOf(point);
  return kinds.map((kind) => ({ point, kind, story }));
});

describe('a process killed at a named point', () => {
  it('has more than twenty-five points to be killed at, for every kind', () => {
    for (const kind of KINDS) {
      expect(rows.filter((row) => row.kind === kind).length, kind).toBeGreaterThan(25);
    }
  });

  it.each(rows)('recovers from $point, $kind', async ({ point, kind, story }) => {
    // The payout itself must meet the weather, not the trade that earned it.
    const stormAtPayout = kind === 'payout' && story !== pays;
    const result = await simulate({
      ...story.options,
      stormAtPayout,
      seed: 7,
      kinds: [kind],
      crashAt: point,
    });
    expect(result.violations).toEqual([]);
    expect(result.crashed, 'the point was reached').toBe(true);
    const mine = result.intents.filter((intent) => intent.kind === kind);
    expect(mine.length).toBe(1);
    expect(story.ends).toContain(mine[0]?.status);
  });
});
