import { type Address, isAddress, isOnCurve } from '@tradepost/solana';
import type { TokenProblem } from './problem.ts';
import type { DraftField } from './token-draft.ts';

/** Collects problems, so that one answer names them all. */
export type Refuse = (problem: TokenProblem | null) => void;

/** Any address. */
export function account(field: string, text: string, refuse: Refuse): Address | null {
  if (isAddress(text)) return text;
  refuse({ field, code: 'ADDRESS_INVALID' });
  return null;
}

/** An address that can have a key. */
export function wallet(field: DraftField, text: string, refuse: Refuse): Address | null {
  const found = account(field, text, refuse);
  if (found === null || isOnCurve(found)) return found;
  refuse({ field, code: 'ADDRESS_NOT_A_WALLET' });
  return null;
}
