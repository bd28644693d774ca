import { type Address, addressBytes, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { PUMP_FEES_PROGRAM } from '../shared/pump-fees.ts';
import { pumpFun } from './forms.ts';

export const PUMP_PROGRAM: Address = pumpFun.program;
/** PDA of "__event_authority". */
export const PUMP_EVENT_AUTHORITY: Address = known('Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1');

/** Source of truth: the program's IDL. Curves of earlier versions are shorter; the missing fields are zero. */
export const CURVE: Layout = {
  what: 'BondingCurve',
  programId: PUMP_PROGRAM,
  discriminator: accountDiscriminator('BondingCurve'),
  minBytes: 49,
  maxBytes: null,
};

export const CURVE_AT = {
  virtualToken: 8,
  virtualQuote: 16,
  realToken: 24,
  realQuote: 32,
  complete: 48,
  creator: 49,
  isMayhem: 81,
  isCashback: 82,
  quoteMint: 83,
  creatorFeeBps: 115,
  isHolderReward: 124,
} as const;

export const GLOBAL: Layout = {
  what: 'Global',
  programId: PUMP_PROGRAM,
  discriminator: accountDiscriminator('Global'),
  minBytes: 1005,
  maxBytes: null,
};

export const GLOBAL_AT = {
  feeRecipient: 41,
  /** The initial values of a new curve. */
  virtualToken: 73,
  virtualQuote: 81,
  realToken: 89,
  supply: 97,
  /** The only key that may move a complete curve to its pool. */
  withdrawAuthority: 113,
  createV2Enabled: 450,
  /** The recipient of fees of mayhem coins. */
  reservedFeeRecipient: 483,
  buybackFeeRecipients: 741,
  creatorFeeConfigurable: 1045,
} as const;

/** With which every coin begins. Units of six decimals. */
export const SUPPLY = 1_000_000_000_000_000n;

const pda = (...seeds: readonly Uint8Array[]): Address => programAddress(PUMP_PROGRAM, seeds);

export const PUMP_GLOBAL: Address = pda(textSeed('global'));
export const PUMP_GLOBAL_VOLUME: Address = pda(textSeed('global_volume_accumulator'));
export const curveAddress = (mint: Address): Address => pda(textSeed('bonding-curve'), addressBytes(mint));
export const curveV2Address = (mint: Address): Address =>
  pda(textSeed('bonding-curve-v2'), addressBytes(mint));
export const creatorVaultAddress = (creator: Address): Address =>
  pda(textSeed('creator-vault'), addressBytes(creator));
/** The account that divides a coin's creator fee; it need not exist. */
export const sharingConfigAddress = (mint: Address): Address =>
  programAddress(PUMP_FEES_PROGRAM, [textSeed('sharing-config'), addressBytes(mint)]);
export const userVolumeAddress = (user: Address): Address =>
  pda(textSeed('user_volume_accumulator'), addressBytes(user));
