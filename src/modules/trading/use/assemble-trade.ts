import { type Address, type Instruction, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { NeededParts } from '../../../core/errors/details.ts';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { TransactionPlan } from '../../../engine/transactions/use/plan.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { SwapToken } from '../rules/aggregator-route.ts';
import type { Route } from '../rules/route.ts';
import { coSignRoute } from './co-sign.ts';
import { type IntermediateAccount, passesSol, rentKept, untouched } from './intermediate-accounts.ts';
import { type PricedTrade, tradeTerms } from './price-route.ts';
import { nameSource, routeSteps } from './route-instructions.ts';
import { isNative, type SwapTerms } from './swap-terms.ts';

/** Wrapped SOL as a token. */
export const WRAPPED = { mint: WSOL_MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9 } as const;

/** The trader's side of a trade, as the chain shows it. */
export type Trader = {
  readonly wallet: Address;
  readonly tokenIn: SwapToken;
  readonly tokenOut: SwapToken;
  /** The trader's accounts of the tokens, and the units in them before; ignored on a side that is SOL. */
  readonly accountIn: Address;
  readonly accountOut: Address;
  readonly heldIn: bigint;
  readonly heldOut: bigint;
  /** Rent of the account of the output where the trade opens it, else 0. */
  readonly outputRentLamports: bigint;
  /** Rent of a token account, for every one that the trade opens and closes. */
  readonly wrappedRentLamports: bigint;
  /** Lamports in the account of the token sold where the trade empties and closes it; absent or 0 where it stays. */
  readonly closedLamports?: bigint;
  /** Whether transfer fees may be withheld in that account, which are harvested before it is closed. */
  readonly harvestsFirst?: boolean;
  /** True where wrapped SOL on a side is a token in `accountIn` or `accountOut`; see `PriceRequest`. */
  readonly solAsToken?: boolean;
  /** The owner of `accountOut` where that is not the wallet; null where the account is taken as it is and never opened. */
  readonly outputOwner?: Address | null;
  /** Where the fee goes; null when there is none. */
  readonly feeAccount: Address | null;
  /**
   * Makes the wrapped-SOL account's address, so that no two trades share one. An attempt's id: derived from the intent's, which
   * every attempt shows in its memo, a stranger could send lamports there and make each further attempt fail.
   */
  readonly seed: string;
};

type Assembly = Trader & {
  readonly priced: PricedTrade;
  readonly intermediates: readonly IntermediateAccount[];
};

/** One trade as it is to be simulated, judged and signed. */
export type TradePlan = TransactionPlan & {
  readonly terms: NonNullable<TransactionPlan['terms']>;
  readonly priced: PricedTrade;
  readonly intermediates: readonly IntermediateAccount[];
  /** Rent of accounts that the trade opens and that stay open. */
  readonly newAccountRentLamports: bigint;
  /** The lamports that its wallet must hold, part by part; absent where they were not worked out. */
  readonly needs?: NeededParts;
  /** Lamports that come back from the account that the trade closes. */
  readonly closedLamports: bigint;
  /** The pool that the instruction at this place of `instructions` swaps over; null for every other instruction. */
  readonly poolAt: (instruction: number) => Pool | null;
  /** The group of each of `instructions`. */
  readonly groups: readonly Exclude<SwapGroup, 'computeBudget'>[];
};

/** A priced trade with its instructions, and the effects that its simulation must show. */
export function planTrade(
  { programs, venues }: { readonly programs: Programs; readonly venues: readonly Venue[] },
  assembly: Assembly,
  order: Pick<SwapTerms, 'amount' | 'slippageBps'> & { readonly tier: PriorityTier },
): TradePlan {
  const { priced, intermediates, tokenIn, tokenOut, accountIn, accountOut, closedLamports = 0n } = assembly;
  const { amount, tier } = order;
  const sellsSol = isNative(tokenIn.mint, assembly);
  const buysSol = isNative(tokenOut.mint, assembly);
  const newAccountRentLamports = assembly.outputRentLamports + rentKept(intermediates);
  const steps = assembleTrade(programs, assembly);
  return {
    instructions: steps.map(({ instruction }) => instruction),
    poolAt: (index) => steps[index]?.pool ?? null,
    groups: steps.map(({ group }) => group),
    tier,
    lookupTables: priced.lookupTables,
    ...(priced.route.aggregator === undefined ? {} : { needsTables: true }),
    ...(priced.version1 ? { version1: true } : {}),
    units: null,
    terms: tradeTerms(priced, order),
    expect: {
      maxLamportsOut: (sellsSol ? amount : 0n) + newAccountRentLamports,
      minLamportsIn: buysSol ? priced.leastOut - newAccountRentLamports + closedLamports : null,
      tokens: [
        ...(sellsSol ? [] : [{ account: accountIn, mint: tokenIn.mint, minDelta: -amount }]),
        ...(buysSol ? [] : [{ account: accountOut, mint: tokenOut.mint, minDelta: priced.leastOut }]),
        ...untouched(intermediates),
      ],
      ...(closedLamports > 0n ? { closes: [accountIn] } : {}),
      ...(assembly.outputOwner === undefined ? {} : { elsewhere: accountOut }),
    },
    coSign: coSignRoute(venues, priced.route),
    priced,
    intermediates,
    newAccountRentLamports,
    closedLamports,
  };
}

/** Whether the trade opens an account that wraps SOL: for SOL of the wallet's own on a side, or for SOL in the middle. */
export function wrapsSol(route: Route, { solAsToken = false }: Pick<Trader, 'solAsToken'>): boolean {
  return passesSol(route) && !(solAsToken && (route.mintIn === WSOL_MINT || route.mintOut === WSOL_MINT));
}

/** What an instruction of a swap is for, in the order in which the groups run. */
export const SWAP_GROUPS = ['computeBudget', 'feesIn', 'setup', 'swap', 'cleanup', 'feesOut', 'tip'] as const;
export type SwapGroup = (typeof SWAP_GROUPS)[number];

type Step = {
  readonly instruction: Instruction;
  readonly pool: Pool | null;
  readonly group: Exclude<SwapGroup, 'computeBudget' | 'tip'>;
};

/** Fee, accounts, swap, fee: all or nothing in one transaction that the trader alone pays and, co-signers apart, signs. */
function assembleTrade(programs: Programs, input: Assembly): readonly Step[] {
  const { wallet, tokenIn, tokenOut, priced, outputOwner = wallet } = input;
  const sellsSol = isNative(tokenIn.mint, input);
  const buysSol = isNative(tokenOut.mint, input);
  const wrapped = wrapsSol(priced.route, input)
    ? programs.openWrappedSol({
        owner: wallet,
        seed: input.seed,
        lamports: sellsSol ? priced.route.amountIn : 0n,
        rentLamports: input.wrappedRentLamports,
      })
    : null;
  const source = sellsSol && wrapped !== null ? wrapped.account : input.accountIn;
  const destination = buysSol && wrapped !== null ? wrapped.account : input.accountOut;
  const { mint, tokenProgram } = tokenOut;
  const opens =
    buysSol || outputOwner === null ? null : { payer: wallet, owner: outputOwner, mint, tokenProgram };
  const closes = { account: wrapped?.account ?? source, owner: wallet, tokenProgram: TOKEN_PROGRAM };
  const swaps = routeSteps(programs, priced, {
    owner: wallet,
    source,
    ...(sellsSol ? {} : { sourceHolds: input.heldIn }),
    destination,
    destinationHolds: buysSol ? 0n : input.heldOut,
    wrapped: wrapped?.account ?? null,
    tokenAccountRent: input.wrappedRentLamports,
    intermediates: input.intermediates,
  });
  const fee = feeTransfer(programs, input, destination);
  return [
    ...around('feesIn', priced.fee.side === 'in' ? fee : []),
    ...around('setup', [
      ...(opens === null ? [] : [programs.createAssociatedTokenAccount(opens)]),
      ...(wrapped?.instructions ?? []),
      ...(sellsSol
        ? []
        : nameSource(programs, {
            owner: wallet,
            token: tokenIn,
            source,
            amountIn: priced.route.amountIn,
          })),
    ]),
    ...swaps,
    ...around('cleanup', wrapped === null ? [] : [programs.closeTokenAccount(closes)]),
    ...around('feesOut', priced.fee.side === 'out' ? fee : []),
    // The last, so that it is known by its place when it alone fails.
    ...around('cleanup', (input.closedLamports ?? 0n) > 0n ? closesSold(programs, input, source) : []),
  ];
}

/** Closes the emptied account of the sold token; fees that are withheld in it are harvested before. */
function closesSold(
  programs: Programs,
  { wallet, tokenIn, accountIn, harvestsFirst = false }: Assembly,
  source: Address,
): readonly Instruction[] {
  const emptied = { account: source, owner: wallet, tokenProgram: tokenIn.tokenProgram };
  const closing = programs.closeTokenAccount(emptied);
  if (!harvestsFirst) return [closing];
  return [programs.harvestWithheldFees({ mint: tokenIn.mint, accounts: [accountIn] }), closing];
}

const around = (group: Step['group'], instructions: readonly Instruction[]): readonly Step[] =>
  instructions.map((instruction) => ({ instruction, pool: null, group }));

function feeTransfer(
  programs: Programs,
  { wallet, tokenOut, priced, feeAccount, solAsToken }: Assembly,
  source: Address,
): readonly Instruction[] {
  const { side, units } = priced.fee;
  if (feeAccount === null || units === 0n) return [];
  if (side === 'in' || isNative(tokenOut.mint, { solAsToken: solAsToken === true })) {
    return [programs.transferSol({ from: wallet, to: feeAccount, lamports: units })];
  }
  return [
    programs.transferToken({
      source,
      mint: tokenOut.mint,
      destination: feeAccount,
      owner: wallet,
      amount: units,
      decimals: tokenOut.decimals,
      tokenProgram: tokenOut.tokenProgram,
    }),
  ];
}

/** The most the network may charge for these instructions: every signature, and the tier's cap on priority. */
export function networkFeeUpTo(
  payer: Address,
  instructions: readonly Instruction[],
  tier: PriorityTier,
): bigint {
  const signers = new Set<Address>([payer]);
  for (const { accounts } of instructions) {
    for (const meta of accounts) if (meta.signer) signers.add(meta.address);
  }
  return networkFeeCap(tier, signers.size);
}
