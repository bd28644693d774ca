import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { type ConvertOutcome, type ConvertPeriod, convertShare, phaseOf } from '../rules.ts';

/** A period that was announced long before the one that matters now is of no interest. */
const PERIODS = 20;

export type ConvertOverview = {
  /** The period that takes points, is being settled, or comes next; null when none is announced. */
  readonly period: ConvertPeriod | null;
  readonly phase: 'announced' | 'open' | 'closed' | null;
  readonly total: bigint;
  readonly own: bigint;
  /** The share of `own` if no other point were given. */
  readonly share: bigint;
  readonly points: bigint;
  readonly isWatching: boolean;
  readonly last: ConvertOutcome | null;
};

/** Everything the convert screen shows. Changes nothing. */
export async function convertOverview(
  deps: { readonly db: Pick<Database, 'convert' | 'ledger'>; readonly clock: Clock },
  userId: string,
): Promise<ConvertOverview> {
  const { convert, ledger } = deps.db;
  const now = deps.clock.now();
  const [periods, points, isWatching, last] = await Promise.all([
    convert.list(PERIODS),
    ledger.balance({ kind: 'points', owner: userId }),
    convert.isWatching(userId),
    convert.lastOutcome(userId),
  ]);
  const standing = periods
    .map((period) => ({ period, phase: phaseOf(period, now) }))
    .filter(({ phase }) => phase !== 'settled' && phase !== 'cancelled')
    .sort((a, b) => a.period.opensAt - b.period.opensAt);
  const current = standing.find(({ phase }) => phase === 'open') ?? standing[0];
  const common = { points, isWatching, last };
  if (current === undefined) return { period: null, phase: null, total: 0n, own: 0n, share: 0n, ...common };
  const { period, phase } = current;
  const { total, own } = await convert.entered(period.number, userId);
  return {
    period,
    phase: phase === 'announced' || phase === 'open' ? phase : 'closed',
    total,
    own,
    share: convertShare(period.budgetLamports, own, total),
    ...common,
  };
}
