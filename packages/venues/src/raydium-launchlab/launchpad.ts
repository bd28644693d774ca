import {
  type Address,
  addressBytes,
  type ChainAccount,
  type Instruction,
  known,
  METADATA_PROGRAM,
  METAPLEX_FEE_BYTES,
  METAPLEX_FEE_LAMPORTS,
  METAPLEX_RECORD_BYTES,
  MINT_BYTES,
  minBigint,
  mulDivFloor,
  NO_TOKEN_POWERS,
  SOL_DECIMALS,
  SYSTEM_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { concat, text, u8, u64 } from '@tradepost/solana/bytes';
import type { LaunchPrograms } from '../launch-programs.ts';
import type { LaunchOrder, Launchpad } from '../launchpad.ts';
import type { AccountReader, RentReader } from '../readers.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { readonlyMeta, writableMeta, writableSignerMeta } from '../shared/instruction-data.ts';
import { rentOf } from '../shared/launch-rent.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { isRefusal } from '../shared/refusal.ts';
import { wrappedFirstBuy } from '../shared/wrapped-first-buy.ts';
import { launchPoolAddress } from './derive.ts';
import { launchSwap } from './instruction.ts';
import {
  CONFIG,
  CONFIG_AT,
  CURVE_CONSTANT_PRODUCT,
  FEE_DENOMINATOR,
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_EVENT_AUTHORITY,
  LAUNCHLAB_PROGRAM,
  PLATFORM,
  PLATFORM_AT,
  POOL,
  POOL_AT,
  STATUS_TRADING,
} from './layout.ts';
import { type LaunchState, launchBuy } from './quote.ts';

const INITIALIZE = instructionDiscriminator('initialize_v2');
const RENT_SYSVAR = known('SysvarRent111111111111111111111111111111111');
const DECIMALS = 6;
/** The usual launch: a billion tokens, of which so many are sold for so many lamports; then a pool of constant product. */
const SUPPLY = 1_000_000_000_000_000n;
const SOLD = 793_100_000_000_000n;
const RAISED_LAMPORTS = 85_000_000_000n;
const MIGRATES_TO_CPMM = 1;

/** The first configuration for curves of constant product quoted in SOL. */
export const LAUNCH_CONFIG: Address = programAddress(LAUNCHLAB_PROGRAM, [
  textSeed('global_config'),
  addressBytes(WSOL_MINT),
  u8(CURVE_CONSTANT_PRODUCT),
  new Uint8Array(2),
]);

type LaunchDeps = {
  readonly platform: Address;
  readonly chain: AccountReader & RentReader;
  readonly programs: LaunchPrograms;
};

/**
 * Launches at Raydium LaunchLab under one platform, the operator's: an SPL token with a Metaplex record, `initialize_v2` and
 * `buy_exact_in` in one transaction. Offered where neither configuration nor platform asks for more than that.
 */
export function createRaydiumLaunchlabLaunchpad(deps: LaunchDeps): Launchpad {
  const { chain, platform } = deps;
  return {
    name: 'raydium-launchlab',
    label: 'Raydium LaunchLab',
    program: LAUNCHLAB_PROGRAM,
    limits: { nameBytes: 32, symbolBytes: 10, uriBytes: 200 },

    offer: async () => {
      const { accounts } = await chain.accounts([LAUNCH_CONFIG, platform]);
      const start = readStart(accounts[0] ?? null, accounts[1] ?? null);
      if (start === null) return null;
      return {
        tokenProgram: TOKEN_PROGRAM,
        decimals: DECIMALS,
        supply: SUPPLY,
        updateAuthority: false,
        graduationLamports: RAISED_LAMPORTS,
        config: LAUNCH_CONFIG,
        costLamports: async (_names, hasFirstBuy) =>
          METAPLEX_FEE_LAMPORTS +
          (await rentOf(chain, [
            MINT_BYTES,
            POOL.minBytes,
            TOKEN_ACCOUNT_BYTES,
            TOKEN_ACCOUNT_BYTES,
            METAPLEX_RECORD_BYTES,
            METAPLEX_FEE_BYTES,
            // The creator's account, and the vaults of platform and creator where this is their first trade.
            ...(hasFirstBuy ? [TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_BYTES] : []),
          ])),
        firstBuy: (lamports) => (lamports <= 0n ? 0n : launchBuy(start, lamports)),
        build: async (order) => [initialize(deps, order), ...(await firstBuy(deps, order))],
      };
    },

    progress: async ({ mint }) => {
      const { accounts } = await chain.accounts([poolAddress(mint)]);
      const pool = checkedView(accounts[0] ?? null, POOL);
      if (isRefusal(pool)) return null;
      const all = pool.u64(POOL_AT.totalSellA);
      const sold = pool.u64(POOL_AT.realA);
      if (pool.u8(POOL_AT.status) !== STATUS_TRADING) return { soldBps: 10_000, graduated: true };
      const soldBps = all === 0n ? 0n : minBigint(10_000n, mulDivFloor(sold, 10_000n, all));
      return { soldBps: Number(soldBps), graduated: false };
    },
  };
}

function initialize(
  { platform, programs }: LaunchDeps,
  { creator, mint, name, symbol, uri }: LaunchOrder,
): Instruction {
  const pool = poolAddress(mint);
  return {
    programId: LAUNCHLAB_PROGRAM,
    accounts: [
      writableSignerMeta(creator),
      readonlyMeta(creator),
      readonlyMeta(LAUNCH_CONFIG),
      readonlyMeta(platform),
      readonlyMeta(LAUNCHLAB_AUTHORITY),
      writableMeta(pool),
      writableSignerMeta(mint),
      readonlyMeta(WSOL_MINT),
      writableMeta(vaultAddress(pool, mint)),
      writableMeta(vaultAddress(pool, WSOL_MINT)),
      writableMeta(programs.metadataRecordAddress(mint)),
      readonlyMeta(TOKEN_PROGRAM),
      readonlyMeta(TOKEN_PROGRAM),
      readonlyMeta(METADATA_PROGRAM),
      readonlyMeta(SYSTEM_PROGRAM),
      readonlyMeta(RENT_SYSVAR),
      readonlyMeta(LAUNCHLAB_EVENT_AUTHORITY),
      readonlyMeta(LAUNCHLAB_PROGRAM),
    ],
    data: concat(
      INITIALIZE,
      u8(DECIMALS),
      text(name),
      text(symbol),
      text(uri),
      u8(CURVE_CONSTANT_PRODUCT),
      u64(SUPPLY),
      u64(SOLD),
      u64(RAISED_LAMPORTS),
      u8(MIGRATES_TO_CPMM),
      // Nothing is locked up: amount, cliff, unlock period; and the creator's later fee is in SOL alone.
      new Uint8Array(24 + 1),
    ),
  };
}

function firstBuy(deps: LaunchDeps, order: LaunchOrder): Promise<readonly Instruction[]> {
  const { creator, mint } = order;
  const pool = poolAddress(mint);
  const facts = { tokenProgram: TOKEN_PROGRAM, extensions: NO_TOKEN_POWERS };
  return wrappedFirstBuy(deps, order, TOKEN_PROGRAM, (swap) =>
    launchSwap(
      {
        pool,
        config: LAUNCH_CONFIG,
        platform: deps.platform,
        creator,
        vaultA: vaultAddress(pool, mint),
        vaultB: vaultAddress(pool, WSOL_MINT),
        mintA: { ...facts, mint, decimals: DECIMALS },
        mintB: { ...facts, mint: WSOL_MINT, decimals: SOL_DECIMALS },
      },
      1,
      swap,
    ),
  );
}

/** The curve before its first purchase; null when configuration or platform ask for features that are not modelled here. */
function readStart(
  configAccount: ChainAccount | null,
  platformAccount: ChainAccount | null,
): LaunchState | null {
  const config = checkedView(configAccount, CONFIG);
  const platform = checkedView(platformAccount, PLATFORM);
  if (isRefusal(config) || isRefusal(platform)) return null;
  const isUsual =
    config.u8(CONFIG_AT.curveType) === CURVE_CONSTANT_PRODUCT &&
    config.address(CONFIG_AT.mintB) === WSOL_MINT &&
    config.u64(CONFIG_AT.minFundRaisingB) <= RAISED_LAMPORTS &&
    // Either restriction takes a further account, and a rule that our terms may break.
    platform.u8(PLATFORM_AT.restrictGlobalConfig) === 0 &&
    platform.u8(PLATFORM_AT.restrictCurveParam) === 0;
  if (!isUsual) return null;
  const reserves = startReserves(config.u64(CONFIG_AT.migrateFee));
  const feeRate =
    config.u64(CONFIG_AT.tradeFeeRate) +
    platform.u64(PLATFORM_AT.feeRate) +
    platform.u64(PLATFORM_AT.creatorFeeRate);
  if (reserves === null || feeRate >= FEE_DENOMINATOR) return null;
  return { ...reserves, leftA: SOLD, raisedB: 0n, feeRate };
}

/**
 * Virtual reserves that sell `SOLD` for `RAISED_LAMPORTS` and end at the price of the pool that follows. Source of truth: the
 * vendor's SDK, `LaunchConstantProductCurve.getInitParam`.
 */
export function startReserves(migrateFee: bigint): Pick<LaunchState, 'reserveA' | 'reserveB'> | null {
  const kept = SUPPLY - SOLD;
  const paired = RAISED_LAMPORTS - migrateFee;
  if (paired <= 0n) return null;
  const denominator = (paired * SOLD) / kept - RAISED_LAMPORTS;
  if (denominator <= 0n) return null;
  return {
    reserveA: (paired * SOLD * SOLD) / kept / denominator,
    reserveB: (RAISED_LAMPORTS * RAISED_LAMPORTS) / denominator,
  };
}

const poolAddress = (mint: Address): Address => launchPoolAddress(mint, WSOL_MINT);

function vaultAddress(pool: Address, mint: Address): Address {
  return programAddress(LAUNCHLAB_PROGRAM, [textSeed('pool_vault'), addressBytes(pool), addressBytes(mint)]);
}
