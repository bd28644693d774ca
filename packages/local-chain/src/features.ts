import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';

/** The feature that lets transactions of version 1 land. Source of truth: its account on the clusters. */
export const VERSION_1_FEATURE = 'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL' as Address;
const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111' as Address;
const LAMPORTS = 953_520n;

/** The account of a feature that is active since the first slot: an option byte, and the slot. */
export function activeFeature(): AccountState {
  const data = new Uint8Array(9);
  data[0] = 1;
  return { lamports: LAMPORTS, owner: FEATURE_PROGRAM, data, executable: false };
}

/** Whether transactions of version 1 land on this chain. */
export function takesVersion1(account: (address: Address) => AccountState | null): boolean {
  return account(VERSION_1_FEATURE)?.data[0] === 1;
}
