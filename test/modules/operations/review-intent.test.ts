import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import type { Verdict } from '../../../src/engine/intents/rules/review.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { resolveReview } from '../../../src/modules/operations/use/review-intent.ts';
import { accrueReward } from '../../../src/modules/referrals/use/accrue-reward.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { buildIntent, PARAMS } from '../../engine/intents/build.ts';
import { type Lie, virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { addPerson, addWallet, walletOf } from '../../support/simulator/people.ts';

const FEE = 20_000_000n;
const PAID_BEFORE = 1_000_000_000n;

/** A payout to an inviter that waits for a person, because an endpoint lied about it. */
async function scene(lie: Lie, options: { readonly landed?: boolean; readonly endpoints?: number } = {}) {
  const world = virtualWorld({ endpoints: options.endpoints ?? 2 });
  world.faults.lie = lie;
  world.faults.drop = options.landed === false;
  const db: Database = fakeDatabase();
  const between: { happen: () => void } = { happen: () => undefined };
  const pause = async (ms: number): Promise<void> => {
    world.clock.advance(ms);
    between.happen();
  };
  const deps = { ...virtualDeps(world, db), pause };
  await addWallet(db, { id: deps.treasury.id, userId: null, address: deps.treasury.address });
  await addPerson(db, { index: 1, inviterId: null });
  await addPerson(db, { index: 2, inviterId: 'person-1' });
  world.balances.set(deps.treasury.address, 10_000_000_000n);
  world.balances.set(walletOf(1) as Address, PAID_BEFORE);
  const trade = buildIntent({
    id: deps.ids.ulid(),
    idemKey: 'trade',
    params: PARAMS.buy,
    userId: 'person-2',
    walletId: 'wallet-person-2',
    status: 'SUCCEEDED',
  });
  await db.intents.insert(trade);
  await db.transact((stores) =>
    accrueReward(deps, stores, { intent: trade, signature: 'trade', feeLamports: FEE, at: deps.clock.now() }),
  );
  const collect = () => collectPayouts({ ...deps, minimumLamports: 0n });
  const [payout] = await collect();
  if (payout === undefined) throw new Error('nothing is owed');
  const play = async (id: string): Promise<Intent> => {
    const step = createStepIntent(deps, { stretchMs: 0 });
    for (const until = world.clock.now() + 1_500_000; ; ) {
      const result = await step(id);
      const intent = await db.intents.find(id);
      if (intent === null) throw new Error('the intent is gone');
      if (!isOpen(intent.status) || world.clock.now() >= until) return intent;
      world.clock.advance(result.kind === 'again' ? Math.max(result.afterMs, 1_000) : 5_000);
    }
  };
  expect(await play(payout.id)).toMatchObject({ status: 'NEEDS_REVIEW' });
  const [attempt] = await db.intents.attempts(payout.id);
  const resolve = async (verdict: Verdict, more: { readonly forced?: boolean; signature?: string } = {}) => {
    const whole = await db.intents.whole(payout.id);
    if (whole === null || attempt === undefined) throw new Error('the payout is gone');
    return resolveReview(deps, whole, {
      verdict,
      signature: verdict === 'dead' ? null : (more.signature ?? attempt.signature),
      reason: 'looked at a third place',
      forced: more.forced ?? false,
      actor: 'operator:olga',
    });
  };
  const books = async () => ({
    received: (world.balances.get(walletOf(1) as Address) ?? 0n) - PAID_BEFORE,
    booked: (await db.referrals.totals('person-1')).paidLamports,
  });
  const again = async () => {
    const more = await collect();
    for (const { id } of more) await play(id);
    return more.length;
  };
  const acts = () => db.auditLog.list({ act: 'review-resolved' }, { limit: 10, offset: 0 });
  return { world, db, payout, resolve, books, again, acts, play, between };
}

/** Thirty per cent: the inviter's share. */
const OWED = (FEE * 30n) / 100n;
const SAYS_ERROR: Lie = { claim: 'error', forged: true };
const SAYS_SUCCESS: Lie = { claim: 'success', forged: true };

describe('a payout that landed and waits because an endpoint denies it', () => {
  it('is booked once when both endpoints say so, and never paid again', async () => {
    const { world, resolve, books, again, acts, db, payout } = await scene(SAYS_ERROR);
    world.faults.lie = null;
    expect(await resolve('landed')).toEqual({ kind: 'resolved', status: 'SUCCEEDED' });
    expect(await books()).toEqual({ received: OWED, booked: OWED });
    expect(await resolve('landed')).toEqual({ kind: 'not-waiting', status: 'SUCCEEDED' });
    expect(await again()).toBe(0);
    expect(await books()).toEqual({ received: OWED, booked: OWED });
    expect(await db.intents.attempts(payout.id)).toMatchObject([{ status: 'FINALIZED' }]);
    expect(await acts()).toMatchObject([
      { actor: 'operator:olga', outcome: 'done', details: { verdict: 'landed', forced: false } },
    ]);
  });

  it.each(['landed', 'failed', 'dead'] as const)(
    'changes nothing while the endpoints disagree: %s',
    async (verdict) => {
      const { resolve, books, again, acts, db, payout } = await scene(SAYS_ERROR);
      expect(await resolve(verdict)).toMatchObject({ kind: 'refused' });
      expect(await db.intents.find(payout.id)).toMatchObject({ status: 'NEEDS_REVIEW' });
      expect(await again()).toBe(0);
      expect(await books()).toEqual({ received: OWED, booked: 0n });
      expect(await acts()).toEqual([]);
    },
  );

  it('is not given back on anybody’s word when both endpoints say that it landed', async () => {
    const { world, resolve, again, books } = await scene(SAYS_ERROR);
    world.faults.lie = null;
    for (const verdict of ['failed', 'dead'] as const)
      expect(await resolve(verdict)).toMatchObject({ kind: 'refused' });
    expect(await again()).toBe(0);
    expect(await books()).toEqual({ received: OWED, booked: 0n });
  });

  it('is not decided by one of two endpoints alone', async () => {
    const { world, resolve } = await scene(SAYS_ERROR);
    world.faults.lie = null;
    world.faults.down = 'endpoint-0';
    const result = await resolve('landed');
    expect(result).toMatchObject({
      kind: 'refused',
      objections: [expect.stringContaining('endpoint-1 says landed')],
    });
  });

  describe('where there is one endpoint', () => {
    /** It lied while the payout was under way, so that a person was called. */
    const alone = () => scene({ ...SAYS_ERROR, forged: false }, { endpoints: 1 });

    it('is booked when it says so twice', async () => {
      const { world, resolve, books } = await alone();
      world.faults.lie = null;
      expect(await resolve('landed')).toEqual({ kind: 'resolved', status: 'SUCCEEDED' });
      expect(await books()).toEqual({ received: OWED, booked: OWED });
    });

    it.each(['landed', 'failed', 'dead'] as const)(
      'is not ended by what it says once: %s',
      async (verdict) => {
        const { world, resolve, books, between, again } = await alone();
        for (const [first, second] of [
          [SAYS_ERROR, null],
          [null, SAYS_ERROR],
        ] as const) {
          world.faults.lie = first;
          between.happen = () => {
            world.faults.lie = second;
          };
          expect(await resolve(verdict)).toMatchObject({ kind: 'refused' });
        }
        expect(await again()).toBe(0);
        expect(await books()).toEqual({ received: OWED, booked: 0n });
      },
    );

    it('is not ended when it falls silent after the first word', async () => {
      const { world, resolve, between } = await alone();
      world.faults.lie = null;
      between.happen = () => {
        world.faults.down = 'endpoint-0';
      };
      expect(await resolve('landed')).toMatchObject({ kind: 'refused' });
    });
  });

  it('is booked by force, and the trail says so', async () => {
    const { resolve, books, acts } = await scene(SAYS_ERROR);
    expect(await resolve('landed', { forced: true })).toEqual({ kind: 'resolved', status: 'SUCCEEDED' });
    expect(await books()).toEqual({ received: OWED, booked: OWED });
    expect(await acts()).toMatchObject([{ details: { forced: true } }]);
  });

  it('is not booked for a signature that is not its own', async () => {
    const { resolve } = await scene(SAYS_ERROR);
    expect(await resolve('landed', { signature: 'x', forced: true })).toEqual({ kind: 'unknown-signature' });
  });

  it('is decided once by two operators at once', async () => {
    const { world, resolve, books, acts, again } = await scene(SAYS_ERROR);
    world.faults.lie = null;
    const results = await Promise.all([
      resolve('landed'),
      resolve('dead', { forced: true }),
      resolve('landed'),
      resolve('failed', { forced: true }),
    ]);
    expect(results.filter(({ kind }) => kind === 'resolved')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'not-waiting')).toHaveLength(3);
    expect(await acts()).toHaveLength(1);
    const status = results.flatMap((one) => (one.kind === 'resolved' ? one.status : []))[0];
    const { booked } = await books();
    expect(booked).toBe(status === 'SUCCEEDED' ? OWED : 0n);
    // Given back once: the debt is paid at most once more.
    expect(await again()).toBe(status === 'SUCCEEDED' ? 0 : 1);
  });
});

