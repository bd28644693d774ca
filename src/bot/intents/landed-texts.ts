import { shortAddress } from '../../core/address/address.ts';
import type { LandedReceipt } from '../../core/intents/intent.ts';
import { displaySymbol } from '../../core/tokens/display-name.ts';
import type { Token } from '../../core/tokens/token.ts';
import { amountText, shortTokenText } from '../ui/amounts.ts';

/** Amounts and names as results and receipts show them. */

export function tokenDelta(receipt: LandedReceipt | null, mint: string): bigint | null {
  return receipt?.tokenDeltas.find((delta) => delta.mint === mint)?.delta ?? null;
}

export const unitsText = (units: bigint, token: Token | null): string =>
  token === null ? `${units} units of` : amountText(units, token.decimals);

/** For reading; the receipt has every unit. */
export const shortUnits = (units: bigint, token: Token | null): string =>
  token === null ? unitsText(units, token) : shortTokenText(units, token.decimals);

export const symbolText = (token: Token | null, mint: string): string =>
  token === null ? shortAddress(mint) : displaySymbol(token);
