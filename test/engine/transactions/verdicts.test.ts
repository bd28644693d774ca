import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import { decodeIntentNotice } from '../../../src/engine/intents/rules/notice-payload.ts';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { accrueReward } from '../../../src/modules/referrals/use/accrue-reward.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { CONFIRMS } from '../../support/signer.ts';
import { addressOf, buildIntent, DESTINATION, PARAMS } from '../intents/build.ts';
import { type Lie, type VirtualWorld, virtualDeps, virtualWorld } from './virtual-world.ts';

const INVITER = addressOf(41);
const DEBT = 3_000_000n;
const PER_CENT = 15;

async function person(db: Database, id: string, wallet: Address, inviterId: string | null): Promise<void> {
  await db.users.insert({
    id,
    telegramId: BigInt(id.length),
    firstName: id,
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId,
    screenMessageId: null,
    blockedAt: null,
    createdAt: 1,
  });
  await addWallet(db, `wallet-${id}`, id, wallet);
  await db.users.activate(PASSED, id, `wallet-${id}`);
}

function addWallet(db: Database, id: string, userId: string | null, address: Address): Promise<void> {
  return db.wallets.insert(
    PASSED,
    {
      id,
      userId,
      name: 'Main',
      address,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    {
      walletId: id,
      userId,
      publicKey: address,
      version: 1,
      kekId: 'k',
      wrappedDek: new Uint8Array(60),
      sealedSeed: new Uint8Array(60),
    },
  );
}

type Scene = {
  readonly world: VirtualWorld;
  readonly db: Database;
  readonly deps: TransactionDeps;
  readonly warnings: string[];
};

async function openScene(endpoints: number, lie: Lie | null): Promise<Scene> {
  const world = virtualWorld({ endpoints });
  world.faults.lie = lie;
  const db = fakeDatabase();
  const warnings: string[] = [];
  const deps = virtualDeps(world, db, {
    log: { info: () => undefined, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') },
  });
  await addWallet(db, deps.treasury.id, null, deps.treasury.address);
  world.balances.set(deps.treasury.address, 10_000_000_000n);
  await person(db, 'ann', INVITER, null);
  await person(db, 'bobby', addressOf(42), 'ann');
  world.balances.set(INVITER, 1_000_000_000n);
  world.balances.set(addressOf(42), 9_000_000_000n);
  return { world, db, deps, warnings };
}

/** Steps like a queue would, for so long that nothing changes by itself any more. */
async function play({ world, deps }: Scene, intentId: string): Promise<Intent> {
  const step = createStepIntent(deps, { stretchMs: 0 });
  const until = world.clock.now() + 1_500_000;
  for (;;) {
    const result = await step(intentId);
    const intent = await deps.db.intents.find(intentId);
    if (intent === null) throw new Error('the intent is gone');
    if (!isOpen(intent.status) || world.clock.now() >= until) return intent;
    world.clock.advance(result.kind === 'again' ? Math.max(result.afterMs, 1_000) : 5_000);
  }
}

async function owe({ db, deps }: Scene): Promise<void> {
  const intent = buildIntent({
    id: deps.ids.ulid(),
    idemKey: 'trade',
    params: PARAMS.buy,
    userId: 'bobby',
    walletId: 'wallet-bobby',
    status: 'SUCCEEDED',
  });
  await db.intents.insert(intent);
  await db.transact((stores) =>
    accrueReward(deps, stores, {
      intent,
      signature: 'trade',
      feeLamports: (DEBT * 100n) / BigInt(PER_CENT),
      at: deps.clock.now(),
    }),
  );
}

/** A payout, what became of it, and whatever the collector makes of the debt afterwards. */
async function payTwice(scene: Scene) {
  await owe(scene);
  const collect = () => collectPayouts({ ...scene.deps, minimumLamports: 0n });
  const [first] = await collect();
  if (first === undefined) throw new Error('nothing is owed');
  const { params } = first;
  const owed = params.kind === 'payout' ? (params.items[0]?.lamports ?? 0n) : 0n;
  const end = await play(scene, first.id);
  for (const again of await collect()) await play(scene, again.id);
  return {
    status: end.status,
    owed,
    received: (scene.world.balances.get(INVITER) ?? 0n) - 1_000_000_000n,
    booked: (await scene.db.referrals.totals('ann')).paidLamports,
  };
}

const error = (forged: boolean, times?: number): Lie => ({
  claim: 'error',
  forged,
  ...(times === undefined ? {} : { times }),
});

describe('a payout that landed', () => {
  const open = ['CREATED', 'ACTIVE'];
  const cases: readonly (readonly [string, number, Lie | null, readonly string[]])[] = [
    ['every node is honest', 2, null, ['SUCCEEDED']],
    ['the only node is honest', 1, null, ['SUCCEEDED']],
    ['a node reports an error beside an honest one', 2, error(false), ['NEEDS_REVIEW']],
    ['a node forges the record of an error beside an honest one', 2, error(true), ['NEEDS_REVIEW']],
    ['one of three nodes forges the record of an error', 3, error(true), ['SUCCEEDED', 'NEEDS_REVIEW']],
    ['the only node reports an error that its record denies', 1, error(false), ['NEEDS_REVIEW']],
    ['the only node is wrong once, record and all', 1, error(true, 2), ['NEEDS_REVIEW']],
    ['a node denies it beside an honest one', 2, { claim: 'absence' }, ['NEEDS_REVIEW']],
    ['a node is of another network, beside an honest one', 2, { claim: 'another network' }, open],
    ['the only node is of another network', 1, { claim: 'another network' }, open],
  ];

  it.each(cases)('is paid once and never given back when %s', async (_, endpoints, lie, ends) => {
    const scene = await openScene(endpoints, lie);
    const { status, owed, received, booked } = await payTwice(scene);
    expect(received).toBe(owed);
    expect(ends).toContain(status);
    expect(booked).toBe(status === 'SUCCEEDED' ? owed : 0n);
    if (status === 'NEEDS_REVIEW') expect(scene.warnings.join()).toMatch(/endpoints do not agree/);
  });

  it('is final again as soon as the other node can be heard', async () => {
    const scene = await openScene(2, null);
    scene.world.faults.down = 'endpoint-1';
    await owe(scene);
    const [payout] = await collectPayouts({ ...scene.deps, minimumLamports: 0n });
    expect(await play(scene, payout?.id ?? '')).toMatchObject({ status: 'ACTIVE' });
    scene.world.faults.down = null;
    expect(await play(scene, payout?.id ?? '')).toMatchObject({ status: 'SUCCEEDED' });
  });
});

describe('a withdrawal', () => {
  async function withdraw(scene: Scene): Promise<Intent> {
    const { intent } = await createIntent(
      { ...scene.deps, vault: CONFIRMS },
      {
        userId: 'bobby',
        walletId: 'wallet-bobby',
        idemKey: 'withdrawal',
        params: {
          kind: 'withdraw-sol',
          destination: DESTINATION,
          lamports: 2_000_000_000n,
          everything: false,
          tier: 'normal',
        },
      },
    );
    return intent;
  }

  it.each([1, 2])(
    'that never landed is not called final by a node that says so, of %d',
    async (endpoints) => {
      const scene = await openScene(endpoints, { claim: 'success', forged: true });
      scene.world.faults.drop = true;
      const end = await play(scene, (await withdraw(scene)).id);
      expect(end.status).toBe('NEEDS_REVIEW');
      expect(end.outcome?.receipt).toBeNull();
      expect(scene.world.landed.size).toBe(0);
    },
  );

  it('that was called done and is in doubt is corrected in words', async () => {
    const scene = await openScene(2, { claim: 'success', forged: true });
    scene.world.faults.drop = true;
    const intent = await withdraw(scene);
    await play(scene, intent.id);
    // "Sent" was overtaken before anybody was told.
    const told = await noticesOf(scene.db);
    expect(told.map(({ kind }) => kind)).toEqual(['confirmed', 'final']);
    expect(decodeIntentNotice(told.at(-1)?.payload).outcome?.details).toMatchObject({
      disputed: true,
      corrected: true,
    });
  });

  it('keeps what endpoints said over a restart of the worker', async () => {
    const scene = await openScene(1, null);
    const intent = await withdraw(scene);
    for (let n = 0; n < 200; n += 1) {
      // Nothing of a step outlives it.
      const step = createStepIntent({ ...scene.deps, owner: `worker-${n}` }, { stretchMs: 0 });
      await step(intent.id);
      scene.world.clock.advance(1_000);
      const [attempt] = await scene.db.intents.attempts(intent.id);
      if (attempt?.landingProof !== null && attempt?.landingProof !== undefined) break;
    }
    const [first] = await scene.db.intents.attempts(intent.id);
    expect(first?.status).toBe('CONFIRMED');
    // A lie told after it contradicts what was kept.
    scene.world.faults.lie = error(true);
    expect((await play(scene, intent.id)).status).toBe('NEEDS_REVIEW');
  });
});

async function noticesOf(db: Database): Promise<readonly Notice[]> {
  const ids = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100);
  const found = await Promise.all(ids.map((id) => db.notices.find(id)));
  return found.flatMap((notice) => (notice === null ? [] : [notice]));
}
