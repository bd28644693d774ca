import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createChainReader } from '../../../scripts/tour/chain-reader.ts';
import { ROLES } from '../../../src/config/process.ts';
import {
  arrive,
  askToBuy,
  askToWithdraw,
  BOUGHT,
  give,
  intentsOf,
  inviteLink,
  LONG,
  mintOf,
  PIN,
  type Trader,
} from '../people.ts';
import { until } from '../processes.ts';
import type { Shape } from '../shape.ts';

/** 30 % of the fee of 1 % of a trade for 0.1 SOL. */
const REWARD = 300_000n;

export function kills(at: () => Shape): void {
  describe('a role that is killed', () => {
    let ivy: Trader;
    let link: string;
    beforeAll(async () => {
      // The address stands in the log, where an operator reads it.
      const [, treasury = ''] = /Treasury (\w+) holds 0 SOL/.exec(at().role('worker').said()) ?? [];
      await give(at(), treasury, 1);
      ivy = await arrive(at(), 'Ivy');
      link = await inviteLink(ivy);
    });

    it.each(ROLES)('%s: the trade and the withdrawal under way end once, with a true word', async (role) => {
      const [trader, giver] = [
        await arrive(at(), `Tom ${role}`, { link }),
        await arrive(at(), `Gil ${role}`),
      ];
      const cold = Keypair.generate().publicKey.toBase58();
      await askToBuy(at(), trader);
      await askToWithdraw(giver, cold, '0.5');
      // All but the worker are killed when both are confirmed and nothing is signed; the worker when both are signed.
      if (role !== 'worker') at().role('worker').signal('SIGSTOP');
      await Promise.all([trader.person.tap('Confirm buy'), giver.person.say(PIN)]);
      await until(
        'both requests',
        async () => (await underWay(at(), [trader, giver], role === 'worker')) === 2,
      );
      // Cut off in the middle, or answered in time: either is true.
      const asked = role === 'api' ? quote(at()).catch(() => null) : null;
      expect(await at().role(role).stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      if (role !== 'worker') at().role('worker').signal('SIGCONT');
      await asked;
      await at().start(role);

      await trader.person.waitFor(BOUGHT, LONG);
      await giver.person.waitFor(/^Sent 0\.5 SOL \(final\)/, LONG);
      expect(await intentsOf(at(), trader)).toEqual([{ kind: 'buy', status: 'SUCCEEDED', landed: 1 }]);
      expect(await intentsOf(at(), giver)).toEqual([
        { kind: 'withdraw-sol', status: 'SUCCEEDED', landed: 1 },
      ]);
      const chain = createChainReader(at().chain.rpcUrl);
      expect(await chain.lamports(cold)).toBe(500_000_000n);
      // The faucet's and their own.
      for (const one of [trader, giver]) expect(await chain.signatures(one.address)).toHaveLength(2);
      expect((await quote(at())).status).toBe(200);
    });

    it.each(['worker', 'signer'] as const)('%s: the payout under way is paid once', async (role) => {
      const chain = createChainReader(at().chain.rpcUrl);
      const trader = await arrive(at(), `Pat ${role}`, { link });
      await until('no payout', async () => (await payouts(at(), 'open')) === 0);
      const [before, paid] = [await chain.lamports(ivy.address), await payouts(at(), 'ended')];
      await askToBuy(at(), trader);
      await trader.person.tap('Confirm buy');
      await until('a payout', async () => (await payouts(at(), 'open')) === 1);
      await at().role(role).stop('SIGKILL');
      await at().start(role);
      await until('the payout to end', async () => (await payouts(at(), 'ended')) === paid + 1);
      expect(await chain.lamports(ivy.address)).toBe(before + REWARD);
    });

    it('every reward was paid in one payout, and Ivy has them all', async () => {
      const rows = await at().sql(
        "SELECT lamports::text, status, count(*) OVER (PARTITION BY signature)::int AS times FROM rewards WHERE source = 'referral'",
      );
      expect(rows).toHaveLength(ROLES.length + 2);
      for (const row of rows) expect(row).toEqual({ lamports: `${REWARD}`, status: 'PAID', times: 1 });
      const chain = createChainReader(at().chain.rpcUrl);
      expect(await chain.lamports(ivy.address)).toBe(5_000_000_000n + REWARD * BigInt(rows.length));
    });
  });
}

async function underWay(shape: Shape, people: readonly Trader[], areSigned: boolean): Promise<number> {
  const [row] = await shape.sql<{ count: number }>(
    `SELECT count(*)::int FROM intents i JOIN wallets w ON w.id = i.wallet_id
     WHERE w.address = ANY($1) AND i.status IN ('CREATED', 'ACTIVE') AND (NOT $2 OR EXISTS (SELECT 1 FROM attempts a WHERE a.intent_id = i.id))`,
    [people.map(({ address }) => address), areSigned],
  );
  return row?.count ?? 0;
}

async function payouts(shape: Shape, which: 'open' | 'ended'): Promise<number> {
  const [row] = await shape.sql<{ count: number }>(
    `SELECT count(*)::int FROM intents WHERE kind = 'payout' AND (status IN ('CREATED', 'ACTIVE')) = $1`,
    [which === 'open'],
  );
  return row?.count ?? 0;
}

const quote = (shape: Shape): Promise<Response> =>
  fetch(
    `${shape.openApiUrl}/dex/quote?fromTokenAddress=So11111111111111111111111111111111111111112&toTokenAddress=${mintOf(shape, 'PUP')}&amount=1000000`,
  );
