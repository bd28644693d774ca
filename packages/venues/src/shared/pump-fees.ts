import {
  type Address,
  addressBytes,
  type ChainAccount,
  known,
  mulDivCeil,
  mulDivFloor,
  WSOL_MINT,
} from '@tradepost/solana';
import type { AccountView } from './account-view.ts';
import { accountDiscriminator } from './discriminator.ts';
import { checkedView } from './pool-checks.ts';
import { programAddress, textSeed } from './program-address.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';

/** The program that sets the fees of pump.fun curves and PumpSwap pools. */
export const PUMP_FEES_PROGRAM: Address = known('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ');

/** Basis points. */
export type PumpFees = { readonly lpBps: bigint; readonly protocolBps: bigint; readonly creatorBps: bigint };
export type PumpFeeTier = { readonly fromMarketCap: bigint; readonly fees: PumpFees };

/** The schedules of one program. Source of truth: the account on chain; the published table only illustrates it. */
export type PumpFeeConfig = {
  readonly flat: PumpFees;
  readonly tiers: readonly PumpFeeTier[];
  readonly stableTiers: readonly PumpFeeTier[];
  readonly exotic: PumpFees;
};

export const FEE_CONFIG_DISCRIMINATOR = accountDiscriminator('FeeConfig');
const FLAT_AT = 41;
const FEES_BYTES = 24;
/** Allocated lengths tell the versions apart; behind the last schedule of a version the earlier bytes remain. */
const WITH_STABLE_BYTES = 4073;
const WITH_EXOTIC_BYTES = 4097;
const TIER_BYTES = 16 + FEES_BYTES;
const NO_FEES: PumpFees = { lpBps: 0n, protocolBps: 0n, creatorBps: 0n };

export function pumpFeeConfigAddress(program: Address): Address {
  return programAddress(PUMP_FEES_PROGRAM, [textSeed('fee_config'), addressBytes(program)]);
}

/** Reads the schedules; those that an older account does not have yet are empty. */
export function readPumpFeeConfig(account: ChainAccount | null): PumpFeeConfig | Refusal {
  const view = checkedView(account, {
    what: 'FeeConfig',
    programId: PUMP_FEES_PROGRAM,
    discriminator: FEE_CONFIG_DISCRIMINATOR,
    minBytes: FLAT_AT + FEES_BYTES + 4,
    maxBytes: null,
  });
  if (isRefusal(view)) return view;
  const tiers = readTiers(view, FLAT_AT + FEES_BYTES);
  if (isRefusal(tiers)) return tiers;
  if (tiers.list.length === 0) return refuse('bad-state', 'the fee configuration has no tiers');
  const stable =
    view.length >= WITH_STABLE_BYTES ? readTiers(view, tiers.end) : { list: [], end: view.length };
  if (isRefusal(stable)) return stable;
  return {
    flat: readFees(view, FLAT_AT),
    tiers: tiers.list,
    stableTiers: stable.list,
    exotic:
      view.length >= WITH_EXOTIC_BYTES && stable.end + FEES_BYTES <= view.length
        ? readFees(view, stable.end)
        : NO_FEES,
  };
}

function readTiers(view: AccountView, at: number): { list: readonly PumpFeeTier[]; end: number } | Refusal {
  const count = view.u32(at);
  const end = at + 4 + count * TIER_BYTES;
  if (end > view.length) return refuse('bad-state', `${count} fee tiers do not fit the account`);
  const list = Array.from({ length: count }, (_, index) => {
    const tier = at + 4 + index * TIER_BYTES;
    return { fromMarketCap: view.u128(tier), fees: readFees(view, tier + 16) };
  });
  return { list, end };
}

function readFees(view: AccountView, at: number): PumpFees {
  return { lpBps: view.u64(at), protocolBps: view.u64(at + 8), creatorBps: view.u64(at + 16) };
}

/** Token-2022's own wrapped SOL. No curve is quoted in it; the fee program counts it as SOL. */
const WSOL_2022_MINT: Address = known('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP');
const USDC_MINT: Address = known('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/**
 * The fees of a curve, or of the pool that a curve became, at a market cap in units of `quoteMint`. Source of truth: pump-fees
 * `FeeConfig::fees_for_quote_mint`, as mirrored by the vendor's SDK.
 */
export function pumpFeesFor(config: PumpFeeConfig, quoteMint: Address, marketCap: bigint): PumpFees {
  if (quoteMint === WSOL_MINT || quoteMint === WSOL_2022_MINT)
    return tierAt(config.tiers, marketCap, config.flat);
  if (quoteMint === USDC_MINT) {
    const tiers = config.stableTiers.length > 0 ? config.stableTiers : config.tiers;
    return tierAt(tiers, marketCap, config.flat);
  }
  const { lpBps, protocolBps, creatorBps } = config.exotic;
  return lpBps + protocolBps + creatorBps === 0n ? config.flat : config.exotic;
}

/** The last tier that begins at or below the market cap; the first for anything smaller. */
function tierAt(tiers: readonly PumpFeeTier[], marketCap: bigint, none: PumpFees): PumpFees {
  return tiers.findLast((tier) => marketCap >= tier.fromMarketCap)?.fees ?? tiers[0]?.fees ?? none;
}

/** One fee of an amount, rounded up. Fees are rounded one by one. */
export function pumpFee(amount: bigint, bps: bigint): bigint {
  return mulDivCeil(amount, bps, 10_000n);
}

/** All fees of an amount together. */
export function pumpFeeSum({ lpBps, protocolBps, creatorBps }: PumpFees, amount: bigint): bigint {
  return pumpFee(amount, lpBps) + pumpFee(amount, protocolBps) + pumpFee(amount, creatorBps);
}

/**
 * The amount that the curve counts of a purchase of exactly `amount`, fees on top. Fees are divided out. The excess of rounding them up
 * comes off the rest. One unit is kept back for the rounding of the exact-output purchase that the programs make of it. Below 1 where
 * nothing is left. Source of truth: the programs' `buy_exact_sol_in` and `buy_exact_quote_in`.
 */
export function pumpSpend(fees: PumpFees, amount: bigint): bigint {
  const net = mulDivFloor(amount, 10_000n, 10_000n + fees.lpBps + fees.protocolBps + fees.creatorBps);
  const excess = net + pumpFeeSum(fees, net) - amount;
  return (excess > 0n ? net - excess : net) - 1n;
}