describe('a payout that never landed and waits because an endpoint says that it did', () => {
  it('is owed again, once, when both endpoints prove it dead', async () => {
    const { world, resolve, books, again } = await scene(SAYS_SUCCESS, { landed: false });
    expect(await resolve('dead')).toMatchObject({ kind: 'refused' });
    world.faults.lie = null;
    expect(await resolve('dead')).toEqual({ kind: 'resolved', status: 'EXPIRED' });
    expect(await resolve('dead')).toEqual({ kind: 'not-waiting', status: 'EXPIRED' });
    world.faults.drop = false;
    expect(await again()).toBe(1);
    expect(await again()).toBe(0);
    expect(await books()).toEqual({ received: OWED, booked: OWED });
  });

  it('is not booked as landed by the liar alone', async () => {
    const { resolve, books } = await scene(SAYS_SUCCESS, { landed: false });
    expect(await resolve('landed')).toMatchObject({ kind: 'refused' });
    expect(await books()).toEqual({ received: 0n, booked: 0n });
  });
});

describe('an intent that does not wait for a person', () => {
  /** Without attempts: no other row can tell a second review from the first. */
  async function unsigned(status: Intent['status']) {
    const world = virtualWorld({ endpoints: 2 });
    const db: Database = fakeDatabase();
    const deps = { ...virtualDeps(world, db), pause: async () => undefined };
    await addWallet(db, { id: deps.treasury.id, userId: null, address: deps.treasury.address });
    await addPerson(db, { index: 1, inviterId: null });
    const id = deps.ids.ulid();
    const intent = { id, userId: 'person-1', walletId: 'wallet-person-1', params: PARAMS.buy, status };
    await db.intents.insert(buildIntent(intent));
    const whole = await db.intents.whole(id);
    if (whole === null) throw new Error('the intent is gone');
    const order = {
      verdict: 'dead',
      signature: null,
      reason: 'nothing was signed',
      forced: true,
      actor: 'operator:olga',
    } as const;
    const acts = () => db.auditLog.list({ act: 'review-resolved' }, { limit: 10, offset: 0 });
    return { db, whole, review: () => resolveReview(deps, whole, order), acts };
  }

  it.each(['CREATED', 'ACTIVE', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'REJECTED', 'CANCELLED'] as const)(
    'is left as it is, by force too: %s',
    async (status) => {
      const { db, whole, review, acts } = await unsigned(status);
      expect(await review()).toEqual({ kind: 'not-waiting', status });
      expect(await db.intents.whole(whole.intent.id)).toEqual(whole);
      expect(await acts()).toEqual([]);
      expect(await db.outbox.claim(10)).toEqual([]);
    },
  );

  it('stays ended once for whoever read it before: one end, one line in the trail', async () => {
    const { db, whole, review, acts } = await unsigned('NEEDS_REVIEW');
    expect(await review()).toEqual({ kind: 'resolved', status: 'EXPIRED' });
    const ended = await db.intents.find(whole.intent.id);
    expect(await review()).toEqual({ kind: 'not-waiting', status: 'EXPIRED' });
    expect(await db.intents.find(whole.intent.id)).toEqual(ended);
    expect(await acts()).toHaveLength(1);
  });
});
