import type { Address, Instruction } from '@tradepost/solana';
import { utf8Bytes } from '@tradepost/solana/bytes';
import { AppError } from '../../../../core/errors/app-error.ts';
import { envelopeBytes } from '../../../../modules/mint/use/prepare-creation.ts';
import { INTENT_ID_BYTES } from '../../../../modules/mint/use/quote-create-token.ts';
import {
  MAX_LOCKS,
  messageSize,
  PACKET_BYTES,
  VERSION_1_BYTES,
  version1Size,
} from '../../../../modules/trading/rules/message-size.ts';
import type { LookupTable } from '../../../lookup-tables/rules/lookup-table.ts';
import type { TransactionPlan } from '../../../transactions/use/plan.ts';

/** The memo's program and the compute budget's. */
const ENVELOPE_PROGRAMS = 2;

/** The transaction of a launch before compute budget and memo, and the facts for its error when it does not fit. */
export type SizedLaunch = {
  readonly payer: Address;
  readonly instructions: readonly Instruction[];
  /** The launchpad's label. */
  readonly pad: string;
  readonly uri: string;
  readonly hasFirstBuy: boolean;
};

/** The forms that a launch may have beside version 0 without tables. Each is asked only where it is needed. */
export type LaunchMeans = {
  readonly takesVersion1: () => Promise<boolean>;
  readonly tables: () => Promise<readonly LookupTable[]>;
};

/**
 * The first form that holds a launch: version 0, version 1, version 0 with tables. Throws LAUNCH_TOO_LARGE, with the longest link that would
 * fit, and the errors of `means`.
 */
export async function formOfLaunch(
  { payer, instructions, pad, uri, hasFirstBuy }: SizedLaunch,
  means: LaunchMeans,
): Promise<Pick<TransactionPlan, 'lookupTables' | 'version1'>> {
  const envelope = envelopeBytes({ memoBytes: INTENT_ID_BYTES });
  const excessOf = (given: readonly LookupTable[]): number =>
    messageSize(payer, instructions, given).bytes + envelope - PACKET_BYTES;
  const excess = excessOf([]);
  if (excess <= 0) return { lookupTables: [] };
  const takesVersion1 = await means.takesVersion1();
  const { bytes, accounts } = version1Size(payer, instructions);
  const largeExcess = bytes + envelope - VERSION_1_BYTES;
  const isLocked = accounts + ENVELOPE_PROGRAMS > MAX_LOCKS;
  if (takesVersion1 && largeExcess <= 0 && !isLocked) return { version1: true };
  const usable = await means.tables();
  const left = Math.min(excess, excessOf(usable), takesVersion1 && !isLocked ? largeExcess : excess);
  if (left <= 0) return { lookupTables: usable };
  throw new AppError('LAUNCH_TOO_LARGE', {
    pad,
    hasFirstBuy,
    maxUriBytes: Math.max(0, utf8Bytes(uri) - left),
  });
}
