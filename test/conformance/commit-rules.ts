import { describe, expect, it } from 'vitest';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import type { Attempt, AttemptStatus, Intent, IntentStatus } from '../../src/engine/intents/rules/intent.ts';
import type { Transition } from '../../src/engine/intents/rules/transition.ts';
import { commitTransition } from '../../src/engine/transactions/use/commit-transition.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { applyWrites, COMMIT_RULES } from '../support/fakes/commit-rules.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { TREASURY } from '../support/simulator/plans.ts';
import { attemptRow, NOW, newId, storedIntent, storedPerson } from './store-rows.ts';

const STATUSES: readonly IntentStatus[] = [
  'CREATED',
  'ACTIVE',
  'SUCCEEDED',
  'FAILED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'NEEDS_REVIEW',
];
const FATES: readonly AttemptStatus[] = [
  'SIGNED',
  'SEEN',
  'CONFIRMED',
  'UNKNOWN',
  'FINALIZED',
  'LANDED_ERR',
  'DEAD',
];
const OPEN: readonly IntentStatus[] = ['CREATED', 'ACTIVE'];

/** Holds a store against the rules that the database in memory and the explorer apply, over every combination that matters. */
export function describeCommitRules(db: () => Database): void {
  describe('the commit rules', () => {
    it('lease what is open and free, and nothing else', async () => {
      for (const status of STATUSES) {
        for (const leaseUntil of [null, NOW - 1, NOW, NOW + 1]) {
          const intent = await storedIntent(db(), { status, leaseUntil, leaseEpoch: 3 });
          const leased = await db().intents.lease(intent.id, { owner: 'w', now: NOW, until: NOW + 9 });
          expect(leased?.intent.leaseEpoch ?? null, `${status} until ${leaseUntil}`).toBe(
            COMMIT_RULES.mayLease(intent, NOW) ? 4 : null,
          );
        }
      }
    });

    it('claim what could be leased and nobody had since, and nothing else', async () => {
      for (const status of STATUSES) {
        for (const leaseUntil of [null, NOW - 1, NOW, NOW + 1]) {
          for (const epoch of [2, 3, 4]) {
            const intent = await storedIntent(db(), { status, leaseUntil, leaseEpoch: 3 });
            const may = COMMIT_RULES.mayClaim(intent, epoch, NOW);
            const name = `${status} until ${leaseUntil}, epoch ${epoch}`;
            expect(await db().intents.claim(intent.id, epoch, NOW), name).toBe(may);
            expect(await db().intents.find(intent.id), name).toEqual(
              may ? { ...intent, leaseOwner: null, leaseUntil: null, leaseEpoch: 4 } : intent,
            );
          }
        }
      }
    });

    it('claim nothing while the database is quarantined', async () => {
      const intent = await storedIntent(db(), { status: 'ACTIVE', leaseEpoch: 3 });
      await db().flags.set('quarantined', true, NOW);
      try {
        expect(await db().intents.claim(intent.id, 3, NOW)).toBe(false);
      } finally {
        await db().flags.set('quarantined', false, NOW);
      }
      expect(await db().intents.claim(intent.id, 3, NOW)).toBe(true);
    });

    it('update an intent only under the status and the epoch that are named', async () => {
      for (const status of STATUSES) {
        for (const statuses of [['CREATED'], ['ACTIVE'], OPEN, STATUSES] as const) {
          for (const expect_ of [{ statuses }, { statuses, epoch: 3 }, { statuses, epoch: 2 }]) {
            const intent = await storedIntent(db(), { status, leaseEpoch: 3 });
            expect(
              await db().intents.update(intent.id, expect_, { updatedAt: NOW + 1 }),
              `${status} ${JSON.stringify(expect_)}`,
            ).toBe(COMMIT_RULES.mayUpdateIntent(intent, expect_));
          }
        }
      }
    });

    it('insert an attempt beside no live one, under a number and a signature of its own', async () => {
      for (const status of FATES) {
        for (const change of [
          { n: 1 },
          { n: 2 },
          { n: 2, status: 'DEAD' },
          { n: 3, isCopy: true },
        ] as const) {
          const intent = await storedIntent(db(), { status: 'ACTIVE' });
          const first = attemptRow(intent, { status });
          await db().intents.insertAttempt(first);
          const { isCopy, ...own } = { isCopy: false, ...change };
          const next = attemptRow(intent, { ...own, ...(isCopy ? { signature: first.signature } : {}) });
          expect(await db().intents.insertAttempt(next), `${status} before ${JSON.stringify(change)}`).toBe(
            COMMIT_RULES.mayInsertAttempt([first], next),
          );
        }
      }
    });

    it('update an attempt only from the statuses and under the epoch that are named', async () => {
      const intent = await storedIntent(db(), { status: 'ACTIVE', leaseEpoch: 3 });
      for (const [index, status] of FATES.entries()) {
        const attempt = attemptRow(intent, { n: index + 1, status });
        await db().intents.insertAttempt(attempt);
        for (const statuses of [['SIGNED'], ['SEEN', 'CONFIRMED'], FATES] as const) {
          for (const expect_ of [{ statuses }, { statuses, epoch: 3 }, { statuses, epoch: 2 }]) {
            expect(
              await db().intents.updateAttempt(attempt.id, expect_, { landingProof: { looks: [] } }),
              `${status} ${JSON.stringify(expect_)}`,
            ).toBe(COMMIT_RULES.mayUpdateAttempt(intent, attempt, expect_));
          }
        }
        // Out of the way of the next one.
        await db().intents.updateAttempt(attempt.id, { statuses: FATES }, { status: 'DEAD' });
      }
    });

    it('commit a transition whole or not at all, as the writes in memory say', async () => {
      for (const status of ['CREATED', 'ACTIVE', 'CANCELLED', 'FAILED'] as const) {
        for (const earlier of [null, 'DEAD', 'SIGNED'] as const) {
          for (const epoch of [3, 2]) await compareCommit(db(), status, earlier, epoch);
        }
      }
    });
  });
}

