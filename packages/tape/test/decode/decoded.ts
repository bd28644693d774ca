import { decodeTrades } from '../../src/decode/decode-trades.ts';
import { tradePlace } from '../trade-place.ts';
import { buildMarket, buildTransaction } from './build-transaction.ts';

/** The trades of the first market named, in short; a fault throws. */
export const tradesOf = (...given: Parameters<typeof buildTransaction>) => {
  const decoded = decodeTrades(buildTransaction(...given), given[1][0]?.[0] ?? buildMarket());
  if (decoded.kind === 'fault') throw new Error(decoded.why);
  return decoded.trades.map(({ id, side, base, quote, source }) => ({
    ordinal: tradePlace(id).ordinal,
    side,
    base,
    quote,
    source,
  }));
};
/** Why they could not be told; null where they could. */
export const faultOf = (...given: Parameters<typeof buildTransaction>) => {
  const decoded = decodeTrades(buildTransaction(...given), given[1][0]?.[0] ?? buildMarket());
  return decoded.kind === 'fault' ? decoded.why : null;
};
