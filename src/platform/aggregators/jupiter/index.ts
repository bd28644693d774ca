import type { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import {
  type Aggregator,
  type AggregatorAccounts,
  AggregatorError,
  type AggregatorHop,
  type AggregatorOrder,
  type AggregatorQuote,
  type AggregatorTransaction,
} from '../../ports/aggregator.ts';
import { ask } from '../shared/ask.ts';
import { checkQuote } from '../shared/check-quote.ts';
import type { ClientOptions } from '../shared/client.ts';
import { impactBps } from '../shared/fields.ts';
import { mergeHops } from '../shared/merge-hops.ts';
import { NO_ROUTE, quoteResponse, swapInstructionsResponse } from './schema.ts';
import { swapTerms } from './swap-terms.ts';

const PROGRAM = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

type Asked = Pick<ClientOptions, 'baseUrl' | 'timeoutMs'> & {
  readonly headers: Readonly<Record<string, string>>;
};

type Quoted = {
  readonly order: AggregatorOrder;
  readonly quotedOut: bigint;
  readonly raw: unknown;
  readonly offer: Omit<AggregatorQuote, 'build'>;
};

/** Jupiter's Swap API v1: keyless on the lite host, or with a key. */
export function createJupiter(options: ClientOptions & { readonly apiKey: string | null }): Aggregator {
  const { baseUrl, timeoutMs, breaker, apiKey } = options;
  const asked: Asked = { baseUrl, timeoutMs, headers: apiKey === null ? {} : { 'x-api-key': apiKey } };
  return {
    name: 'jupiter',
    label: 'Jupiter',
    programs: [PROGRAM],
    quote: (order) =>
      breaker(async () => {
        const quoted = await askQuote(asked, order);
        if (quoted === null) return null;
        return { ...quoted.offer, build: (accounts) => breaker(() => build(asked, quoted, accounts)) };
      }),
  };
}

/** Null when it knows no route. */
async function askQuote(
  { baseUrl, timeoutMs, headers }: Asked,
  order: AggregatorOrder,
): Promise<Quoted | null> {
  const url = new URL(`${baseUrl}/quote`);
  url.search = new URLSearchParams({
    inputMint: order.mintIn,
    outputMint: order.mintOut,
    amount: order.amountIn.toString(),
    slippageBps: order.slippageBps.toString(),
    swapMode: 'ExactIn',
    maxAccounts: order.maxAccounts.toString(),
    restrictIntermediateTokens: 'true',
  }).toString();
  const answer = await ask({ url, method: 'GET', headers, timeoutMs, schema: quoteResponse });
  if (answer.kind === 'refused') {
    if (NO_ROUTE.test(answer.body)) return null;
    throw new AggregatorError('status', `HTTP ${answer.status}`);
  }
  const { value: quote, raw } = answer;
  checkQuote(order, {
    mintIn: quote.inputMint,
    mintOut: quote.outputMint,
    amountIn: quote.inAmount,
    amountOut: quote.outAmount,
    minOut: quote.otherAmountThreshold,
  });
  if ((quote.platformFee?.feeBps ?? 0) !== 0) {
    throw new AggregatorError('contradiction', 'a platform fee that nobody asked for');
  }
  return {
    order,
    quotedOut: quote.outAmount,
    raw,
    offer: {
      amountIn: order.amountIn,
      amountOut: quote.outAmount,
      priceImpactBps: impactBps(Number(quote.priceImpactPct)),
      hops: hopsOf(quote.routePlan),
    },
  };
}

async function build(
  { baseUrl, timeoutMs, headers }: Asked,
  { order, quotedOut, raw }: Quoted,
  { user, destination }: AggregatorAccounts,
): Promise<AggregatorTransaction> {
  const answer = await ask({
    url: new URL(`${baseUrl}/swap-instructions`),
    method: 'POST',
    headers,
    timeoutMs,
    schema: swapInstructionsResponse,
    body: {
      userPublicKey: user,
      quoteResponse: raw,
      // Wrapping is ours; a shared account of the program spares accounts of the trader's for intermediate tokens.
      wrapAndUnwrapSol: false,
      useSharedAccounts: true,
      destinationTokenAccount: destination,
      skipUserAccountsRpcCalls: true,
    },
  });
  if (answer.kind === 'refused') throw new AggregatorError('status', `HTTP ${answer.status}`);
  const { value } = answer;
  const terms = swapTerms(value.swapInstruction.data);
  if (
    terms === null ||
    terms.amountIn !== order.amountIn ||
    terms.quotedOut < quotedOut ||
    terms.slippageBps > order.slippageBps ||
    terms.platformFeeBps !== 0
  ) {
    throw new AggregatorError('contradiction', 'the instruction does not promise what the quote says');
  }
  return {
    kind: 'instructions',
    instructions: [
      ...(value.tokenLedgerInstruction ? [value.tokenLedgerInstruction] : []),
      ...(value.otherInstructions ?? []),
      ...value.setupInstructions,
      value.swapInstruction,
      ...(value.cleanupInstruction ? [value.cleanupInstruction] : []),
    ],
    lookupTables: value.addressLookupTableAddresses,
  };
}

type Step = z.infer<typeof quoteResponse>['routePlan'][number];

/** Steps between the same two tokens are one hop that is divided. */
function hopsOf(plan: readonly Step[]): readonly AggregatorHop[] {
  return mergeHops(
    plan.map(({ swapInfo, percent, bps }) => ({
      mintIn: swapInfo.inputMint,
      mintOut: swapInfo.outputMint,
      parts: [{ name: swapInfo.label ?? 'Jupiter', percent: percent ?? (bps ?? 0) / 100 }],
    })),
  );
}
