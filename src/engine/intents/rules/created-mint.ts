import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../kinds/params.ts';
import { rulesOf } from '../kinds/rules.ts';

/** The mint that an attempt of such a request makes; null when it makes none. Throws as `readCreation`. */
export function createdMintOf(
  params: IntentParams,
  signedTransaction: Uint8Array,
  treasury: Address,
): Address | null {
  return rulesOf(params.kind).mintOf?.(params, signedTransaction, treasury) ?? null;
}
