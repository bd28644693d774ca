import { type Address, COMPUTE_BUDGET_PROGRAM, type Instruction } from '@tradepost/solana';
import { priorityFee } from '../../../core/amounts/priority-fee.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import { priorityCap } from '../../fees/rules/network-fee-cap.ts';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';
import { decodeInstruction, type WalletAction } from './decode-instruction.ts';
import { decodeMessage, type MessageConfig, UndecodableMessageError } from './decode-message.ts';
import { deny } from './policy-rule.ts';

const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n;

export type ReadMessage = {
  readonly signers: readonly Address[];
  readonly actions: readonly WalletAction[];
  readonly instructions: readonly Instruction[];
  /** Of version 1; null before. */
  readonly config: MessageConfig | null;
};

/** The message decoded whole, its lookups resolved by `tables` alone. Throws POLICY_DENIED when it cannot be. */
export function readMessage(message: Uint8Array, tables: readonly LookupTable[] = []): ReadMessage {
  try {
    const { signers, instructions, config } = decodeMessage(message, tables);
    return { signers, actions: instructions.map(decodeInstruction), instructions, config };
  } catch (error) {
    if (error instanceof UndecodableMessageError) {
      throw new AppError('POLICY_DENIED', { rule: 'message' }, { cause: error });
    }
    throw error;
  }
}

/**
 * One compute budget at most, and a priority fee within the tier's cap. In version 1 the config says both, and an instruction of the
 * compute budget does nothing: a message with one reads cheaper than it is. Throws POLICY_DENIED.
 */
export function checkFee(
  { actions, config, instructions }: Pick<ReadMessage, 'actions' | 'config' | 'instructions'>,
  tier: PriorityTier,
  atMost: bigint | null = null,
): void {
  const cap = priorityCap(tier, atMost);
  if (config !== null) {
    checkConfig(config, { instructions, cap });
    return;
  }
  const limits = actions.filter((action) => action.kind === 'compute-limit');
  const prices = actions.filter((action) => action.kind === 'compute-price');
  if (limits.length > 1 || prices.length > 1) deny('compute-budget');
  const units =
    limits[0] === undefined
      ? DEFAULT_UNITS_PER_INSTRUCTION * BigInt(actions.length)
      : BigInt(limits[0].units);
  const price = prices[0]?.microLamports ?? 0n;
  if (priorityFee(units, price) > cap) deny('priority-fee');
}

/** Without its units and its loaded bytes a message of version 1 asks for none. */
function checkConfig(
  { priorityFeeLamports, units, loadedBytes }: MessageConfig,
  { instructions, cap }: { readonly instructions: readonly Instruction[]; readonly cap: bigint },
): void {
  if (instructions.some(({ programId }) => programId === COMPUTE_BUDGET_PROGRAM)) deny('compute-budget');
  if (units === null || units === 0 || loadedBytes === null || loadedBytes === 0) deny('compute-budget');
  if ((priorityFeeLamports ?? 0n) > cap) deny('priority-fee');
}

/** Memo and budget: every transaction of ours carries them. */
export function isCommon({ kind }: WalletAction): boolean {
  return kind === 'memo' || kind === 'compute-limit' || kind === 'compute-price';
}
