import { beforeEach, describe, expect, it } from 'vitest';
import { decodeLooks } from '../../../src/engine/intents/rules/death.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { CONFIRMS } from '../../support/signer.ts';
import { addressOf, DESTINATION } from '../intents/build.ts';
import { type VirtualWorld, virtualDeps, virtualWorld } from './virtual-world.ts';

const WALLET = addressOf(1);
const AMOUNT = 2_000_000_000n;
const FUNDS = 9_000_000_000n;

class Killed extends Error {}

/** Kills the process at its k-th call of any port: nothing it calls afterwards has any effect. */
function killer(k: number, moment: 'before' | 'after') {
  const state = { calls: 0, dead: false, fired: false };
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, property, receiver) {
        const member: unknown = Reflect.get(object, property, receiver);
        if (typeof member === 'object' && member !== null) return wrap(member);
        // A figure that the process keeps is no call.
        if (typeof member !== 'function' || property === 'slotMs') return member;
        return async (...args: unknown[]) => {
          if (state.dead) throw new Killed();
          state.calls += 1;
          const isMine = state.calls === k;
          if (isMine) state.fired = true;
          if (isMine && moment === 'before') {
            state.dead = true;
            throw new Killed();
          }
          const wrapped = args.map((arg) =>
            property === 'transact' && typeof arg === 'function'
              ? (stores: object) => (arg as (s: object) => unknown)(wrap(stores))
              : arg,
          );
          const result: unknown = await (member as (...all: unknown[]) => unknown).apply(object, wrapped);
          if (isMine || state.dead) {
            state.dead = true;
            throw new Killed();
          }
          return result;
        };
      },
    });
  return { state, wrap };
}