async function compareCommit(
  db: Database,
  status: IntentStatus,
  earlier: AttemptStatus | null,
  epoch: number,
): Promise<void> {
  const { user, wallet } = await storedPerson(db);
  const intent = await storedIntent(db, { userId: user.id, walletId: wallet.id, status, leaseEpoch: 3 });
  const known = earlier === null ? [] : [attemptRow(intent, { status: earlier })];
  for (const attempt of known) await db.intents.insertAttempt(attempt);
  const attempt: Attempt = attemptRow(intent, { n: known.length + 1 });
  const patch: Partial<Intent> = { status: 'ACTIVE', updatedAt: NOW + 5 };
  const transition: Transition = {
    state: { intent: { ...intent, ...patch }, attempts: [...known, attempt] },
    writes: [
      { kind: 'update-intent', expect: OPEN, patch },
      { kind: 'insert-attempt', attempt },
    ],
    effects: [],
  };
  const deps = {
    db,
    clock: fakeClock(NOW),
    ids: fakeIds(),
    fees: feesOf(),
    settlements: SETTLEMENTS,
    log: { info: () => undefined, warn: () => undefined },
    relay: { nudge: () => undefined, run: async () => 0 },
    chain: { slotMs: () => 400 },
    treasury: {
      id: newId(),
      userId: null,
      name: 'T',
      address: TREASURY,
      createdAt: 0,
      deletedAt: null,
      origin: 'made' as const,
      confirmedAt: null,
      payoutFrom: null,
    },
  };
  const expected = applyWrites({ intent, attempts: known }, transition.writes, epoch);
  const what = `${status}, ${earlier}, ${epoch}`;
  expect(await commitTransition(deps, transition, epoch), what).toBe(expected !== null);
  const stored = { intent: await db.intents.find(intent.id), attempts: await db.intents.attempts(intent.id) };
  expect(stored, what).toEqual(expected ?? { intent, attempts: known });
}
