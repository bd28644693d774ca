import type { Address } from '../../../../core/address/address.ts';
import { AppError } from '../../../../core/errors/app-error.ts';
import type { Instruction } from '../../../../core/instruction.ts';
import { utf8Bytes } from '../../../../modules/mint/rules/check-text.ts';
import { envelopeBytes } from '../../../../modules/mint/use/prepare-creation.ts';
import { INTENT_ID_BYTES } from '../../../../modules/mint/use/quote-create-token.ts';
import { messageSize, PACKET_BYTES } from '../../../../modules/trading/rules/message-size.ts';
import type { LookupTable } from '../../../lookup-tables/rules/lookup-table.ts';

/** The transaction of a launch before compute budget and memo, and the facts for its error when it does not fit. */
export type SizedLaunch = {
  readonly payer: Address;
  readonly instructions: readonly Instruction[];
  /** The launchpad's label. */
  readonly pad: string;
  readonly uri: string;
  readonly hasFirstBuy: boolean;
};

/**
 * The tables that it takes to hold a launch in one packet; none where it fits without, and then `tables` is not asked. Throws
 * LAUNCH_TOO_LARGE, with the longest link that would fit, and the errors of `tables`.
 */
export async function tablesForLaunch(
  { payer, instructions, pad, uri, hasFirstBuy }: SizedLaunch,
  tables: () => Promise<readonly LookupTable[]>,
): Promise<readonly LookupTable[]> {
  const excessOf = (given: readonly LookupTable[]): number =>
    messageSize(payer, instructions, given).bytes +
    envelopeBytes({ memoBytes: INTENT_ID_BYTES }) -
    PACKET_BYTES;
  const excess = excessOf([]);
  if (excess <= 0) return [];
  const usable = await tables();
  const left = Math.min(excess, excessOf(usable));
  if (left <= 0) return usable;
  throw new AppError('LAUNCH_TOO_LARGE', {
    pad,
    hasFirstBuy,
    maxUriBytes: Math.max(0, utf8Bytes(uri) - left),
  });
}
