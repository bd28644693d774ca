import { maxBigint, type TransferFee, transferFee } from '@tradepost/solana';
import { type Call, isWithin } from './calls.ts';
import type { Leg, VaultChange } from './legs.ts';

/** A leg with the amount that really entered or left the vault. */
export type SettledLeg = Pick<Leg, 'at' | 'side' | 'amount'>;

/**
 * The legs of one vault made to add up to its change, or null when they cannot be. An amount that a single instruction leaves open comes
 * from the balance. For several arrivals the mint's schedule gives the fee of each. Nothing is guessed: legs outside every call may share a
 * remainder in any way, because only calls become trades.
 */
export function reconcile(
  legs: readonly Leg[],
  change: VaultChange,
  calls: readonly Call[],
  schedule: TransferFee | null,
): readonly SettledLeg[] | null {
  const actual = change.after - change.before;
  const missing = actual - sum(legs);
  if (missing === 0n) return legs;
  const open = legs.filter(({ certainty }) => certainty === 'some');
  if (open.length > 0) {
    const one = open.length === 1 || !open.some(({ at }) => calls.some((call) => isWithin(call, at)));
    return one ? withRemainder(legs, open[0], missing) : null;
  }
  const arrivals = legs.filter(({ certainty }) => certainty === 'most');
  if (missing > 0n || arrivals.length === 0) return null;
  if (arrivals.length === 1) return withRemainder(legs, arrivals[0], missing);
  return schedule === null ? null : bySchedule(legs, actual, schedule);
}

function withRemainder(
  legs: readonly Leg[],
  open: Leg | undefined,
  missing: bigint,
): readonly SettledLeg[] | null {
  // More than arrived cannot have been withheld.
  if (open?.certainty === 'most' && open.amount + missing < 0n) return null;
  return legs.map((leg) => (leg === open ? { ...leg, amount: leg.amount + missing } : leg));
}

/** The schedule's older or newer rate, whichever makes the sum right: the block's epoch is not asked for. */
function bySchedule(
  legs: readonly Leg[],
  actual: bigint,
  schedule: TransferFee,
): readonly SettledLeg[] | null {
  for (const epoch of [schedule.newerEpoch, schedule.newerEpoch - 1n]) {
    const settled = legs.map((leg) =>
      leg.certainty === 'most'
        ? { ...leg, amount: maxBigint(0n, leg.amount - transferFee(schedule, leg.amount, epoch)) }
        : leg,
    );
    if (sum(settled) === actual) return settled;
  }
  return null;
}

function sum(legs: readonly SettledLeg[]): bigint {
  return legs.reduce((total, { amount }) => total + amount, 0n);
}
