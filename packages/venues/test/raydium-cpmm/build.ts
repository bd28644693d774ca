import type { Address, ChainAccount } from '@tradepost/solana';
import type { MintFacts } from '../../src/pool.ts';
import {
  CONFIG,
  CONFIG_AT,
  POOL,
  POOL_AT,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from '../../src/raydium-cpmm/layout.ts';
import { accountView } from '../../src/shared/account-view.ts';
import { accountDiscriminator } from '../../src/shared/discriminator.ts';
import { textSeed } from '../../src/shared/program-address.ts';
import {
  AccountBytes,
  accountBytes,
  buildMint,
  buildTokenAccount,
  derivedAddress,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type CpmmFixture = {
  readonly reserves: readonly [bigint, bigint];
  /** Fees accrued in the vaults, on top of the reserves. */
  readonly accrued?: readonly [bigint, bigint];
  readonly tradeFeeRate?: bigint;
  readonly creatorFeeRate?: bigint;
  readonly creatorFeeOn?: number;
  readonly enableCreatorFee?: boolean;
  readonly status?: number;
  readonly openTime?: bigint;
  readonly mints?: readonly [MintFacts, MintFacts];
};

export function buildCpmm(input: CpmmFixture): PoolFixture {
  const [id, config, vaultA, vaultB, observation] = [
    testAddress(1),
    testAddress(2),
    testAddress(3),
    testAddress(4),
    testAddress(5),
  ] as const;
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const accrued = input.accrued ?? [0n, 0n];
  // Any split of the sum must give the same reserves; older builds know no creator fee and do not subtract it.
  const parts = (sum: bigint): readonly [bigint, bigint, bigint] =>
    input.enableCreatorFee === true
      ? [sum / 2n, sum / 3n, sum - sum / 2n - sum / 3n]
      : [sum / 2n, sum - sum / 2n, 0n];
  const [feesA, feesB] = [parts(accrued[0]), parts(accrued[1])];
  const pool = accountBytes(POOL)
    .address(POOL_AT.config, config)
    .address(POOL_AT.vaultA, vaultA)
    .address(POOL_AT.vaultB, vaultB)
    .address(POOL_AT.mintA, mints[0].mint)
    .address(POOL_AT.mintB, mints[1].mint)
    .address(POOL_AT.programA, mints[0].tokenProgram)
    .address(POOL_AT.programB, mints[1].tokenProgram)
    .address(POOL_AT.observation, observation)
    .u8(POOL_AT.status, input.status ?? 0)
    .u64(POOL_AT.protocolFeesA, feesA[0])
    .u64(POOL_AT.protocolFeesB, feesB[0])
    .u64(POOL_AT.fundFeesA, feesA[1])
    .u64(POOL_AT.fundFeesB, feesB[1])
    .u64(POOL_AT.creatorFeesA, feesA[2])
    .u64(POOL_AT.creatorFeesB, feesB[2])
    .u64(POOL_AT.openTime, input.openTime ?? 0n)
    .u8(POOL_AT.creatorFeeOn, input.creatorFeeOn ?? 0)
    .u8(POOL_AT.enableCreatorFee, input.enableCreatorFee === true ? 1 : 0)
    .ownedBy(RAYDIUM_CPMM_PROGRAM);
  const ammConfig = accountBytes(CONFIG)
    .u64(CONFIG_AT.tradeFeeRate, input.tradeFeeRate ?? 2_500n)
    .u64(CONFIG_AT.creatorFeeRate, input.creatorFeeRate ?? 0n)
    .ownedBy(RAYDIUM_CPMM_PROGRAM);
  return {
    id,
    mints,
    accounts: new Map([
      [id, pool],
      [config, ammConfig],
      [vaultA, buildTokenAccount(mints[0], RAYDIUM_CPMM_AUTHORITY, input.reserves[0] + accrued[0])],
      [vaultB, buildTokenAccount(mints[1], RAYDIUM_CPMM_AUTHORITY, input.reserves[1] + accrued[1])],
    ]),
  };
}

const AUTH_BUMP_AT = 328;
const OBSERVATION_BYTES = 4075;

/** The fixture's accounts with what the program itself needs beside what prices depend on. */
export function cpmmOnChain(fixture: PoolFixture): ReadonlyMap<Address, ChainAccount> {
  const { id: authority, bump } = derivedAddress(RAYDIUM_CPMM_PROGRAM, [
    textSeed('vault_and_lp_mint_auth_seed'),
  ]);
  const pool = fixture.accounts.get(fixture.id);
  if (pool === undefined || authority !== RAYDIUM_CPMM_AUTHORITY)
    throw new Error('not the pool of a CPMM fixture');
  const data = Uint8Array.from(pool.data);
  data[AUTH_BUMP_AT] = bump;
  const observation = new AccountBytes(OBSERVATION_BYTES)
    .bytes(0, accountDiscriminator('ObservationState'))
    .address(11, fixture.id)
    .ownedBy(RAYDIUM_CPMM_PROGRAM);
  const observed = accountView(data).address(POOL_AT.observation);
  return new Map([...fixture.accounts, [fixture.id, { ...pool, data }], [observed, observation]]);
}
