import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createSocketVault, type SocketVault } from '../../src/platform/signer/socket-vault.ts';
import { type MoneyRig, startMoneyRig, until } from '../engine/transactions/money-rig.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { MOMENTS, type Moment, type SignerProcessOptions } from '../support/signer-process.ts';

const SOL = 1_000_000_000n;
const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let url: string;
let db: PrismaDatabase;
let line: SocketVault;
let rig: MoneyRig;
let child: ChildProcess | null = null;
let deaths = 0;
let closing = false;

/** Whoever dies is replaced by one that does not, as a supervisor would. */
function hire(dieAt: Moment | null): Promise<void> {
  const options: SignerProcessOptions = {
    databaseUrl: url,
    path: join(folder, 'signer.sock'),
    kek: '07'.repeat(32),
    dieAt,
  };
  const script = [
    '--import',
    './scripts/register.mjs',
    'test/support/signer-process.ts',
    JSON.stringify(options),
  ];
  const one = spawn(process.execPath, script, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  child = one;
  return new Promise((resolve) => {
    one.stdout.once('data', () => resolve());
    one.once('exit', (_, signal) => {
      if (closing || child !== one) return;
      if (signal === 'SIGKILL') deaths += 1;
      void hire(null).then(resolve);
    });
  });
}

/** The next signer, which will die there. */
async function plant(moment: Moment): Promise<void> {
  const former = child;
  child = null;
  const ended = new Promise<void>((resolve) => former?.once('exit', () => resolve()));
  former?.kill('SIGKILL');
  await ended;
  await hire(moment);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-signer-'));
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  await hire(null);
  line = createSocketVault({ places: [{ path: join(folder, 'signer.sock') }] });
  rig = await startMoneyRig(db, 'killed-signer', { vault: line.vault });
});
afterAll(async () => {
  closing = true;
  await rig?.stop();
  line?.close();
  child?.kill('SIGKILL');
  await db?.close();
  await rm(folder, { recursive: true, force: true });
});

/** As a person does who was told that it did not work: the same button again. */
async function insist<T>(tap: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await tap();
    } catch (error) {
      if (!hasCode(error, 'SIGNER_UNAVAILABLE')) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}

/** One transaction landed for the intent, and no attempt is alive. */
async function landedOnce(intentId: string): Promise<void> {
  const attempts = await db.intents.attempts(intentId);
  // A message that was signed and waited too long is proved dead before another is made.
  expect(attempts.at(-1)?.status).toBe('FINALIZED');
  expect(attempts.slice(0, -1).every(({ status }) => status === 'DEAD')).toBe(true);
  expect(rig.network.uncommitted).toEqual([]);
}

let serial = 0;

describe('a signer that is killed', () => {
  it.each(MOMENTS)('%s leaves a trade that ends once, to the lamport', async (moment) => {
    serial += 1;
    const idemKey = `trade-${serial}`;
    const { mint } = rig.token('PUP');
    const who = await rig.person('Trader', 2n * SOL);
    const { terms, tier } = await quoteTrade(rig.trade, {
      wallet: who.wallet.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      side: 'buy',
      amount: { lamports: SOL / 10n },
    });
    const before = deaths;
    await plant(moment);
    const { intent } = await insist(() =>
      createIntent(
        { ...rig.deps, vault: line.vault },
        {
          userId: who.userId,
          walletId: who.wallet.id,
          idemKey,
          params: { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn },
        },
      ),
    );
    const end = await rig.settled(intent.id);
    expect(end.status).toBe('SUCCEEDED');
    expect(deaths).toBe(before + 1);
    await landedOnce(intent.id);
    const holdings = await rig.chain.holdings(who.wallet.address);
    expect(holdings.find((held) => held.mint === mint)?.amount).toBe(
      end.outcome?.receipt?.tokenDeltas[0]?.delta,
    );
    expect(await rig.chain.balance(who.wallet.address)).toBe(
      2n * SOL + (end.outcome?.receipt?.walletLamportsDelta ?? 0n),
    );
  });

  it.each(MOMENTS)('%s leaves a withdrawal that pays once', async (moment) => {
    serial += 1;
    const who = await rig.person('Giver', 2n * SOL);
    const friend = await rig.person('Friend', SOL);
    await givePin(db, fakePins(), who.userId);
    const before = deaths;
    await plant(moment);
    const { intent } = await insist(() =>
      confirmWithdrawal(
        {
          ...rig.deps,
          vault: line.vault,
          guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: 5n * SOL, spendCapLamports: 5n * SOL },
          tokenValue: async () => null,
        },
        {
          userId: who.userId,
          pin: TEST_PIN,
          walletId: who.wallet.id,
          idemKey: `withdrawal-${serial}`,
          params: {
            kind: 'withdraw-sol',
            destination: friend.wallet.address,
            lamports: SOL / 2n,
            everything: false,
            tier: 'normal',
          },
        },
      ),
    );
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
    expect(deaths).toBe(before + 1);
    await landedOnce(intent.id);
    expect(await rig.chain.balance(friend.wallet.address)).toBe(SOL + SOL / 2n);
  });

  it.each(['before-sign', 'after-sign'] as const)('%s leaves a payout that pays once', async (moment) => {
    serial += 1;
    const inviter = await rig.person('Inviter', SOL);
    const invitee = await rig.person('Invitee', 2n * SOL, inviter.userId);
    await rig.fund(rig.treasury.address, SOL);
    const { mint } = rig.token('PUP');
    const { terms, tier } = await quoteTrade(rig.trade, {
      wallet: invitee.wallet.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      side: 'buy',
      amount: { lamports: SOL },
    });
    // Nothing is paid before the planted signer is there.
    await db.flags.set('payouts-paused', true, Date.now());
    const { intent: trade } = await createIntent(
      { ...rig.deps, vault: line.vault },
      {
        userId: invitee.userId,
        walletId: invitee.wallet.id,
        idemKey: `fee-${serial}`,
        params: { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn },
      },
    );
    expect((await rig.settled(trade.id)).status).toBe('SUCCEEDED');
    const owed = await until(async () => (await db.referrals.rewards(inviter.userId, 5))[0] ?? null);
    const before = deaths;
    await plant(moment);
    await db.flags.set('payouts-paused', false, Date.now());
    await rig.queue.add('payout.collect', {}, {} as never);
    const paid = await until(async () => {
      const [reward] = await db.referrals.rewards(inviter.userId, 5);
      return reward?.status === 'PAID' ? reward : null;
    }, 'the reward');
    expect(deaths).toBe(before + 1);
    await landedOnce(paid.payoutIntentId ?? '');
    expect(await rig.chain.balance(inviter.wallet.address)).toBe(SOL + owed.lamports);
  });
});
