import { SYSTEM_PROGRAM, unitsHeld } from '@tradepost/solana';
import { associatedTokenAddress } from '@tradepost/venues';
import {
  creatorVaultAuthority,
  PUMP_SWAP_GLOBAL_VOLUME,
  PUMP_SWAP_PROGRAM,
} from '../../../../packages/venues/src/pump-swap/layout.ts';
import { accountDiscriminator } from '../../../../packages/venues/src/shared/discriminator.ts';
import {
  BUYBACK_RECIPIENT,
  CREATOR,
  MAYHEM_RECIPIENT,
  PROTOCOL_RECIPIENT,
  VAULTS,
} from '../../../../packages/venues/test/pump-swap/build.ts';
import {
  AccountBytes,
  buildWrappedSol,
  type PoolFixture,
} from '../../../../packages/venues/test/shared/build.ts';
import { plantPumpFees } from '../../../../packages/venues/test/shared/pump-fee-config.ts';
import type { Localnet } from '../shared/exchange/localnet.ts';

const VOLUME_BYTES = 600;

/** Puts a pool on the chain with what the program itself needs beside what prices depend on: who is paid, and in what. */
export function plantPumpSwap(chain: Localnet, fixture: PoolFixture): void {
  const [, sol] = fixture.mints;
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  chain.set(VAULTS[1], buildWrappedSol(sol, fixture.id, unitsHeld(chain.get(VAULTS[1]))));
  plantPumpFees(chain, PUMP_SWAP_PROGRAM);
  const volume = new AccountBytes(VOLUME_BYTES).bytes(0, accountDiscriminator('GlobalVolumeAccumulator'));
  chain.set(PUMP_SWAP_GLOBAL_VOLUME, volume.ownedBy(PUMP_SWAP_PROGRAM));
  const creators = [CREATOR, SYSTEM_PROGRAM].map(creatorVaultAuthority);
  for (const paid of [PROTOCOL_RECIPIENT, MAYHEM_RECIPIENT, BUYBACK_RECIPIENT, ...creators]) {
    chain.set(paid, new AccountBytes(0).ownedBy(SYSTEM_PROGRAM));
    chain.set(associatedTokenAddress(paid, sol.mint, sol.tokenProgram), buildWrappedSol(sol, paid, 0n));
  }
}
