import { describe, expect, it } from 'vitest';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import { reduce } from '../../../src/engine/intents/rules/machine.ts';
import { commitTransition } from '../../../src/engine/transactions/use/commit-transition.ts';
import { newIntent } from '../../../src/engine/transactions/use/new-intent.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { addPerson, addWallet, requestOf } from '../../support/simulator/people.ts';
import { TREASURY } from '../../support/simulator/plans.ts';
import { buildAttempt } from '../intents/build.ts';

describe('a transition of a worker that slept past its lease', () => {
  it('changes nothing once another worker holds the intent, and nothing of the other is lost', async () => {
    const db = fakeDatabase({ trusting: true });
    const clock = fakeClock();
    const ids = fakeIds();
    await addPerson(db, { index: 1, inviterId: null });
    await addWallet(db, { id: 'treasury', userId: null, address: TREASURY });
    const request = requestOf(1, 'withdraw-sol');
    const intent = newIntent(
      { ids, clock },
      { ...request, id: ids.ulid(), idemKey: 'k', notBefore: null, confirmation: null },
    );
    await db.intents.insert(intent);
    const lease = async (owner: string) => {
      const now = clock.now();
      const leased = await db.intents.lease(intent.id, { owner, now, until: now + 10_000 });
      if (leased === null) throw new Error('the lease was refused');
      return leased.intent;
    };
    const lines: object[] = [];
    const deps = {
      log: { info: (fields: object) => void lines.push(fields), warn: () => undefined },
      db,
      clock,
      ids,
      fees: feesOf(),
      settlements: SETTLEMENTS,
      relay: { nudge: () => undefined, run: () => Promise.reject(new Error('not asked for')) },
      chain: { slotMs: () => 400 },
      treasury: {
        id: 'treasury',
        userId: null,
        name: 'Treasury',
        address: TREASURY,
        createdAt: 0,
        deletedAt: null,
        origin: 'made' as const,
        confirmedAt: null,
        payoutFrom: null,
      },
    };
    const asleep = await lease('asleep');
    clock.advance(11_000);
    const awake = await lease('awake');
    const signed = (of: typeof awake, id: string) =>
      reduce(
        { intent: of, attempts: [] },
        { kind: 'signed', attempt: buildAttempt({ id, intentId: intent.id, signature: `signature-${id}` }) },
        clock.now(),
      );
    expect(await commitTransition(deps, signed(asleep, 'late'), asleep.leaseEpoch)).toBe(false);
    expect(await db.intents.attempts(intent.id)).toEqual([]);
    expect(await db.intents.find(intent.id)).toMatchObject({ status: 'CREATED', leaseOwner: 'awake' });
    expect(await commitTransition(deps, signed(awake, 'own'), awake.leaseEpoch)).toBe(true);
    expect(await db.intents.attempts(intent.id)).toMatchObject([{ id: 'own', status: 'SIGNED' }]);
    // What touches an attempt alone is fenced as well: its status would still fit.
    const told = (of: typeof awake) =>
      reduce(signed(of, 'own').state, { kind: 'sent', attemptId: 'own' }, clock.now());
    expect(told(asleep).writes.map(({ kind }) => kind)).toEqual(['update-attempt']);
    expect(await commitTransition(deps, told(asleep), asleep.leaseEpoch)).toBe(false);
    expect(await db.intents.attempts(intent.id)).toMatchObject([{ id: 'own', sendCount: 0 }]);
    expect(await commitTransition(deps, told(awake), awake.leaseEpoch)).toBe(true);
    expect(await db.intents.attempts(intent.id)).toMatchObject([{ id: 'own', sendCount: 1 }]);
    // The operator reads what was committed, and nothing of what was not.
    expect(lines).toEqual([
      {
        intentId: intent.id,
        kind: 'withdraw-sol',
        status: 'ACTIVE',
        attempt: 1,
        attemptStatus: 'SIGNED',
        signature: 'signature-own',
      },
    ]);
  });
});
