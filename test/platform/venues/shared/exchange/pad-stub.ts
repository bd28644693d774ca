import { type Address, addressFromBytes, type ChainAccount, lamports } from '@tradepost/solana';
import type { LaunchOrder } from '@tradepost/venues';
import { testAddress } from '../../../../../packages/venues/test/shared/build.ts';
import { createPrograms } from '../../../../../src/platform/chain/programs.ts';
import type { Chain } from '../../../../../src/platform/ports/chain.ts';

/** What a launchpad needs of the world, over accounts that a test makes up; rent at the cluster's own rate. */
export function padWorld(accounts: ReadonlyMap<Address, ChainAccount>) {
  const chain: Pick<Chain, 'accounts' | 'rentExemption'> = {
    accounts: async (keys) => ({ slot: 1n, accounts: keys.map((key) => accounts.get(key) ?? null) }),
    rentExemption: async (bytes) => lamports(BigInt(bytes + 128) * 6_960n),
  };
  return { chain, programs: createPrograms() };
}

export const PAD_CREATOR: Address = addressFromBytes(new Uint8Array(32).fill(41));
export const PAD_MINT: Address = testAddress(42);

export function padOrder(holding: Address, firstBuy: LaunchOrder['firstBuy']): LaunchOrder {
  return {
    name: 'Puppies 🐶',
    symbol: 'PUPS',
    uri: 'https://meta.example.org/pups.json',
    creator: PAD_CREATOR,
    mint: PAD_MINT,
    holding,
    firstBuy,
    seed: '01J8ZQ6Y7V3M9T2K4C5D6E7FAA',
  };
}
