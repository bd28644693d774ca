import { type Address, addressBytes, known } from '@tradepost/solana';
import { pumpFun } from '../pump-fun/forms.ts';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { pumpSwap } from './forms.ts';

export const PUMP_SWAP_PROGRAM: Address = pumpSwap.program;
/** PDA of "__event_authority". */
export const PUMP_SWAP_EVENT_AUTHORITY: Address = known('GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR');
const PUMP_PROGRAM: Address = pumpFun.program;

/** Source of truth: the program's IDL. Pools of earlier versions are shorter; the missing fields are zero. */
export const POOL: Layout = {
  what: 'Pool',
  programId: PUMP_SWAP_PROGRAM,
  discriminator: accountDiscriminator('Pool'),
  minBytes: 211,
  maxBytes: null,
};

export const POOL_AT = {
  creator: 11,
  baseMint: 43,
  quoteMint: 75,
  baseVault: 139,
  quoteVault: 171,
  coinCreator: 211,
  isMayhem: 243,
  isCashback: 244,
  virtualQuoteReserves: 245,
  creatorFeeBps: 261,
} as const;

export const GLOBAL_CONFIG: Layout = {
  what: 'GlobalConfig',
  programId: PUMP_SWAP_PROGRAM,
  discriminator: accountDiscriminator('GlobalConfig'),
  minBytes: 907,
  maxBytes: null,
};

export const GLOBAL_CONFIG_AT = {
  disableFlags: 56,
  protocolFeeRecipients: 57,
  reservedFeeRecipient: 385,
  buybackFeeRecipients: 643,
  creatorFeeConfigurable: 940,
} as const;

export const DISABLE_BUY = 0b0_1000;
export const DISABLE_SELL = 0b1_0000;

/** Market caps of mayhem coins count this supply, not the mint's own. Units of six decimals. */
export const MAYHEM_SUPPLY = 1_000_000_000_000_000n;

const pda = (...seeds: readonly Uint8Array[]): Address => programAddress(PUMP_SWAP_PROGRAM, seeds);

export const PUMP_SWAP_GLOBAL_CONFIG: Address = pda(textSeed('global_config'));
export const PUMP_SWAP_GLOBAL_VOLUME: Address = pda(textSeed('global_volume_accumulator'));
export const userVolumeAddress = (user: Address): Address =>
  pda(textSeed('user_volume_accumulator'), addressBytes(user));
export const creatorVaultAuthority = (coinCreator: Address): Address =>
  pda(textSeed('creator_vault'), addressBytes(coinCreator));
export const poolV2Address = (baseMint: Address): Address => pda(textSeed('pool-v2'), addressBytes(baseMint));

/** The creator of a coin's pool when its pump.fun curve is complete: only such pools pay fees by tier. */
export const canonicalCreator = (baseMint: Address): Address =>
  programAddress(PUMP_PROGRAM, [textSeed('pool-authority'), addressBytes(baseMint)]);
