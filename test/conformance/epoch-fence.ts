import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/ports/stores.ts';
import { attemptRow, NOW, storedIntent } from './store-rows.ts';

/** Long enough for a statement to begin to wait for another's rows. Too short it would prove less, and fail nothing. */
const UNDER_WAY_MS = 100;
const LOOK = { landingProof: { looks: [] } };

/** A holder that outlived its lease, on a real store: before, while and after the next one takes it. */
export function describeEpochFence(db: () => Database): void {
  const sent = async () => {
    const intent = await storedIntent(db(), { status: 'ACTIVE' });
    const leased = await db().intents.lease(intent.id, { owner: 'slow', now: NOW, until: NOW + 10 });
    const epoch = leased?.intent.leaseEpoch ?? 0;
    const attempt = attemptRow(intent);
    await db().intents.insertAttempt(attempt);
    return {
      id: attempt.id,
      intentId: intent.id,
      epoch,
      late: () => db().intents.updateAttempt(attempt.id, { statuses: ['SIGNED'], epoch }, { sendCount: 9 }),
      leaseNext: () => db().intents.lease(intent.id, { owner: 'next', now: NOW + 10, until: NOW + 20 }),
    };
  };
  /** `work` begins when it is told to, as another connection's: no part of the transaction that tells it. */
  const beside = <T>(work: () => Promise<T>) => {
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    return {
      result: told.then(work),
      begin: async () => {
        tell();
        await setTimeout(UNDER_WAY_MS);
      },
    };
  };

  describe('the fence of an attempt', () => {
    it('takes nothing from a holder that outlived its lease, though the status still fits', async () => {
      const { id, intentId, epoch, late, leaseNext } = await sent();
      // Nobody has it yet: what it does is still the last word.
      expect(await late()).toBe(true);
      const next = await leaseNext();
      const own = { statuses: ['SIGNED'], epoch: epoch + 1 } as const;
      expect(await db().intents.updateAttempt(id, own, LOOK)).toBe(true);
      expect(await late()).toBe(false);
      expect(await db().intents.attempts(intentId)).toEqual([{ ...next?.attempts[0], ...LOOK }]);
    });

    it('refuses it when the lease is being taken at that moment', async () => {
      const { id, intentId, epoch, late } = await sent();
      const other = beside(late);
      await db().transact(async ({ intents }) => {
        expect(await intents.claim(intentId, epoch, NOW + 10)).toBe(true);
        await other.begin();
        const own = { statuses: ['SIGNED'], epoch: epoch + 1 } as const;
        expect(await intents.updateAttempt(id, own, LOOK)).toBe(true);
      });
      expect(await other.result).toBe(false);
      expect(await db().intents.attempts(intentId)).toMatchObject([{ sendCount: 0, ...LOOK }]);
    });

    it('shows the next holder what was being written under the epoch before', async () => {
      const { id, epoch, leaseNext } = await sent();
      const next = beside(leaseNext);
      await db().transact(async ({ intents }) => {
        const own = { statuses: ['SIGNED'], epoch } as const;
        expect(await intents.updateAttempt(id, own, { sendCount: 9 })).toBe(true);
        await next.begin();
      });
      expect(await next.result).toMatchObject({
        intent: { leaseEpoch: epoch + 1 },
        attempts: [{ sendCount: 9 }],
      });
    });
  });
}