async function setUp(world: VirtualWorld): Promise<{ db: Database; deps: TransactionDeps; intent: Intent }> {
  const db = fakeDatabase();
  const deps = virtualDeps(world, db);
  world.balances.set(WALLET, FUNDS);
  await db.users.insert({
    id: 'user-1',
    telegramId: 1n,
    firstName: 'Ann',
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: 0,
  });
  await db.wallets.insert(
    PASSED,
    {
      id: 'wallet-1',
      userId: 'user-1',
      name: 'Main',
      address: WALLET,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    {
      walletId: 'wallet-1',
      userId: 'user-1',
      publicKey: WALLET,
      version: 1,
      kekId: 'k',
      wrappedDek: new Uint8Array(60),
      sealedSeed: new Uint8Array(60),
    },
  );
  const { intent } = await createIntent(
    { ...deps, vault: CONFIRMS },
    {
      userId: 'user-1',
      walletId: 'wallet-1',
      idemKey: 'key-1',
      params: {
        kind: 'withdraw-sol',
        destination: DESTINATION,
        lamports: AMOUNT,
        everything: false,
        tier: 'normal',
      },
    },
  );
  return { db, deps, intent };
}

/** Steps like a queue and its sweeper would, one transition each, until the intent is final. */
async function finish(
  deps: TransactionDeps,
  world: VirtualWorld,
  intentId: string,
  maxSteps = 2_000,
): Promise<Intent> {
  const step = createStepIntent(deps, { stretchMs: 0 });
  for (let steps = 0; steps < maxSteps; steps++) {
    const result = await step(intentId);
    const intent = await deps.db.intents.find(intentId);
    if (intent !== null && intent.status !== 'CREATED' && intent.status !== 'ACTIVE') return intent;
    world.clock.advance(result.kind === 'again' ? result.afterMs : 5_000);
  }
  throw new Error('the intent never became final');
}

function paid(world: VirtualWorld): bigint {
  return world.balances.get(DESTINATION) ?? 0n;
}

describe('the crash table', () => {
  let world: VirtualWorld;
  beforeEach(() => {
    world = virtualWorld();
  });

  it.each(['before', 'after'] as const)(
    'pays exactly once when the process is killed right %s any one of its calls',
    async (moment) => {
      let points = 0;
      for (let k = 1; ; k++) {
        world = virtualWorld();
        const { db, deps, intent } = await setUp(world);
        const { state, wrap } = killer(k, moment);
        const doomed = {
          ...deps,
          db: wrap(db),
          chain: wrap(world.chain),
          vault: wrap(deps.vault),
          owner: 'doomed',
        };
        await finish(doomed, world, intent.id).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        if (!state.fired) break;
        points += 1;
        // The lease of the dead process must run out first.
        world.clock.advance(25_000);
        const end = await finish({ ...deps, owner: 'next', ids: fakeIds(2) }, world, intent.id);
        expect({ k, status: end.status }).toEqual({ k, status: 'SUCCEEDED' });
        expect({ k, paid: paid(world) }).toEqual({ k, paid: AMOUNT });
        expect(world.byMemo.get(intent.id)).toHaveLength(1);
        const attempts = await db.intents.attempts(intent.id);
        expect(attempts.filter((attempt) => attempt.status === 'FINALIZED')).toHaveLength(1);
        // Signed but never stored bytes were never sent: every landed signature is a stored one.
        expect(attempts.map((attempt) => attempt.signature)).toContain(world.byMemo.get(intent.id)?.[0]);
      }
      expect(points).toBeGreaterThan(25);
    },
    60_000,
  );

  it('pays once when a zombie and its successor step the same intent at the same time', async () => {
    const { db, deps, intent } = await setUp(world);
    let release: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      release = resolve;
    });
    const zombie = createStepIntent(
      {
        ...deps,
        owner: 'zombie',
        vault: {
          sign: async (request) => {
            const signature = await deps.vault.sign(request);
            await asleep;
            return signature;
          },
        },
      },
      { stretchMs: 0 },
    );
    const sleeping = zombie(intent.id);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    world.clock.advance(25_000);
    expect((await finish({ ...deps, ids: fakeIds(2) }, world, intent.id)).status).toBe('SUCCEEDED');
    release();
    await sleeping;
    expect(world.byMemo.get(intent.id)).toHaveLength(1);
    expect(await db.intents.attempts(intent.id)).toHaveLength(1);
    expect(paid(world)).toBe(AMOUNT);
  });

  it('expires only by proof, after as many attempts as the kind allows, and pays nothing', async () => {
    const { db, deps, intent } = await setUp(world);
    world.faults.drop = true;
    const end = await finish(deps, world, intent.id);
    expect(end.status).toBe('EXPIRED');
    const attempts = await db.intents.attempts(intent.id);
    expect(attempts.length).toBe(5);
    for (const [index, attempt] of attempts.entries()) {
      expect(attempt.status).toBe('DEAD');
      const looks = decodeLooks(attempt.deathProof);
      expect(looks.length).toBeGreaterThan(0);
      // No two attempts can land: the next one is signed when every look found the height of this one finalized and passed.
      for (const look of looks) {
        expect(look.finalizedHeight).toBeGreaterThan(attempt.lastValidBlockHeight);
        expect(attempts[index + 1]?.signedAt ?? look.at).toBeGreaterThanOrEqual(look.at);
      }
    }
    expect(paid(world)).toBe(0n);
  });

  it('finds out what happened while every status was hidden, by history', async () => {
    const { deps, intent } = await setUp(world);
    const step = createStepIntent(deps, { stretchMs: 0 });
    await step(intent.id);
    world.faults.loseAnswer = true;
    await step(intent.id);
    world.faults.hideStatus = true;
    for (let n = 0; n < 20; n++) {
      await step(intent.id);
      world.clock.advance(400);
    }
    world.faults.hideStatus = false;
    expect((await finish(deps, world, intent.id)).status).toBe('SUCCEEDED');
    expect(paid(world)).toBe(AMOUNT);
  });

  it('reports a landed failure with its fee, only when it is final', async () => {
    const { db, deps, intent } = await setUp(world);
    world.faults.failWith = '{"InstructionError":[3,{"Custom":1}]}';
    const end = await finish(deps, world, intent.id);
    expect(end).toMatchObject({
      status: 'FAILED',
      outcome: { reason: '{"InstructionError":[3,{"Custom":1}]}', receipt: { feeLamports: 5_000n } },
    });
    expect((await db.intents.attempts(intent.id)).map((attempt) => attempt.status)).toEqual(['LANDED_ERR']);
  });

  it('refuses before signing what the wallet cannot pay', async () => {
    const { db, deps, intent } = await setUp(world);
    world.balances.set(WALLET, 1_000_000n);
    const signed: unknown[] = [];
    const end = await finish(
      { ...deps, vault: { sign: async (request) => signed.push(request) as never } },
      world,
      intent.id,
    );
    expect(end).toMatchObject({ status: 'REJECTED' });
    expect(signed).toEqual([]);
    expect(await db.intents.attempts(intent.id)).toEqual([]);
  });

  it('waits out a pause of signing instead of refusing', async () => {
    const { db, deps, intent } = await setUp(world);
    await db.flags.set('signing-paused', true, 0);
    const step = createStepIntent(deps, { stretchMs: 0 });
    expect(await step(intent.id)).toEqual({ kind: 'again', afterMs: 1_000 });
    expect((await db.intents.find(intent.id))?.status).toBe('CREATED');
    await db.flags.set('signing-paused', false, 0);
    expect((await finish(deps, world, intent.id)).status).toBe('SUCCEEDED');
  });

  it('cancels before the signature and not after it', async () => {
    const first = await setUp(world);
    const ask = { intentId: first.intent.id, userId: 'user-1' };
    await expect(cancelIntent(first.deps, { ...ask, userId: 'somebody' })).rejects.toMatchObject({
      code: 'INTENT_NOT_FOUND',
    });
    expect(await cancelIntent(first.deps, ask)).toMatchObject({
      cancelled: true,
      intent: { status: 'CANCELLED' },
    });
    expect(await cancelIntent(first.deps, ask)).toMatchObject({ cancelled: false });
    const second = await setUp(world);
    await createStepIntent(second.deps, { stretchMs: 0 })(second.intent.id);
    expect(await cancelIntent(second.deps, { intentId: second.intent.id, userId: 'user-1' })).toMatchObject({
      cancelled: false,
      intent: { status: 'ACTIVE' },
    });
  });

  it('stores nothing when a cancel comes between signing and committing', async () => {
    const { db, deps, intent } = await setUp(world);
    const step = createStepIntent(
      {
        ...deps,
        vault: {
          sign: async (request) => {
            await cancelIntent(deps, { intentId: intent.id, userId: 'user-1' });
            return deps.vault.sign(request);
          },
        },
      },
      { stretchMs: 0 },
    );
    await step(intent.id);
    expect((await db.intents.find(intent.id))?.status).toBe('CANCELLED');
    expect(await db.intents.attempts(intent.id)).toEqual([]);
    expect(world.landed.size).toBe(0);
  });

  it.each([
    ['the freeze of its owner', 'frozen'],
    ['the pause of signing', 'signing-paused'],
    ['the pause of withdrawals', 'withdrawals-paused'],
    ['a quarantine', 'quarantined'],
  ] as const)(
    'forgets a signature when %s comes before its commit, and signs when that is over',
    async (_, what) => {
      const { db, deps, intent } = await setUp(world);
      const flip = (on: boolean): Promise<unknown> =>
        what === 'frozen'
          ? db.transact(async ({ guards }) => {
              const guard = await guards.lock('user-1');
              await guards.save({ ...guard, frozenAt: on ? world.clock.now() : null }, PASSED);
            })
          : db.flags.set(what, on, world.clock.now());
      let signed = 0;
      const step = createStepIntent(
        {
          ...deps,
          vault: {
            sign: async (request) => {
              signed += 1;
              const signature = await deps.vault.sign(request);
              await flip(true);
              return signature;
            },
          },
        },
        { stretchMs: 0 },
      );
      expect(await step(intent.id)).toMatchObject({ kind: 'again' });
      expect(signed).toBe(1);
      expect(await db.intents.attempts(intent.id)).toEqual([]);
      expect((await db.intents.find(intent.id))?.status).toBe('CREATED');
      await flip(false);
      expect((await finish(deps, world, intent.id)).status).toBe('SUCCEEDED');
      expect(paid(world)).toBe(AMOUNT);
    },
  );

  it('comes back when the lease of a holder ends that may be dead', async () => {
    const { db, deps, intent } = await setUp(world);
    const now = world.clock.now();
    await db.intents.lease(intent.id, { owner: 'dead', now, until: now + 7_000 });
    const step = createStepIntent(deps, { stretchMs: 0 });
    expect(await step(intent.id)).toEqual({ kind: 'again', afterMs: 7_000 });
    world.clock.advance(7_000);
    await step(intent.id);
    expect(await db.intents.attempts(intent.id)).toHaveLength(1);
    expect(await step('no-such-intent')).toEqual({ kind: 'done' });
  });

  it('gives a repeat of the confirmation the first intent, and a stale button nothing', async () => {
    const { deps, db, intent } = await setUp(world);
    const input = { userId: 'user-1', walletId: 'wallet-1', idemKey: 'key-1', params: intent.params };
    expect(await createIntent({ ...deps, vault: CONFIRMS }, input)).toMatchObject({
      created: false,
      intent: { id: intent.id },
    });
    await expect(
      createIntent({ ...deps, vault: CONFIRMS }, { ...input, idemKey: 'key-2', buttonId: 'none' }),
    ).rejects.toMatchObject({
      code: 'BUTTON_STALE',
    });
    await expect(
      createIntent({ ...deps, vault: CONFIRMS }, { ...input, idemKey: 'key-3', walletId: 'other' }),
    ).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    const button = { id: 'b'.repeat(22), userId: 'user-1', action: 'x', payload: null, usedAt: null };
    await db.buttons.insert([{ ...button, expiresAt: world.clock.now() + 1_000 }]);
    const twice = await Promise.all(
      [1, 2].map(() =>
        createIntent({ ...deps, vault: CONFIRMS }, { ...input, idemKey: 'key-4', buttonId: button.id }),
      ),
    );
    expect(twice.filter((one) => one.created)).toHaveLength(1);
    expect(twice[0]?.intent.id).toBe(twice[1]?.intent.id);
  });
});
