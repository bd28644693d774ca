import type { Address } from '@tradepost/solana';
import type { Launchpad } from '@tradepost/venues';
import { AppError } from '../../../../core/errors/app-error.ts';
import type { Chain } from '../../../../platform/ports/chain.ts';
import type { LookupTables } from '../../../../platform/ports/lookup-tables.ts';
import type { MetadataStore } from '../../../../platform/ports/metadata-store.ts';
import type { MintKeys } from '../../../../platform/ports/mint-keys.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import type { ReceivableFee } from '../../../fees/use/platform-fee.ts';
import type { Rehearse } from '../../../transactions/use/rehearse-plan.ts';

export type LaunchDeps = {
  readonly chain: Pick<Chain, 'balance' | 'rentExemption' | 'takesVersion1'>;
  readonly programs: Programs;
  readonly metadata: Pick<MetadataStore, 'locate' | 'put'>;
  readonly mintKeys: MintKeys;
  /** Those whose program the cluster has. */
  readonly launchpads: readonly Launchpad[];
  readonly treasury: Address;
  readonly launchFeeLamports: () => bigint;
  readonly receivableFee: ReceivableFee;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  readonly rehearse: Rehearse;
};

/** Throws LAUNCHPAD_UNAVAILABLE for a key that this cluster does not have. */
export function launchpadOf(launchpads: readonly Launchpad[], name: string): Launchpad {
  const pad = launchpads.find((candidate) => candidate.name === name);
  if (pad === undefined) throw new AppError('LAUNCHPAD_UNAVAILABLE', { pad: name });
  return pad;
}
