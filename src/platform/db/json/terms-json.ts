import { z } from 'zod';
import type { RouteTerm, TradeTerms } from '../../../engine/intents/rules/terms.ts';
import {
  address,
  amount,
  exactly,
  integer,
  orAbsent,
  orMissing,
  orNull,
  partSwitch,
  rate,
  type Shape,
  text,
} from './fields.ts';

/**
 * Legs that were written before a trade could pass through other tokens lack `from` and `to`: they meant null. A trade of theirs through
 * another token is refused by the signing policy, because its terms name none.
 */
const OLDER_LEG: Shape<RouteTerm> = {
  venue: text,
  pool: address,
  percent: z.int().min(0).max(100),
  from: orMissing(address),
  to: orMissing(address),
  pausedBy: orAbsent(partSwitch),
};
const LEG: Shape<RouteTerm> = { ...OLDER_LEG, from: orNull(address), to: orNull(address) };

function termsWith(leg: Shape<RouteTerm>): z.ZodType<TradeTerms, unknown> {
  return exactly<TradeTerms>({
    amountIn: amount,
    quotedOut: amount,
    minOut: amount,
    platformFeeLamports: amount,
    feeDiscountBps: orAbsent(rate),
    priceImpactBps: integer,
    slippageBps: rate,
    route: z.array(exactly<RouteTerm>(leg)),
  });
}

/** Terms of a trade in rows without a version, and as they are written now. */
export const [OLDER_TERMS, TERMS] = [termsWith(OLDER_LEG), termsWith(LEG)];
