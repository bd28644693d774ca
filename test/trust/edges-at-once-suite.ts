import { describe, expect, it } from 'vitest';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { TEST_PIN } from '../support/fakes/pins.ts';
import { actOf, edgeRig, outcome, RATES_OF_ACTS, SUMS } from './edges-rig.ts';

/** Two that arrive together, where there is room for one, on any database. */
export function describeTwoAtOnce(open: () => Promise<Database>): void {
  describe('of two at once with room for one, one passes', () => {
    it.each(SUMS.map((sum) => [sum.name, sum] as const))('%s', async (_, sum) => {
      const rig = await edgeRig(await open(), sum.hasPin);
      await sum.before(rig);
      const both = await Promise.all([sum.spend(rig, sum.left), sum.spend(rig, sum.left)]);
      expect(both.toSorted()).toEqual([sum.refusal, 'done'].toSorted());
    });

    it.each(RATES_OF_ACTS)('the rate of %s', async (rate) => {
      const rig = await edgeRig(await open());
      const act = actOf(rate);
      for (let left = PRODUCTION_RULES.rates[rate].count; left > 1; left -= 1)
        expect(await rig.pass(act)).toBe('done');
      const both = await Promise.all([rig.pass(act), rig.pass(act)]);
      expect(both.toSorted()).toEqual(['ACT_LIMIT', 'done']);
    });

    it('withdrawn in 24 hours', async () => {
      const { withdraw } = await edgeRig(await open());
      const { dailyCapLamports } = PRODUCTION_RULES;
      const all = () => outcome(() => withdraw(dailyCapLamports));
      expect((await Promise.all([all(), all()])).toSorted()).toEqual(['DAILY_CAP', 'done']);
    });

    it('a key on its way out', async () => {
      const { vault, userId, walletId } = await edgeRig(await open());
      const ask = () => outcome(() => vault.askExport({ userId, walletId, pin: TEST_PIN }));
      expect((await Promise.all([ask(), ask()])).toSorted()).toEqual(['EXPORT_WAITS', 'done']);
    });
  });
}
