import { SYSTEM_PROGRAM } from '../../../../src/core/address/programs.ts';
import { unitsHeld } from '../../../../src/modules/tokens/rules/token-account.ts';
import {
  creatorVaultAuthority,
  PUMP_SWAP_GLOBAL_VOLUME,
  PUMP_SWAP_PROGRAM,
} from '../../../../src/platform/venues/pump-swap/layout.ts';
import { associatedTokenAddress } from '../../../../src/platform/venues/shared/exchange/associated-token.ts';
import { accountDiscriminator } from '../../../../src/platform/venues/shared/exchange/discriminator.ts';
import { AccountBytes, buildWrappedSol, type PoolFixture } from '../shared/exchange/build.ts';
import type { Localnet } from '../shared/exchange/localnet.ts';
import { plantPumpFees } from '../shared/exchange/pump-fee-config.ts';
import { BUYBACK_RECIPIENT, CREATOR, MAYHEM_RECIPIENT, PROTOCOL_RECIPIENT, VAULTS } from './build.ts';

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
