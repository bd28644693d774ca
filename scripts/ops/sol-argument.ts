import { parseUnits } from '../../src/core/amounts/decimal.ts';
import { SOL_DECIMALS } from '../../src/core/amounts/lamports.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';

class OpsError extends Error {
  override readonly name = 'OpsError';
}

/** Lamports of an amount of SOL that an operator typed; above zero. */
export function solArgument(text: string): bigint {
  try {
    return parseUnits(text, SOL_DECIMALS);
  } catch (error) {
    if (!hasCode(error, 'AMOUNT_INVALID')) throw error;
    throw new OpsError(`expected an amount of SOL like 0.5, not "${text}"`, { cause: error });
  }
}
