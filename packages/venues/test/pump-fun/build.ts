import { type Address, type ChainAccount, known, WSOL_MINT } from '@tradepost/solana';
import type { MintFacts } from '../../src/pool.ts';
import {
  CURVE,
  CURVE_AT,
  curveAddress,
  GLOBAL,
  GLOBAL_AT,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
  SUPPLY,
} from '../../src/pump-fun/layout.ts';
import { type PumpFeeConfig, pumpFeeConfigAddress } from '../../src/shared/pump-fees.ts';
import { accountBytes, buildMint, buildMintAccount, type PoolFixture, testAddress } from '../shared/build.ts';
import { buildFeeConfig } from '../shared/pump-fee-config.ts';

export type CurveFixture = {
  readonly virtualToken?: bigint;
  readonly virtualQuote?: bigint;
  readonly realToken?: bigint;
  readonly realQuote?: bigint;
  readonly creator?: Address | null;
  readonly complete?: boolean;
  /** What the curve is quoted in; SOL when absent. */
  readonly quote?: MintFacts;
  readonly creatorFeeBps?: bigint;
  readonly configurable?: boolean;
  /** Offset of a flag to set. */
  readonly flagAt?: number;
  readonly length?: number;
  readonly feeConfig?: PumpFeeConfig;
  readonly coin?: MintFacts;
  /** What is left of the coin. */
  readonly supply?: bigint;
};

export const COIN = testAddress(10);
export const CREATOR = testAddress(20);
export const FEE_RECIPIENT = testAddress(21);
export const BUYBACK_RECIPIENT = testAddress(22);
export const MAYHEM_RECIPIENT = testAddress(23);
export const DOLLARS = buildMint(known('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'));

export function buildCurve(input: CurveFixture = {}): PoolFixture {
  const id = curveAddress(COIN);
  const length = input.length ?? 125;
  const curve = accountBytes(CURVE, Math.max(length, 125))
    .u64(CURVE_AT.virtualToken, input.virtualToken ?? 1_073_000_000_000_000n)
    .u64(CURVE_AT.virtualQuote, input.virtualQuote ?? 30_000_000_000n)
    .u64(CURVE_AT.realToken, input.realToken ?? 793_100_000_000_000n)
    .u64(CURVE_AT.realQuote, input.realQuote ?? 5_000_000_000n)
    .u64(40, 1_000_000_000_000_000n)
    .u8(CURVE_AT.complete, input.complete === true ? 1 : 0)
    .u64(CURVE_AT.creatorFeeBps, input.creatorFeeBps ?? 0n);
  if (input.creator !== null) curve.address(CURVE_AT.creator, input.creator ?? CREATOR);
  if (input.quote !== undefined) curve.address(CURVE_AT.quoteMint, input.quote.mint);
  if (input.flagAt !== undefined) curve.u8(input.flagAt, 1);
  const global = accountBytes(GLOBAL, 1087)
    .address(GLOBAL_AT.feeRecipient, FEE_RECIPIENT)
    .address(GLOBAL_AT.reservedFeeRecipient, MAYHEM_RECIPIENT)
    .address(GLOBAL_AT.buybackFeeRecipients, BUYBACK_RECIPIENT)
    .u8(GLOBAL_AT.creatorFeeConfigurable, input.configurable === true ? 1 : 0);
  const account = curve.ownedBy(PUMP_PROGRAM);
  const coin = input.coin ?? buildMint(COIN);
  return {
    id,
    mints: [coin, input.quote ?? buildMint(WSOL_MINT, { decimals: 9 })],
    accounts: new Map([
      [COIN, buildMintAccount(coin, input.supply ?? SUPPLY)],
      [id, { ...account, data: account.data.slice(0, length) }],
      [PUMP_GLOBAL, global.ownedBy(PUMP_PROGRAM)],
      [pumpFeeConfigAddress(PUMP_PROGRAM), buildFeeConfig(input.feeConfig)],
    ]),
  };
}

/** What the program keeps for every launch, at its published figures. */
export const launchWorld = (
  more: readonly (readonly [Address, ChainAccount])[] = [],
  virtualQuote = 30_000_000_000n,
): ReadonlyMap<Address, ChainAccount> =>
  new Map<Address, ChainAccount>([
    [
      PUMP_GLOBAL,
      accountBytes(GLOBAL, 1087)
        .address(GLOBAL_AT.feeRecipient, FEE_RECIPIENT)
        .address(GLOBAL_AT.buybackFeeRecipients, BUYBACK_RECIPIENT)
        .u64(GLOBAL_AT.virtualToken, 1_073_000_000_000_000n)
        .u64(GLOBAL_AT.virtualQuote, virtualQuote)
        .u64(GLOBAL_AT.realToken, 793_100_000_000_000n)
        .u64(GLOBAL_AT.supply, 10n ** 15n)
        .u8(GLOBAL_AT.createV2Enabled, 1)
        .ownedBy(PUMP_PROGRAM),
    ],
    [pumpFeeConfigAddress(PUMP_PROGRAM), buildFeeConfig()],
    ...more,
  ]);
