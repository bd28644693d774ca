import { expect, it } from 'vitest';
import { runPayouts } from '../../scripts/torture/payouts.ts';

const INVITERS = 150;

/** The same rig pays 10,000 in `npm run bench -- payouts`. */
it('pays everybody exactly once in full batches while real workers are killed', async () => {
  const run = await runPayouts({ inviters: INVITERS, killEvery: 3, seed: 6, withinMs: 150_000 });
  expect(run).toMatchObject({
    inviters: INVITERS,
    transactions: INVITERS / 15,
    wronglyPaid: 0,
    unpaid: 0,
    stillOwed: 0n,
    bugs: [],
  });
  expect(run.kills).toBeGreaterThan(0);
}, 900_000);
