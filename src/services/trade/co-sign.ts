import type { Venue } from '../../core/ports/venue.ts';
import type { Route } from '../../core/swap/route.ts';
import type { TransactionPlan } from '../transactions/plan.ts';

/** Asks every venue on the route that co-signs for its signatures; null when programs alone decide. */
export function coSignRoute(venues: readonly Venue[], route: Route): TransactionPlan['coSign'] {
  const names = new Set(route.legs.map((leg) => leg.pool.venue));
  const asked = venues
    .filter((venue) => names.has(venue.name))
    .flatMap((venue) => venue.coSign?.bind(venue) ?? []);
  if (asked.length === 0) return null;
  return async (message, signers) => {
    const answers = await Promise.all(asked.map((coSign) => coSign(message, signers)));
    return new Map(answers.flatMap((answer) => [...answer]));
  };
}
