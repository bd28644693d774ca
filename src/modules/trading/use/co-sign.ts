import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { TransactionPlan } from '../../../engine/transactions/use/plan.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { Route } from '../rules/route.ts';

/**
 * Asks every venue on the route that co-signs for its signatures; null when programs alone decide. When another trade came between our
 * quote and the signature, CHAIN_UNREACHABLE is thrown instead of PRICE_MOVED: nothing was signed and asking again may help. The next
 * attempt quotes afresh, and there the confirmed minimum alone decides. Refusing here would break off trades that are well within the
 * person's agreement.
 */
export function coSignRoute(venues: readonly Venue[], route: Route): TransactionPlan['coSign'] {
  const names = new Set(route.legs.map((leg) => leg.pool.venue));
  const asked = venues
    .filter((venue) => names.has(venue.name))
    .flatMap((venue) => venue.coSign?.bind(venue) ?? []);
  if (asked.length === 0) return null;
  return async (message, signers) => {
    try {
      const answers = await Promise.all(asked.map((coSign) => coSign(message, signers)));
      return new Map(answers.flatMap((answer) => [...answer]));
    } catch (cause) {
      if (!hasCode(cause, 'PRICE_MOVED')) throw cause;
      const endpoint = [...names].join(', ');
      throw new AppError('CHAIN_UNREACHABLE', { endpoint, cause: 'overtaken by another trade' }, { cause });
    }
  };
}
