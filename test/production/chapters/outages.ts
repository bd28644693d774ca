import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/config/process.ts';
import { arrive, askToBuy, BOUGHT, intentsOf, LONG } from '../people.ts';
import { until } from '../processes.ts';
import type { Shape } from '../shape.ts';

export function outages(at: () => Shape): void {
  describe('an outage', () => {
    it.each([
      { of: 'postgres', hits: ROLES },
      // What the signer needs is the database alone.
      { of: 'redis', hits: ROLES.filter((role) => role !== 'signer') },
    ] as const)(
      'of $of is told by every role that needs it, and what was under way ends once',
      async (outage) => {
        const trader = await arrive(at(), `Olga ${outage.of}`);
        await askToBuy(at(), trader);
        await trader.person.tap('Confirm buy');
        await until('the request', async () => (await intentsOf(at(), trader)).length === 1);
        await at()[outage.of].stop();
        for (const role of outage.hits) await statusBecomes(at(), role, 503);
        await at()[outage.of].start();
        for (const role of ROLES) await statusBecomes(at(), role, 200);

        await trader.person.waitFor(BOUGHT, LONG);
        expect(await intentsOf(at(), trader)).toEqual([{ kind: 'buy', status: 'SUCCEEDED', landed: 1 }]);
        // The bot hears and answers as before.
        await trader.person.say('/home');
        await trader.person.waitFor(/SOL/, LONG);
        for (const role of ROLES) expect(at().role(role).end(), role).toBeNull();
      },
    );
  });

  describe('a pause', () => {
    it('refuses the next confirm, tells why, and ends', async () => {
      const trader = await arrive(at(), 'Paula');
      await askToBuy(at(), trader);
      const paused = await at().ops(['pause', 'trading', '--reason', 'a drill of the operator']);
      expect(paused).toMatchObject({ code: 0, out: expect.stringContaining('trading is paused') });
      await trader.person.tap('Confirm buy');
      await trader.person.waitFor(/Trading is paused.*a drill of the operator/s, LONG);
      expect((await intentsOf(at(), trader)).filter(({ status }) => status !== 'REJECTED')).toEqual([]);
      expect(await at().ops(['status', 'trading'])).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^trading\s+PAUSED since .*: a drill of the operator/),
      });
      expect(await at().ops(['resume', 'trading'])).toMatchObject({ code: 0 });
      await askToBuy(at(), trader);
      await trader.person.tap('Confirm buy');
      await trader.person.waitFor(BOUGHT, LONG);
    });
  });
}

const statusBecomes = (shape: Shape, role: (typeof ROLES)[number], status: number): Promise<void> =>
  until(
    `${role} to answer ${status}`,
    async () => (await shape.ready(role)).status === status,
    shape.role(role).said,
  );
