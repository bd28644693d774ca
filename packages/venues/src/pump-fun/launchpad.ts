import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  type ChainAccount,
  HOLDING_2022_BYTES,
  type Instruction,
  known,
  mintSize,
  mulDivCeil,
  mulDivFloor,
  NO_SPEC_EXTENSIONS,
  NO_TOKEN_POWERS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { concat, key, text } from '@tradepost/solana/bytes';
import type { LaunchPrograms } from '../launch-programs.ts';
import type { LaunchNames, LaunchOrder, LaunchProgress, Launchpad } from '../launchpad.ts';
import type { AccountReader, RentReader } from '../readers.ts';
import type { AccountView } from '../shared/account-view.ts';
import { associatedTokenAddress } from '../shared/associated-token.ts';
import { instructionDiscriminator } from '../shared/discriminator.ts';
import { readonlyMeta, writableMeta, writableSignerMeta } from '../shared/instruction-data.ts';
import { rentOf } from '../shared/launch-rent.ts';
import { checkedView } from '../shared/pool-checks.ts';
import { programAddress, textSeed } from '../shared/program-address.ts';
import { pumpFeeConfigAddress, pumpFeesFor, readPumpFeeConfig } from '../shared/pump-fees.ts';
import { isRefusal } from '../shared/refusal.ts';
import { curveBuyInstruction } from './instruction.ts';
import { MINT_AUTHORITY } from './launch-feed.ts';
import {
  CURVE,
  CURVE_AT,
  curveAddress,
  GLOBAL,
  GLOBAL_AT,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
  SUPPLY,
} from './layout.ts';
import { type CurveState, curveBuy } from './quote.ts';

const CREATE_V2 = instructionDiscriminator('create_v2');
const DECIMALS = 6;
/** The size of a curve after `extend_account`: a new one had 83 in April and 115 in June 2026. */
const CURVE_BYTES = 151;
/** A person's count of his trades, and the account of a creator's fees: his first purchase opens both. */
const VOLUME_BYTES = 137;
const CREATOR_VAULT_BYTES = 0;

/** Every creation names the accounts of the mayhem mode, which none of ours asks for. */
const MAYHEM_PROGRAM = known('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e');
const mayhem = (...seeds: readonly Uint8Array[]): Address => programAddress(MAYHEM_PROGRAM, seeds);
const MAYHEM_GLOBAL = mayhem(textSeed('global-params'));
const MAYHEM_SOL_VAULT = mayhem(textSeed('sol-vault'));

/**
 * Launches on pump.fun: a Token-2022 coin on a curve quoted in SOL, `create_v2` and `buy_exact_sol_in` in one transaction.
 * Terms come from the program's own accounts. The creator keeps no power, and gets the schedule's creator fee.
 */
export function createPumpFunLaunchpad(deps: {
  readonly chain: AccountReader & RentReader;
  readonly programs: LaunchPrograms;
}): Launchpad {
  const { chain, programs } = deps;
  return {
    name: 'pump-fun',
    label: 'pump.fun',
    program: PUMP_PROGRAM,
    limits: { nameBytes: 32, symbolBytes: 10, uriBytes: 200 },

    offer: async () => {
      const feeConfig = pumpFeeConfigAddress(PUMP_PROGRAM);
      const { accounts } = await chain.accounts([PUMP_GLOBAL, feeConfig]);
      const terms = readTerms(accounts[0] ?? null, accounts[1] ?? null);
      if (terms === null) return null;
      const { global, start } = terms;
      const { virtualToken, virtualQuote, realToken } = start;
      return {
        tokenProgram: TOKEN_2022_PROGRAM,
        decimals: DECIMALS,
        supply: global.u64(GLOBAL_AT.supply),
        updateAuthority: false,
        // The curve's holding when its last token is sold.
        graduationLamports: mulDivCeil(virtualQuote, realToken, virtualToken - realToken),
        config: null,
        costLamports: (names, hasFirstBuy) =>
          rentOf(chain, [
            mintBytes(names),
            CURVE_BYTES,
            HOLDING_2022_BYTES,
            ...(hasFirstBuy ? [HOLDING_2022_BYTES, VOLUME_BYTES, CREATOR_VAULT_BYTES] : []),
          ]),
        firstBuy: (lamports) => (lamports <= 1n ? 0n : curveBuy(start, lamports)),
        build: async (order) => [createCoin(order), ...firstBuy(programs, order, global)],
      };
    },

    progress: async ({ mint }) => {
      const { accounts } = await chain.accounts([curveAddress(mint), PUMP_GLOBAL]);
      return progressOf(accounts[0] ?? null, accounts[1] ?? null);
    },
  };
}

