import {
  type Address,
  addressBytes,
  type ChainAccount,
  HOLDING_2022_BYTES,
  type Instruction,
  METADATA_PROGRAM,
  METAPLEX_FEE_BYTES,
  METAPLEX_FEE_LAMPORTS,
  METAPLEX_RECORD_BYTES,
  MINT_BYTES,
  minBigint,
  mintSize,
  mulDivFloor,
  NO_SPEC_EXTENSIONS,
  NO_TOKEN_POWERS,
  SOL_DECIMALS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { concat, text } from '@tradepost/solana/bytes';
import type { LaunchPrograms } from '../launch-programs.ts';
import type { LaunchNames, LaunchOrder, Launchpad } from '../launchpad.ts';
import type { AccountReader, RentReader } from '../readers.ts';
import type { AccountView } from '../shared/account-view.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { readonlyMeta, signerMeta, writableMeta, writableSignerMeta } from '../shared/instruction-data.ts';
import { rentOf } from '../shared/launch-rent.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { isRefusal } from '../shared/refusal.ts';
import { wrappedFirstBuy } from '../shared/wrapped-first-buy.ts';
import { dbcSwap } from './instruction.ts';
import {
  COLLECT_IN_QUOTE,
  COLLECT_ON_OUTPUT,
  CONFIG,
  CONFIG_AT,
  DBC_AUTHORITY,
  DBC_EVENT_AUTHORITY,
  DBC_PROGRAM,
  MAX_FEE_NUMERATOR,
  POOL,
  POOL_AT,
} from './layout.ts';
import { readCurve } from './pool.ts';
import { type DbcState, dbcOut } from './quote.ts';

const INITIALIZE_SPL = instructionDiscriminator('initialize_virtual_pool_with_spl_token');
const INITIALIZE_2022 = instructionDiscriminator('initialize_virtual_pool_with_token2022');

const TOKEN_TYPES = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] as const;
/** `token_update_authority`: the creator may change the metadata, or no one. With others a stranger could, or print tokens. */
const UPDATED_BY_CREATOR = 0;
const UPDATED_BY_NOBODY = 1;
/** Time schedules. A rate limiter asks for an account beside the swap and for fees that depend on the amount. */
const MAX_FEE_MODE = 1;

/** The parts of a launch, as a configuration has them. */
type Terms = {
  readonly view: AccountView;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly updatedByCreator: boolean;
};

type LaunchDeps = {
  readonly config: Address;
  readonly chain: AccountReader & RentReader;
  readonly programs: LaunchPrograms;
};

/**
 * Launches on Meteora's curve under one configuration, the operator's: it sets the curve, the fees, the right to change the metadata and
 * the time of the token's migration. Offered where that configuration sells a token of fixed supply for SOL and has a fee that the venue
 * can foresee. It must keep no power for others than the creator.
 */
export function createMeteoraDbcLaunchpad(deps: LaunchDeps): Launchpad {
  const { chain, config: configId } = deps;
  return {
    name: 'meteora-dbc',
    label: 'Meteora',
    program: DBC_PROGRAM,
    limits: { nameBytes: 32, symbolBytes: 10, uriBytes: 200 },

    offer: async () => {
      const { accounts } = await chain.accounts([configId]);
      const terms = readTerms(accounts[0] ?? null);
      if (terms === null) return null;
      const { view, tokenProgram, decimals } = terms;
      const start = startOf(view);
      return {
        tokenProgram,
        decimals,
        supply: view.u64(CONFIG_AT.supply),
        updateAuthority: terms.updatedByCreator,
        graduationLamports: view.u64(CONFIG_AT.migrationQuoteThreshold),
        config: configId,
        costLamports: async (names, hasFirstBuy) => {
          const rent = await rentOf(chain, openedBytes(terms, names, hasFirstBuy));
          const metaplex = tokenProgram === TOKEN_PROGRAM ? METAPLEX_FEE_LAMPORTS : 0n;
          return rent + view.u64(CONFIG_AT.creationFee) + metaplex;
        },
        firstBuy: (lamports) => dbcOut(start, 1, lamports),
        build: async (order) => [create(deps, order, terms), ...(await firstBuy(deps, order, terms))],
      };
    },

    progress: async ({ mint, config }) => {
      const launchedUnder = config ?? configId;
      const { accounts } = await chain.accounts([poolAddress(launchedUnder, mint), launchedUnder]);
      const pool = checkedView(accounts[0] ?? null, POOL);
      const terms = checkedView(accounts[1] ?? null, CONFIG);
      if (isRefusal(pool) || isRefusal(terms)) return null;
      const threshold = terms.u64(CONFIG_AT.migrationQuoteThreshold);
      const raised = pool.u64(POOL_AT.quoteReserve);
      const done =
        pool.u8(POOL_AT.isMigrated) !== 0 ||
        pool.u64(POOL_AT.finishCurveTimestamp) !== 0n ||
        raised >= threshold;
      return {
        soldBps: done ? 10_000 : Number(mulDivFloor(raised, 10_000n, threshold)),
        graduated: done,
      };
    },
  };
}

