import { z } from 'zod';
import type { RpcCost } from '../../../platform/ports/rpc-meter.ts';
import { unitsText } from '../../market/api/fields.ts';
import type { BuiltSwap } from '../use/build-swap.ts';
import type { PricedTrade } from '../use/price-route.ts';
import type { SwapQuote } from '../use/quote-swap.ts';
import type { SwapWarning } from '../use/swap-warnings.ts';

const routerSchema = z
  .object({
    router: z.string().describe('name of the router used'),
    subRouters: z.array(
      z.object({
        protocol: z.array(
          z.object({
            name: z.string().describe('protocol name'),
            percent: z.string().describe('contribution in percent of the amount sold here, a whole number'),
          }),
        ),
        fromTokenAddress: z.string(),
        toTokenAddress: z.string(),
      }),
    ),
  })
  .describe(
    'the path and how the amount is divided: one entry per pair of tokens traded, in order of execution',
  );

/** The common fields of the answers to a quote and a swap. */
export const quoteShape = {
  bestRouter: routerSchema,
  fromTokenAddress: z.string().describe('token sold'),
  toTokenAddress: z.string().describe('token bought'),
  fromTokenAmount: unitsText('input amount to be sold'),
  toTokenAmount: unitsText('resulting amount to be bought, after every fee'),
  maxSpendAmount: unitsText('the most that is sold; the input is exact'),
  minReceiveAmount: unitsText('the least that is received: what the instructions enforce'),
  slippage: z.string().describe('allowed slippage in bps'),
  requestAmount: unitsText('the requested amount, of the bought token with swapMode exactOut'),
  priceImpactPct: z.string().describe('how far the size alone worsens the rate, in percent'),
  remainders: z
    .array(z.object({ tokenAddress: z.string(), amount: unitsText('the amount left in the wallet') }))
    .describe(
      'what a route through other tokens leaves in them by the quote: each hop spends what the one before surely brings',
    ),
  expiresAt: z.string().describe('ISO 8601 UTC; until about then the answer is usable'),
  contextSlot: z.string().describe('slot of the oldest state the quote rests on'),
  quoteId: z.string(),
  rpc: z
    .object({ calls: z.int().min(0), accounts: z.int().min(0), followed: z.int().min(1).optional() })
    .describe(
      'what this answer cost at the chain’s nodes: calls made for it and accounts read by them; `followed` counts accounts that were known by subscription instead',
    ),
  coverage: z
    .literal('partial')
    .optional()
    .describe('only where a venue could not be asked: asked again, the answer may be better'),
  venuesNotAsked: z.array(z.string()).optional().describe('which venues those are'),
  better: z
    .object({
      version: z.literal(1),
      toTokenAmount: unitsText('what `maxTransactionVersion` 1 would bring, after every fee'),
    })
    .optional()
    .describe('only where a transaction of version 1 would bring at least 0.1 % more'),
  warnings: z.array(
    z.object({
      code: z.enum(['PRICE_IMPACT', 'HIGH_SLIPPAGE', 'SIMULATION_DIFFERS', 'TOKEN_RISK']),
      message: z.string(),
    }),
  ),
} as const;

/** The errors of a quote. */
export const QUOTE_ERRORS = [
  'SAME_TOKEN',
  'TOKEN_NOT_FOUND',
  'TOKEN_ACCOUNT_NOT_MINT',
  'TOKEN_NOT_TRANSFERABLE',
  'NO_ROUTE',
  'SEARCHING',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_ABOVE_DEPTH',
  'AMOUNT_DUST',
  'ROUTE_TOO_LARGE',
  'PRICE_MOVED',
] as const;

const ROUTER = 'tradepost';

export function quoteData(quote: SwapQuote, rpc: RpcCost): z.infer<z.ZodObject<typeof quoteShape>> {
  const { priced, request } = quote;
  const { route } = priced;
  const amount = request.amount.toString();
  return {
    bestRouter: routerOf(priced),
    fromTokenAddress: route.mintIn,
    toTokenAddress: route.mintOut,
    fromTokenAmount: amount,
    toTokenAmount: priced.amountOut.toString(),
    maxSpendAmount: amount,
    minReceiveAmount: priced.minOut.toString(),
    slippage: request.slippageBps.toString(),
    requestAmount: (request.wanted ?? request.amount).toString(),
    priceImpactPct: percentText(route.priceImpactBps),
    remainders: route.remainders.map(({ mint, units }) => ({ tokenAddress: mint, amount: units.toString() })),
    expiresAt: new Date(quote.expiresAt).toISOString(),
    contextSlot: quote.slot.toString(),
    quoteId: quote.quoteId,
    rpc,
    ...(quote.unasked.length === 0 ? {} : { coverage: 'partial', venuesNotAsked: [...quote.unasked] }),
    ...betterData(quote),
    warnings: quote.warnings.map((warning) => ({ code: warning.code, message: warningText(warning) })),
  };
}

function betterData({ better }: SwapQuote): Pick<z.infer<z.ZodObject<typeof quoteShape>>, 'better'> {
  return better === undefined ? {} : { better: { version: 1, toTokenAmount: better.amountOut.toString() } };
}

/** What a built swap costs, as its answer says it. */
export function feesData({ fees }: Pick<BuiltSwap, 'fees'>) {
  return {
    networkFeeLamports: fees.networkLamports.toString(),
    newAccountRentLamports: fees.newAccountRentLamports.toString(),
    returnedRentLamports: fees.returnedRentLamports.toString(),
    referrerFee: fees.referrerUnits.toString(),
    referrerFeeSent: fees.referrerSent.toString(),
    referrerFeeTokenAddress: fees.referrerMint,
    tipLamports: fees.tipLamports.toString(),
  };
}

function routerOf({ route }: PricedTrade): z.infer<typeof routerSchema> {
  if (route.aggregator !== undefined) {
    return {
      router: route.aggregator.label,
      subRouters: route.aggregator.hops.map(({ mintIn, mintOut, parts }) => ({
        protocol: parts.map(({ name, percent }) => ({ name, percent: Math.round(percent).toString() })),
        fromTokenAddress: mintIn,
        toTokenAddress: mintOut,
      })),
    };
  }
  const pairs = new Map(route.legs.map((leg) => [`${leg.mintIn} ${leg.mintOut}`, leg]));
  return {
    router: ROUTER,
    subRouters: [...pairs.values()].map(({ mintIn, mintOut }) => ({
      protocol: route.legs
        .filter((leg) => leg.mintIn === mintIn && leg.mintOut === mintOut)
        .map(({ pool, shareBps }) => ({ name: pool.label, percent: (shareBps / 100).toString() })),
      fromTokenAddress: mintIn,
      toTokenAddress: mintOut,
    })),
  };
}

/** `123` bps → "1.23". */
function percentText(bps: number): string {
  return `${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;
}

function warningText(warning: SwapWarning): string {
  switch (warning.code) {
    case 'PRICE_IMPACT':
      return `the size of this swap worsens the rate by ${percentText(warning.impactBps)} %`;
    case 'HIGH_SLIPPAGE':
      return `a slippage of ${percentText(warning.slippageBps)} % invites others to trade at your expense`;
    case 'SIMULATION_DIFFERS':
      return `the simulation brought ${warning.simulatedAmount} units: the pools moved after the quote`;
    case 'TOKEN_RISK':
      return `the bought token: ${warning.warning}`;
  }
}