/** The program's settings and the curve before its first purchase; null when they launch nothing that is modelled here. */
function readTerms(
  globalAccount: ChainAccount | null,
  feeAccount: ChainAccount | null,
): { readonly global: AccountView; readonly start: CurveState } | null {
  const global = checkedView(globalAccount, GLOBAL);
  const fees = readPumpFeeConfig(feeAccount);
  if (isRefusal(global) || isRefusal(fees)) return null;
  if (global.u8(GLOBAL_AT.createV2Enabled) === 0) return null;
  const virtualToken = global.u64(GLOBAL_AT.virtualToken);
  const virtualQuote = global.u64(GLOBAL_AT.virtualQuote);
  const realToken = global.u64(GLOBAL_AT.realToken);
  if (virtualToken <= realToken || virtualQuote === 0n || global.u64(GLOBAL_AT.supply) === 0n) return null;
  const rates = pumpFeesFor(fees, WSOL_MINT, mulDivFloor(virtualQuote, SUPPLY, virtualToken));
  const { protocolBps, creatorBps } = rates;
  return {
    global,
    start: { virtualToken, virtualQuote, realToken, realQuote: 0n, protocolBps, creatorBps },
  };
}

function progressOf(
  curveAccount: ChainAccount | null,
  globalAccount: ChainAccount | null,
): LaunchProgress | null {
  const curve = checkedView(curveAccount, CURVE);
  const global = checkedView(globalAccount, GLOBAL);
  if (isRefusal(curve) || isRefusal(global)) return null;
  const all = global.u64(GLOBAL_AT.realToken);
  const left = curve.u64(CURVE_AT.realToken);
  if (curve.u8(CURVE_AT.complete) !== 0) return { soldBps: 10_000, graduated: true };
  return { soldBps: left >= all ? 0 : Number(mulDivFloor(all - left, 10_000n, all)), graduated: false };
}

/** Lamports leave the creator's own balance, the tokens arrive in the associated account. */
function firstBuy(programs: LaunchPrograms, order: LaunchOrder, global: AccountView): readonly Instruction[] {
  if (order.firstBuy === null) return [];
  const { creator, mint, holding } = order;
  const { lamports, minTokens } = order.firstBuy;
  return [
    programs.createAssociatedTokenAccount({
      payer: creator,
      owner: creator,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
    }),
    curveBuyInstruction(
      {
        curve: curveAddress(mint),
        base: { mint, decimals: DECIMALS, tokenProgram: TOKEN_2022_PROGRAM, extensions: NO_TOKEN_POWERS },
        creator,
        feeRecipient: global.address(GLOBAL_AT.feeRecipient),
        buybackFeeRecipient: global.address(GLOBAL_AT.buybackFeeRecipients),
      },
      {
        owner: creator,
        mintIn: WSOL_MINT,
        amountIn: lamports,
        amountOut: minTokens,
        minOut: minTokens,
        source: creator,
        destination: holding,
      },
    ),
  ];
}

function createCoin({ creator, mint, name, symbol, uri }: LaunchOrder): Instruction {
  const curve = curveAddress(mint);
  return {
    programId: PUMP_PROGRAM,
    accounts: [
      writableSignerMeta(mint),
      readonlyMeta(MINT_AUTHORITY),
      writableMeta(curve),
      writableMeta(associatedTokenAddress(curve, mint, TOKEN_2022_PROGRAM)),
      readonlyMeta(PUMP_GLOBAL),
      writableSignerMeta(creator),
      readonlyMeta(SYSTEM_PROGRAM),
      readonlyMeta(TOKEN_2022_PROGRAM),
      readonlyMeta(ASSOCIATED_TOKEN_PROGRAM),
      writableMeta(MAYHEM_PROGRAM),
      readonlyMeta(MAYHEM_GLOBAL),
      writableMeta(MAYHEM_SOL_VAULT),
      writableMeta(mayhem(textSeed('mayhem-state'), addressBytes(mint))),
      writableMeta(associatedTokenAddress(MAYHEM_SOL_VAULT, mint, TOKEN_2022_PROGRAM)),
      readonlyMeta(PUMP_EVENT_AUTHORITY),
      readonlyMeta(PUMP_PROGRAM),
    ],
    // Neither mayhem nor cashback, the schedule's creator fee (a u64 of 0), and fees to the creator instead of holders.
    data: concat(CREATE_V2, text(name), text(symbol), text(uri), key(creator), new Uint8Array(11)),
  };
}

function mintBytes({ name, symbol, uri }: LaunchNames): number {
  return mintSize(
    {
      program: 'token2022',
      name,
      symbol,
      extensions: NO_SPEC_EXTENSIONS,
    },
    'native',
    uri,
  ).total;
}