function create({ config, programs }: LaunchDeps, order: LaunchOrder, { tokenProgram }: Terms): Instruction {
  const { creator, mint } = order;
  const pool = poolAddress(config, mint);
  const isSpl = tokenProgram === TOKEN_PROGRAM;
  return {
    programId: DBC_PROGRAM,
    accounts: [
      readonlyMeta(config),
      readonlyMeta(DBC_AUTHORITY),
      signerMeta(creator),
      writableSignerMeta(mint),
      readonlyMeta(WSOL_MINT),
      writableMeta(pool),
      writableMeta(vaultAddress(mint, pool)),
      writableMeta(vaultAddress(WSOL_MINT, pool)),
      ...(isSpl ? [writableMeta(programs.metadataRecordAddress(mint)), readonlyMeta(METADATA_PROGRAM)] : []),
      writableSignerMeta(creator),
      readonlyMeta(TOKEN_PROGRAM),
      readonlyMeta(tokenProgram),
      readonlyMeta(SYSTEM_PROGRAM),
      readonlyMeta(DBC_EVENT_AUTHORITY),
      readonlyMeta(DBC_PROGRAM),
    ],
    data: concat(
      isSpl ? INITIALIZE_SPL : INITIALIZE_2022,
      text(order.name),
      text(order.symbol),
      text(order.uri),
    ),
  };
}

function firstBuy(
  deps: LaunchDeps,
  order: LaunchOrder,
  { tokenProgram, decimals }: Terms,
): Promise<readonly Instruction[]> {
  const { config } = deps;
  const { mint } = order;
  const pool = poolAddress(config, mint);
  return wrappedFirstBuy(deps, order, tokenProgram, (swap) =>
    dbcSwap(
      {
        config,
        pool,
        baseVault: vaultAddress(mint, pool),
        quoteVault: vaultAddress(WSOL_MINT, pool),
        base: { mint, decimals, tokenProgram, extensions: NO_TOKEN_POWERS },
        quote: {
          mint: WSOL_MINT,
          decimals: SOL_DECIMALS,
          tokenProgram: TOKEN_PROGRAM,
          extensions: NO_TOKEN_POWERS,
        },
      },
      swap,
    ),
  );
}

function readTerms(account: ChainAccount | null): Terms | null {
  const view = checkedView(account, CONFIG);
  if (isRefusal(view) || view.address(CONFIG_AT.quoteMint) !== WSOL_MINT) return null;
  const tokenProgram = TOKEN_TYPES[view.u8(CONFIG_AT.tokenType)];
  const updatedBy = view.u8(CONFIG_AT.tokenUpdateAuthority);
  const collectFeeMode = view.u8(CONFIG_AT.collectFeeMode);
  const isKnown =
    (updatedBy === UPDATED_BY_CREATOR || updatedBy === UPDATED_BY_NOBODY) &&
    (collectFeeMode === COLLECT_IN_QUOTE || collectFeeMode === COLLECT_ON_OUTPUT) &&
    view.u8(CONFIG_AT.baseFeeMode) <= MAX_FEE_MODE;
  // Without a fixed supply it follows from the curve by the program's own rounding, and no quote should rest on that.
  const isFixed = view.u8(CONFIG_AT.fixedSupply) !== 0;
  if (tokenProgram === undefined || !isKnown || !isFixed) return null;
  if (view.u64(CONFIG_AT.migrationQuoteThreshold) === 0n) return null;
  return {
    view,
    tokenProgram,
    decimals: view.u8(CONFIG_AT.tokenDecimal),
    updatedByCreator: updatedBy === UPDATED_BY_CREATOR,
  };
}

/** Bytes of everything whose rent the creator pays; Metaplex charges its fee as the rent of so many more. */
function openedBytes({ tokenProgram }: Terms, names: LaunchNames, hasFirstBuy: boolean): readonly number[] {
  const pool = [POOL.minBytes, TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_BYTES];
  if (tokenProgram === TOKEN_PROGRAM) {
    const token = [MINT_BYTES, METAPLEX_RECORD_BYTES, METAPLEX_FEE_BYTES];
    return [...pool, ...token, ...(hasFirstBuy ? [TOKEN_ACCOUNT_BYTES] : [])];
  }
  const spec = {
    program: 'token2022' as const,
    name: names.name,
    symbol: names.symbol,
    extensions: NO_SPEC_EXTENSIONS,
  };
  return [...pool, mintSize(spec, 'native', names.uri).total, ...(hasFirstBuy ? [HOLDING_2022_BYTES] : [])];
}

/** The curve before its first purchase: no volatility yet, the fee as it is at the start. */
function startOf(config: AccountView): DbcState {
  const sqrtStartPrice = config.u128(CONFIG_AT.sqrtStartPrice);
  return {
    sqrtPrice: sqrtStartPrice,
    sqrtStartPrice,
    sqrtEndPrice: config.u128(CONFIG_AT.migrationSqrtPrice),
    curve: readCurve(config),
    feeNumerator: minBigint(config.u64(CONFIG_AT.cliffFeeNumerator), MAX_FEE_NUMERATOR),
    collectFeeMode: config.u8(CONFIG_AT.collectFeeMode),
  };
}

/** Of the two mints the larger comes first, byte by byte. */
export function poolAddress(config: Address, mint: Address): Address {
  const [base, quote] = [addressBytes(mint), addressBytes(WSOL_MINT)];
  const [first, second] = Buffer.compare(base, quote) > 0 ? [base, quote] : [quote, base];
  return programAddress(DBC_PROGRAM, [textSeed('pool'), addressBytes(config), first, second]);
}

function vaultAddress(mint: Address, pool: Address): Address {
  return programAddress(DBC_PROGRAM, [textSeed('token_vault'), addressBytes(mint), addressBytes(pool)]);
}
