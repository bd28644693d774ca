import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { bps } from '../../src/core/amounts/bps.ts';
import { inviterShare, tradeFeeTransfer } from '../../src/engine/ledger/rules/postings.ts';
import { PASSED } from '../../test/support/passed.ts';
import { seededRandom } from '../../test/support/simulator/random.ts';
import { composeProcess } from './compose.ts';
import { airdrop } from './people.ts';
import { bundleWorker, createCrew } from './workers.ts';
import { startWorld } from './world.ts';

const SLOT_MS = 25;
const CHUNK = 500;
const LOOK_MS = 200;
/** Above the rent-exempt minimum, so that wallets which do not exist yet can be paid; each inviter's share is another. */
const SMALLEST_FEE = 3_000_000n;

type Inviter = { readonly userId: string; readonly address: Address; readonly owed: bigint };

export type PayoutRun = {
  readonly inviters: number;
  readonly transactions: number;
  readonly kills: number;
  readonly seconds: number;
  /** Inviters whose wallet does not hold exactly the owed amount. */
  readonly wronglyPaid: number;
  /** Rewards that are not PAID, and lamports still owed or in flight by the books. */
  readonly unpaid: number;
  readonly stillOwed: bigint;
  readonly bugs: readonly string[];
};

/**
 * Owes a different amount to each of `inviters` people, and lets real worker processes pay it on the local chain. One of them is killed
 * after every `killEvery` payouts or so. Ends when everything is paid or time is up; its result is read from the chain's balances and the
 * database, not from the workers.
 */
export async function runPayouts(options: {
  readonly inviters: number;
  /** A worker is killed after about so many payouts more: by progress, so that a busy machine gets there, too. */
  readonly killEvery: number;
  readonly seed: number;
  readonly withinMs: number;
}): Promise<PayoutRun> {
  const file = await bundleWorker();
  const world = await startWorld({ slotMs: SLOT_MS, seed: `payouts-${options.seed}`, redisUrl: null });
  const client = await composeProcess({ ...world.processOptions, signer: null, crashAt: null });
  const { db, ids } = client.deps;
  const random = seededRandom(options.seed);
  let crew: ReturnType<typeof createCrew> | null = null;
  try {
    const inviters = await owe(client, options.inviters);
    const total = inviters.reduce((sum, { owed }) => sum + owed, 0n);
    await airdrop(world, client.treasury.address, total + 100_000_000n);
    await db.outbox.add([
      { id: ids.ulid(), job: 'payout.collect', data: {}, key: 'payout-collect', notBefore: null },
    ]);
    const startedAt = performance.now();
    crew = createCrew(file, 2, () => ({ ...world.processOptions, signer: null, crashAt: null }));
    let nextKill = options.killEvery;
    let open = inviters.length;
    while (open > 0 && performance.now() - startedAt < options.withinMs) {
      await pause(LOOK_MS);
      const [row] = await world.query(
        `SELECT (SELECT count(*) FROM rewards WHERE status <> 'PAID')::text AS open,
           (SELECT count(*) FROM attempts)::text AS signed`,
      );
      open = Number(row?.['open'] ?? 0);
      if (Number(row?.['signed'] ?? 0) < nextKill) continue;
      if (crew.kill((count) => Math.floor(random.next() * count)))
        nextKill = Number(row?.['signed'] ?? 0) + Math.ceil(options.killEvery * (0.5 + random.next()));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    await crew.close();
    let wronglyPaid = 0;
    for (let at = 0; at < inviters.length; at += CHUNK) {
      const part = inviters.slice(at, at + CHUNK);
      const { accounts } = await client.deps.chain.accounts(part.map(({ address }) => address));
      wronglyPaid += part.filter(({ owed }, index) => (accounts[index]?.lamports ?? 0n) !== owed).length;
    }
    const [landed] = await world.query(
      `SELECT count(*)::text AS n FROM attempts JOIN intents ON intents.id = intent_id
       WHERE kind = 'payout' AND attempts.status IN ('FINALIZED', 'LANDED_ERR')`,
    );
    const [owed] = await world.query(
      `SELECT coalesce(sum(balance), 0)::text AS n FROM ledger_accounts
       WHERE kind IN ('referral-payable', 'referral-in-flight')`,
    );
    return {
      inviters: inviters.length,
      transactions: Number(landed?.['n'] ?? -1),
      kills: crew.counts.kills,
      seconds,
      wronglyPaid,
      unpaid: open,
      stillOwed: BigInt(owed?.['n'] ?? -1),
      bugs: crew.counts.bugs,
    };
  } finally {
    await crew?.close();
    await client.close().catch(() => undefined);
    await world.stop();
    rmSync(file, { force: true });
  }
}

/** Inviters with a wallet that does not exist on the chain yet, and one booked share each. */
async function owe(
  { deps, query, vault }: Awaited<ReturnType<typeof composeProcess>>,
  count: number,
): Promise<readonly Inviter[]> {
  const { db, ids, clock } = deps;
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const fee = SMALLEST_FEE + BigInt(n) * 10n;
      const [userId, walletId] = [ids.ulid(), ids.ulid()];
      // The signer pays only wallets whose keys are kept here.
      const secret = await vault.create({ walletId, userId });
      return {
        n,
        userId,
        walletId,
        secret,
        address: secret.publicKey,
        fee,
        owed: inviterShare(fee, bps(3_000)),
      };
    }),
  );
  for (let at = 0; at < rows.length; at += CHUNK) {
    const part = rows.slice(at, at + CHUNK);
    await query(
      `INSERT INTO users (id, telegram_id, first_name, settings, created_at)
       SELECT user_id, 50000 + n, 'Inviter', '{}'::jsonb, now() FROM unnest($1::text[], $2::bigint[]) AS g (user_id, n)`,
      [part.map((row) => row.userId), part.map((row) => String(row.n))],
    );
    for (const { userId, walletId, address, secret } of part) {
      const wallet = {
        id: walletId,
        userId,
        name: 'Main',
        address,
        createdAt: clock.now(),
        deletedAt: null,
        origin: 'made' as const,
        confirmedAt: null,
        payoutFrom: null,
      };
      await db.wallets.insert(PASSED, wallet, secret);
    }
    await query(
      `UPDATE users SET active_wallet_id = wallets.id FROM wallets
       WHERE wallets.user_id = users.id AND users.id = ANY($1::text[])`,
      [part.map((row) => row.userId)],
    );
    await db.ledger.postAll(
      part.map((row) =>
        tradeFeeTransfer(
          { id: ids.ulid(), createdAt: clock.now() },
          {
            intentId: row.userId,
            signature: `fee-${row.n}`,
            feeLamports: row.fee,
            inviter: { id: row.userId, shareLamports: row.owed },
          },
        ),
      ),
    );
    await query(
      `INSERT INTO rewards (id, source, inviter_id, signature, lamports, status, created_at)
       SELECT 'reward-' || user_id, 'rebate', user_id, signature, lamports, 'ACCRUED', now()
       FROM unnest($1::text[], $2::text[], $3::bigint[]) AS g (user_id, signature, lamports)`,
      [
        part.map((row) => row.userId),
        part.map((row) => `fee-${row.n}`),
        part.map((row) => row.owed.toString()),
      ],
    );
  }
  return rows;
}
