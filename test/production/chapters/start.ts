import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createChainReader } from '../../../scripts/tour/chain-reader.ts';
import { createRestTrader } from '../../../scripts/tour/rest-swap.ts';
import { ROLES } from '../../../src/config/process.ts';
import { readCompose } from '../../support/compose-file.ts';
import { arrive, askToBuy, BOUGHT, intentsOf, LONG, mintOf } from '../people.ts';
import type { Shape } from '../shape.ts';

export function start(at: () => Shape): void {
  describe('starts', () => {
    it('every role, and each says what it stands on', async () => {
      const parts = {
        signer: ['database'],
        api: ['queue', 'chain'],
        bot: ['telegram'],
        worker: ['queue'],
        indexer: ['database', 'chain'],
      };
      for (const role of ROLES) {
        const { status, text } = await at().ready(role);
        expect(status, role).toBe(200);
        for (const part of parts[role]) expect(JSON.parse(text), role).toHaveProperty(part);
      }
    });

    it('with the secrets that the compose file gives each role, as files, and none in an environment', () => {
      const files = readdirSync(join(at().scratch, 'secrets'));
      expect(files.toSorted()).toEqual(Object.keys(readCompose().secrets).toSorted());
      const values = files.map((name) => readFileSync(join(at().scratch, 'secrets', name), 'utf8').trim());
      for (const role of ROLES) {
        expect(readdirSync(join(at().scratch, `secrets-${role}`)).toSorted(), role).toEqual(
          readCompose().services[role]?.secrets?.toSorted(),
        );
        const environment = readFileSync(`/proc/${at().role(role).pid}/environ`, 'utf8');
        for (const value of values) expect(environment.includes(value), role).toBe(false);
      }
    });

    it.runIf(process.getuid?.() === 0)('as a user who cannot change a file of the image', async () => {
      for (const role of ROLES) {
        const status = readFileSync(`/proc/${at().role(role).pid}/status`, 'utf8');
        expect(status, role).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
        expect(status, role).toMatch(/^CapEff:\t0+$/m);
        expect(status, role).toMatch(/^NoNewPrivs:\t1$/m);
      }
      expect(statSync(at().tree).uid).toBe(0);
      const write = 'require("fs").writeFileSync("src/main.ts", "")';
      const { code, err } = await at().command('bot', ['node', '-e', write]);
      expect({ code, refused: /EROFS|EACCES/.test(err) }).toEqual({ code: 1, refused: true });
    });
  });

  describe('works', () => {
    it('a person trades', async () => {
      const trader = await arrive(at(), 'Ann');
      await askToBuy(at(), trader);
      await trader.person.tap('Confirm buy');
      await trader.person.waitFor(BOUGHT, LONG);
      expect(await intentsOf(at(), trader)).toEqual([{ kind: 'buy', status: 'SUCCEEDED', landed: 1 }]);
    });

    it('a program trades by POST /dex/swap', async () => {
      const { rpcUrl } = at().chain;
      const trader = await createRestTrader({ rpcUrl, openApiUrl: at().openApiUrl }, 2_000_000_000n);
      const { data } = await trader.swap({
        fromTokenAddress: WSOL_MINT,
        toTokenAddress: mintOf(at(), 'PUP'),
        amount: '100000000',
        slippageBps: 100,
      });
      const got = await createChainReader(rpcUrl).tokens(trader.address, mintOf(at(), 'PUP'));
      expect(got).toBe(BigInt(data.toTokenAmount));
    });
  });
}
