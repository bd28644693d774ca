import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { parseUnits } from '../../../core/amounts/decimal.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';

/** `5`, `5 %`, `0,25`: 0 to 100 with at most two decimals, as bps; null otherwise. */
export function percent(text: string): Bps | null {
  const digits = withPlainDigits(text).replace(/\s*%$/, '');
  if (/^0+(?:[.,]0+)?$/.test(digits)) return bps(0);
  try {
    const hundredths = parseUnits(digits, 2);
    return hundredths <= 10_000n ? bps(Number(hundredths)) : null;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
