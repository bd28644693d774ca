import { type Address, SYSTEM_PROGRAM } from '@tradepost/solana';
import { accountView, associatedTokenAddress } from '@tradepost/venues';
import {
  CURVE_AT,
  creatorVaultAddress,
  PUMP_GLOBAL_VOLUME,
  PUMP_PROGRAM,
} from '../../../../packages/venues/src/pump-fun/layout.ts';
import { accountDiscriminator } from '../../../../packages/venues/src/shared/discriminator.ts';
import {
  BUYBACK_RECIPIENT,
  CREATOR,
  FEE_RECIPIENT,
  launchWorld,
} from '../../../../packages/venues/test/pump-fun/build.ts';
import {
  AccountBytes,
  buildTokenAccount,
  buildWrappedSol,
  type PoolFixture,
} from '../../../../packages/venues/test/shared/build.ts';
import { plantPumpFees } from '../../../../packages/venues/test/shared/pump-fee-config.ts';
import type { Localnet } from '../shared/exchange/localnet.ts';

const VOLUME_BYTES = 592;
const CURVE_RENT = 2_000_000n;

/** Puts a curve on the chain with what the program itself needs beside what prices depend on: who is paid, and the coins it holds. */
export function plantCurve(chain: Localnet, fixture: PoolFixture): void {
  const [coin] = fixture.mints;
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  const curve = chain.get(fixture.id)!;
  const view = accountView(curve.data);
  chain.set(fixture.id, { ...curve, lamports: CURVE_RENT + view.u64(CURVE_AT.realQuote) });
  const coins = associatedTokenAddress(fixture.id, coin.mint, coin.tokenProgram);
  chain.set(coins, buildTokenAccount(coin, fixture.id, view.u64(CURVE_AT.realToken) + 206_900_000_000_000n));
  plantTrading(chain, [FEE_RECIPIENT, BUYBACK_RECIPIENT, creatorVaultAddress(CREATOR)]);
}

/** What a launch and the first trade of its coin need; the creator's own accounts are opened by them. */
export function plantLaunches(chain: Pick<Localnet, 'set' | 'get'>): void {
  for (const [key, account] of launchWorld()) chain.set(key, account);
  plantTrading(chain, [FEE_RECIPIENT, BUYBACK_RECIPIENT]);
}

function plantTrading(chain: Pick<Localnet, 'set' | 'get'>, paid: readonly Address[]): void {
  plantPumpFees(chain, PUMP_PROGRAM);
  const volume = new AccountBytes(VOLUME_BYTES).bytes(0, accountDiscriminator('GlobalVolumeAccumulator'));
  chain.set(PUMP_GLOBAL_VOLUME, volume.ownedBy(PUMP_PROGRAM));
  for (const key of paid) chain.set(key, new AccountBytes(0).ownedBy(SYSTEM_PROGRAM));
}

/** The only accounts that the program takes: the trader's derived one of the coin, and lamports, of which we wrap some. */
export function curveWallets(chain: Localnet, { mints: [coin, sol] }: PoolFixture): [Address, Address] {
  const coins = associatedTokenAddress(chain.trader, coin.mint, coin.tokenProgram);
  const wrapped = associatedTokenAddress(chain.trader, sol.mint, sol.tokenProgram);
  chain.set(coins, buildTokenAccount(coin, chain.trader, 10n ** 15n));
  chain.set(wrapped, buildWrappedSol(sol, chain.trader, 10n ** 12n));
  return [coins, wrapped];
}
