import type { Address, Instruction } from '@tradepost/solana';
import { testAddress } from '../../../packages/venues/test/shared/build.ts';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';

/** A lookup table of all that the instructions name, so that they fit a packet. */
export function tableOf(own: readonly Instruction[], payer: Address): readonly LookupTable[] {
  const named = own.flatMap(({ accounts }) => accounts.map(({ address }) => address));
  return [{ address: testAddress(950), entries: [...new Set(named)].filter((one) => one !== payer) }];
}
