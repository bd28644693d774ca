import { type Address, SYSTEM_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import type { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { minimumOut } from '../../../core/amounts/bps.ts';
import {
  type Aggregator,
  type AggregatorAccounts,
  AggregatorError,
  type AggregatorOrder,
  type AggregatorTransaction,
} from '../../ports/aggregator.ts';
import type { Clock } from '../../ports/clock.ts';
import { ask } from '../shared/ask.ts';
import { checkQuote } from '../shared/check-quote.ts';
import type { ClientOptions } from '../shared/client.ts';
import { impactBps } from '../shared/fields.ts';
import { mergeHops } from '../shared/merge-hops.ts';
import { NO_ROUTE, quoteResponse, swapInstructionResponse } from './schema.ts';
import { type OkxKeys, signRequest } from './sign-request.ts';

/** Both routers that the API has named for Solana. */
const PROGRAMS = [
  address('6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma'),
  address('proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u'),
];
const SOLANA = '501';
/** Two pools name about this many accounts. */
const DIRECT_BELOW = 30;
const PATH = '/api/v6/dex/aggregator';

type OkxOptions = ClientOptions & { readonly keys: OkxKeys; readonly clock: Clock };

/** OKX's DEX aggregator, API v6, which needs a key. */
export function createOkx(options: OkxOptions): Aggregator {
  const { breaker } = options;
  return {
    name: 'okx',
    label: 'OKX DEX',
    programs: PROGRAMS,
    quote: (order) =>
      breaker(async () => {
        const result = await get(options, 'quote', order, {}, quoteResponse);
        if (result === null) return null;
        checkResult(order, result, null);
        return {
          amountIn: order.amountIn,
          amountOut: result.toTokenAmount,
          priceImpactBps: impactBps(Number(result.priceImpactPercent ?? '0') / 100),
          hops: mergeHops(
            result.dexRouterList.map(({ dexProtocol, fromToken, toToken }) => ({
              mintIn: mintOf(fromToken.tokenContractAddress),
              mintOut: mintOf(toToken.tokenContractAddress),
              parts: [{ name: dexProtocol.dexName, percent: Number(dexProtocol.percent) || 0 }],
            })),
          ),
          build: (accounts) => breaker(() => build(options, order, result.toTokenAmount, accounts)),
        };
      }),
  };
}

async function build(
  options: OkxOptions,
  order: AggregatorOrder,
  quotedOut: bigint,
  { user }: AggregatorAccounts,
): Promise<AggregatorTransaction> {
  const answer = await get(
    options,
    'swap-instruction',
    order,
    { userWalletAddress: user, slippagePercent: percent(order.slippageBps) },
    swapInstructionResponse,
  );
  if (answer === null) throw new AggregatorError('contradiction', 'the route is gone');
  const { routerResult, tx, instructionLists, addressLookupTableAccount } = answer;
  checkResult(order, routerResult, tx.minReceiveAmount);
  // It quotes anew: an instruction for less than was offered is another offer.
  if (
    routerResult.toTokenAmount < quotedOut ||
    tx.minReceiveAmount < minimumOut(quotedOut, order.slippageBps)
  ) {
    throw new AggregatorError('contradiction', 'the instruction promises less than the quote');
  }
  return {
    kind: 'instructions',
    instructions: instructionLists,
    lookupTables: addressLookupTableAccount ?? [],
  };
}

/** The one result, or null when OKX knows no route. */
async function get<T>(
  { baseUrl, timeoutMs, keys, clock }: OkxOptions,
  endpoint: string,
  order: AggregatorOrder,
  more: Readonly<Record<string, string>>,
  schema: z.ZodType<{ readonly code: string; readonly data?: readonly T[] }>,
): Promise<T | null> {
  const url = new URL(`${baseUrl}${PATH}/${endpoint}`);
  url.search = new URLSearchParams({
    chainIndex: SOLANA,
    amount: order.amountIn.toString(),
    // By its mint, so that it is wrapped SOL that is traded: wrapping is ours.
    fromTokenAddress: order.mintIn,
    toTokenAddress: order.mintOut,
    // It takes no number of accounts, but knows single pools.
    ...(order.maxAccounts < DIRECT_BELOW ? { directRoute: 'true' } : {}),
    ...more,
  }).toString();
  const headers = signRequest(keys, url, clock.now());
  const answer = await ask({ url, method: 'GET', headers, timeoutMs, schema });
  if (answer.kind === 'refused') throw new AggregatorError('status', `HTTP ${answer.status}`);
  const { code, data } = answer.value;
  if (code !== '0') {
    if (NO_ROUTE.includes(code)) return null;
    throw new AggregatorError('status', `code ${code.slice(0, 20)}`);
  }
  return data?.[0] ?? null;
}

type Result = Extract<z.infer<typeof quoteResponse>, { readonly code: '0' }>['data'][number];

function checkResult(order: AggregatorOrder, result: Result, minOut: bigint | null): void {
  checkQuote(order, {
    mintIn: mintOf(result.fromToken.tokenContractAddress),
    mintOut: mintOf(result.toToken.tokenContractAddress),
    amountIn: result.fromTokenAmount,
    amountOut: result.toTokenAmount,
    minOut,
  });
}

/** OKX may call native SOL by the system program's address. */
function mintOf(said: Address): Address {
  return said === SYSTEM_PROGRAM ? WSOL_MINT : said;
}

/** `50` bps → "0.5"; OKX refuses 100 %. */
function percent(bps: number): string {
  return (Math.min(bps, 9_999) / 100).toString();
}
