import { openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { createChainReader } from '../../../scripts/tour/chain-reader.ts';
import { ROLES } from '../../../src/config/process.ts';
import { readCompose } from '../../support/compose-file.ts';
import { arrive, askToBuy, BOUGHT, intentsOf, LONG, type Trader } from '../people.ts';
import type { Shape } from '../shape.ts';

export function backup(at: () => Shape): void {
  describe('a database that is lost', () => {
    it('is dumped encrypted, wiped, restored into a new one and signs again when the chain agrees', async () => {
      const trader = await arrive(at(), 'Dora');
      await buy(at(), trader);
      const identity = await generateX25519Identity();
      const file = join(at().backups, 'drill.dump.age');
      const dumped = await at().ops(['dump', file, '--to', await identityToRecipient(identity)]);
      expect(dumped).toMatchObject({ code: 0, out: expect.stringMatching(/^[1-9]\d* rows of \d+ tables/) });
      expect(firstLine(file)).toBe('age-encryption.org/v1');

      // The dump does not know of this one.
      await buy(at(), trader);
      const before = await standing(at(), trader);
      for (const role of ROLES)
        expect(await at().role(role).stop('SIGTERM'), role).toEqual({ code: 0, signal: null });

      const name = readCompose().services['postgres']?.environment?.['POSTGRES_DB'] ?? '';
      await at().sql(`DROP DATABASE ${name}`, [], 'postgres');
      await at().sql(`CREATE DATABASE ${name}`, [], 'postgres');
      expect(await at().ops(['audit'], { service: 'database' })).toMatchObject({
        code: 1,
        err: expect.stringContaining('it is empty'),
      });
      const key = join(at().backups, 'identity');
      writeFileSync(key, `# a drill\n${identity}\n`, { mode: 0o644 });
      expect(await at().ops(['restore', file], { service: 'database' })).toMatchObject({
        code: 1,
        err: expect.stringContaining('identity'),
      });
      expect(await at().ops(['restore', file, '--identity', key], { service: 'database' })).toMatchObject({
        code: 0,
      });
      // The new database knows none of the roles.
      expect(await at().prepare()).toMatchObject({ code: 0 });
      expect(await at().ops(['status'])).toMatchObject({
        code: 1,
        out: expect.stringContaining('QUARANTINE'),
      });

      const reconciled = await at().ops(['reconcile']);
      expect(reconciled, reconciled.out).toMatchObject({
        code: 0,
        out: expect.stringMatching(/recreated .*\n(.*\n)*The quarantine is lifted/),
      });
      const audited = await at().ops(['audit']);
      expect(audited, audited.out).toMatchObject({ code: 0, out: expect.stringMatching(/^0 mismatches/m) });
      expect(await at().ops(['status'])).toMatchObject({ code: 0 });
      expect(await standing(at(), trader)).toEqual(before);

      await at().startAll();
      await buy(at(), trader);
    });
  });
}

async function buy(shape: Shape, trader: Trader): Promise<void> {
  await askToBuy(shape, trader);
  await trader.person.tap('Confirm buy');
  await trader.person.waitFor(BOUGHT, LONG);
}

/** What must be the same before a loss and after it: every account of the books, one person's intents, their wallet. */
async function standing(shape: Shape, trader: Trader) {
  return {
    books: await shape.sql('SELECT key, kind, owner, balance::text FROM ledger_accounts ORDER BY key'),
    intents: await intentsOf(shape, trader),
    lamports: await createChainReader(shape.chain.rpcUrl).lamports(trader.address),
  };
}

function firstLine(path: string): string {
  const bytes = Buffer.alloc(64);
  readSync(openSync(path, 'r'), bytes);
  return bytes.toString('latin1').split('\n')[0] ?? '';
}
