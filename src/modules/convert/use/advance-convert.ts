import { encodeConvert } from '../../../engine/intents/rules/notice-payload.ts';
import { unlockTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import { conversionTransfer } from '../../../engine/ledger/rules/postings.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { oweLamports } from '../../points/use/owe-lamports.ts';
import { type ConvertPeriod, conversionName, convertShare, phaseOf } from '../rules.ts';

/** Periods that can have something to do: older ones have ended. */
const PERIODS = 20;
const PAGE = 200;

export type ConvertDeps = {
  readonly db: Pick<Database, 'transact' | 'convert' | 'flags'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Wakes the relay when debts or notices were written; may be lost without harm. */
  readonly nudge?: () => void;
};

/**
 * Carries every period on: notifies those who asked that it is open, settles it after its end, gives points back when it was cancelled. One
 * commit per person, each of them once; the next run finishes the rest after a kill. Nothing while quarantined.
 */
export async function advanceConvert(deps: ConvertDeps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const periods = (await db.convert.list(PERIODS)).map((period) => ({ period, phase: phaseOf(period, now) }));
  const isDue = periods.some(({ phase }) => phase === 'open' || phase === 'closed' || phase === 'cancelled');
  // Asked four times a minute, and most of the time there is no period that anything could follow from.
  if ((!isDue && periods.length < PERIODS) || (await db.flags.isSet('quarantined'))) return;
  for (const { period, phase } of periods) {
    if (phase === 'open') await tellWatchers(deps, period.number);
    if (phase === 'closed') await settle(deps, period);
  }
  for (const number of await db.convert.cancelledWaiting()) await refund(deps, number);
}

async function tellWatchers(deps: ConvertDeps, period: number): Promise<void> {
  for (;;) {
    const told = await deps.db.transact(async (stores) => {
      const people = await stores.convert.takeWatchers(PAGE);
      const payload = encodeConvert({ period, points: 0n, lamports: 0n });
      await addNotices(
        deps,
        stores,
        people.map((userId) => ({ userId, intentId: null, kind: 'convert-open' as const, payload })),
      );
      return people.length;
    });
    if (told === 0) return;
    deps.nudge?.();
  }
}

async function settle(deps: ConvertDeps, { number, budgetLamports }: ConvertPeriod): Promise<void> {
  await deps.db.transact((stores) => stores.convert.begin(number));
  const fixed = await deps.db.convert.find(number);
  if (fixed === null || fixed.totalPoints === null) return;
  const { totalPoints } = fixed;
  await endForAll(deps, number, (points) => convertShare(budgetLamports, points, totalPoints));
  await deps.db.convert.finish(number);
}

const refund = (deps: ConvertDeps, number: number): Promise<void> => endForAll(deps, number, () => 0n);

async function endForAll(
  deps: ConvertDeps,
  period: number,
  shareOf: (points: bigint) => bigint,
): Promise<void> {
  for (;;) {
    const page = await deps.db.convert.waiting(period, PAGE);
    for (const { userId, points } of page)
      await endForOne(deps, { period, userId, points, lamports: shareOf(points) });
    if (page.length === 0) return;
    deps.nudge?.();
  }
}

/** Points for lamports, or back where the share is nothing: never both, never twice. */
async function endForOne(
  deps: ConvertDeps,
  end: {
    readonly period: number;
    readonly userId: string;
    readonly points: bigint;
    readonly lamports: bigint;
  },
): Promise<void> {
  const { ids } = deps;
  const at = deps.clock.now();
  const { period, userId, points, lamports } = end;
  const stamp = () => ({ id: ids.ulid(), createdAt: at });
  await deps.db.transact(async (stores) => {
    if (!(await stores.convert.insertOutcome({ ...end, at }))) return;
    await stores.ledger.post(unlockTransfer(stamp(), { userId, period, points, converted: lamports > 0n }));
    if (lamports > 0n) {
      const name = conversionName(period, userId);
      const transfer = conversionTransfer(stamp(), { name, userId, lamports });
      await oweLamports(ids, stores, {
        source: 'conversion',
        name,
        userId,
        lamports,
        createdAt: at,
        transfer,
      });
    }
    await addNotices(deps, stores, [
      { userId, intentId: null, kind: 'convert-ended', payload: encodeConvert(end) },
    ]);
  });
}
