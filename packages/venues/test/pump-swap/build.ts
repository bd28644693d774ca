import { type Address, addressBytes, WSOL_MINT } from '@tradepost/solana';
import type { MintFacts } from '../../src/pool.ts';
import {
  canonicalCreator,
  GLOBAL_CONFIG,
  GLOBAL_CONFIG_AT,
  POOL,
  POOL_AT,
  PUMP_SWAP_GLOBAL_CONFIG,
  PUMP_SWAP_PROGRAM,
} from '../../src/pump-swap/layout.ts';
import { textSeed } from '../../src/shared/program-address.ts';
import { type PumpFeeConfig, pumpFeeConfigAddress } from '../../src/shared/pump-fees.ts';
import {
  AccountBytes,
  accountBytes,
  buildMint,
  buildMintAccount,
  buildTokenAccount,
  derivedAddress,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';
import { buildFeeConfig } from '../shared/pump-fee-config.ts';

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
  readonly coin?: MintFacts;
  readonly quote?: MintFacts;
  /** Stands where the program derives it, as it must to sign for its vaults. */
  readonly onChain?: boolean;
};

export const COIN = testAddress(10);
export const CREATOR = testAddress(20);
export const PROTOCOL_RECIPIENT = testAddress(21);
export const BUYBACK_RECIPIENT = testAddress(22);
export const MAYHEM_RECIPIENT = testAddress(23);
const BUMP_AT = 8;
const SUPPLY = 1_000_000_000_000_000n;
export const VAULTS = [testAddress(3), testAddress(4)] as const;

export function buildPumpSwap(input: PumpSwapFixture): PoolFixture {
  const mints = [
    input.coin ?? buildMint(COIN),
    input.quote ?? buildMint(WSOL_MINT, { decimals: 9 }),
  ] as const;
  const [coin, quote] = [mints[0].mint, mints[1].mint];
  const creator = input.canonical === false ? testAddress(30) : canonicalCreator(coin);
  const { id, bump } =
    input.onChain === true ? poolAddress(creator, coin, quote) : { id: testAddress(1), bump: 0 };
  const length = input.length ?? 270;
  const pool = accountBytes(POOL, Math.max(length, 270))
    .u8(BUMP_AT, bump)
    .address(POOL_AT.creator, creator)
    .address(POOL_AT.baseMint, coin)
    .address(POOL_AT.quoteMint, quote)
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
  // Where one of the eight is missing, the program takes none of them.
  for (let more = 1; more < 8; more++)
    global.address(GLOBAL_CONFIG_AT.protocolFeeRecipients + 32 * more, testAddress(40 + more));
  const account = pool.ownedBy(PUMP_SWAP_PROGRAM);
  return {
    id,
    mints,
    accounts: new Map([
      [id, { ...account, data: account.data.slice(0, length) }],
      [VAULTS[0], buildTokenAccount(mints[0], id, input.reserves[0])],
      [VAULTS[1], buildTokenAccount(mints[1], id, input.reserves[1])],
      [coin, buildMintAccount(mints[0], input.supply ?? SUPPLY)],
      [PUMP_SWAP_GLOBAL_CONFIG, global.ownedBy(PUMP_SWAP_PROGRAM)],
      [pumpFeeConfigAddress(PUMP_SWAP_PROGRAM), buildFeeConfig(input.feeConfig)],
    ]),
  };
}

/** The first pool of its creator. */
function poolAddress(creator: Address, coin: Address, quote: Address) {
  const keys = [creator, coin, quote].map(addressBytes);
  return derivedAddress(PUMP_SWAP_PROGRAM, [textSeed('pool'), new AccountBytes(2).data, ...keys]);
}
