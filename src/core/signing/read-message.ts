import type { Address } from '../address/address.ts';
import { divCeil } from '../amounts/rounding.ts';
import { AppError } from '../errors/app-error.ts';
import type { Instruction } from '../instruction.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../users/settings.ts';
import { decodeInstruction, type WalletAction } from './decode-instruction.ts';
import { decodeMessage, UndecodableMessageError } from './decode-message.ts';
import { deny } from './policy-rule.ts';

const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n;

export type ReadMessage = {
  readonly signers: readonly Address[];
  readonly actions: readonly WalletAction[];
  readonly instructions: readonly Instruction[];
};

/** The message decoded whole, its lookups resolved by `tables` alone. Throws POLICY_DENIED when it cannot be. */
export function readMessage(message: Uint8Array, tables: readonly LookupTable[] = []): ReadMessage {
  try {
    const { signers, instructions } = decodeMessage(message, tables);
    return { signers, actions: instructions.map(decodeInstruction), instructions };
  } catch (error) {
    if (error instanceof UndecodableMessageError) {
      throw new AppError('POLICY_DENIED', { rule: 'message' }, { cause: error });
    }
    throw error;
  }
}

/** One compute budget at most, and a priority fee within the tier's cap. */
export function checkFee(actions: readonly WalletAction[], tier: PriorityTier): void {
  const limits = actions.filter((action) => action.kind === 'compute-limit');
  const prices = actions.filter((action) => action.kind === 'compute-price');
  if (limits.length > 1 || prices.length > 1) deny('compute-budget');
  const units =
    limits[0] === undefined
      ? DEFAULT_UNITS_PER_INSTRUCTION * BigInt(actions.length)
      : BigInt(limits[0].units);
  const price = prices[0]?.microLamports ?? 0n;
  if (divCeil(units * price, 1_000_000n) > PRIORITY_TIERS[tier].capLamports) deny('priority-fee');
}

/** Memo and budget: what every transaction of ours carries. */
export function isCommon({ kind }: WalletAction): boolean {
  return kind === 'memo' || kind === 'compute-limit' || kind === 'compute-price';
}
