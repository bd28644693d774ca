import {
  canonicalCreator,
  GLOBAL_CONFIG,
  GLOBAL_CONFIG_AT,
  POOL,
  POOL_AT,
  PUMP_SWAP_GLOBAL_CONFIG,
  PUMP_SWAP_PROGRAM,
} from '../../../../src/adapters/venues/pump-swap/layout.ts';
import {
  type PumpFeeConfig,
  pumpFeeConfigAddress,
} from '../../../../src/adapters/venues/shared/exchange/pump-fees.ts';
import type { Address } from '../../../../src/core/address/address.ts';
import { WSOL_MINT } from '../../../../src/core/address/programs.ts';
import {
  AccountBytes,
  accountBytes,
  buildMint,
  buildTokenAccount,
  type PoolFixture,
  testAddress,
} from '../shared/exchange/build.ts';
import { buildFeeConfig } from '../shared/exchange/pump-fee-config.ts';

export type PumpSwapFixture = {
  /** Vault balances. */
  readonly reserves: readonly [bigint, bigint];
  readonly virtualQuote?: bigint;
  readonly supply?: bigint;
  /** False for a pool that anybody opened. */
  readonly canonical?: boolean;
  readonly coinCreator?: Address | null;
  readonly creatorFeeBps?: bigint;
  readonly configurable?: boolean;
  readonly isMayhem?: boolean;
  readonly isCashback?: boolean;
  readonly disableFlags?: number;
  readonly length?: number;
  readonly feeConfig?: PumpFeeConfig;
};

export const COIN = testAddress(10);
export const CREATOR = testAddress(20);
export const PROTOCOL_RECIPIENT = testAddress(21);
export const BUYBACK_RECIPIENT = testAddress(22);
export const MAYHEM_RECIPIENT = testAddress(23);
export const VAULTS = [testAddress(3), testAddress(4)] as const;

export function buildPumpSwap(input: PumpSwapFixture): PoolFixture {
  const id = testAddress(1);
  const mints = [buildMint(COIN), buildMint(WSOL_MINT, { decimals: 9 })] as const;
  const pool = accountBytes(POOL, 270)
    .address(POOL_AT.creator, input.canonical === false ? testAddress(30) : canonicalCreator(COIN))
    .address(POOL_AT.baseMint, COIN)
    .address(POOL_AT.quoteMint, WSOL_MINT)
    .address(POOL_AT.baseVault, VAULTS[0])
    .address(POOL_AT.quoteVault, VAULTS[1])
    .u8(POOL_AT.isMayhem, input.isMayhem === true ? 1 : 0)
    .u8(POOL_AT.isCashback, input.isCashback === true ? 1 : 0)
    .u128(POOL_AT.virtualQuoteReserves, BigInt.asUintN(128, input.virtualQuote ?? 0n))
    .u64(POOL_AT.creatorFeeBps, input.creatorFeeBps ?? 0n);
  if (input.coinCreator !== null) pool.address(POOL_AT.coinCreator, input.coinCreator ?? CREATOR);
  const global = accountBytes(GLOBAL_CONFIG, 949)
    .u8(GLOBAL_CONFIG_AT.disableFlags, input.disableFlags ?? 0)
    .address(GLOBAL_CONFIG_AT.protocolFeeRecipients, PROTOCOL_RECIPIENT)
    .address(GLOBAL_CONFIG_AT.reservedFeeRecipient, MAYHEM_RECIPIENT)
    .address(GLOBAL_CONFIG_AT.buybackFeeRecipients, BUYBACK_RECIPIENT)
    .u8(GLOBAL_CONFIG_AT.creatorFeeConfigurable, input.configurable === true ? 1 : 0);
  const account = pool.ownedBy(PUMP_SWAP_PROGRAM);
  const mint = new AccountBytes(82)
    .u64(36, input.supply ?? 1_000_000_000_000_000n)
    .u8(44, 6)
    .u8(45, 1);
  return {
    id,
    mints,
    accounts: new Map([
      [id, { ...account, data: account.data.slice(0, input.length ?? 270) }],
      [VAULTS[0], buildTokenAccount(mints[0], id, input.reserves[0])],
      [VAULTS[1], buildTokenAccount(mints[1], id, input.reserves[1])],
      [COIN, mint.ownedBy(mints[0].tokenProgram)],
      [PUMP_SWAP_GLOBAL_CONFIG, global.ownedBy(PUMP_SWAP_PROGRAM)],
      [pumpFeeConfigAddress(PUMP_SWAP_PROGRAM), buildFeeConfig(input.feeConfig)],
    ]),
  };
}
