import { address } from '../../../core/address/address.ts';
import {
  type Aggregator,
  type AggregatorAccounts,
  AggregatorError,
  type AggregatorTransaction,
} from '../../ports/aggregator.ts';
import { ask } from '../shared/ask.ts';
import { checkQuote } from '../shared/check-quote.ts';
import type { ClientOptions } from '../shared/client.ts';
import { impactBps } from '../shared/fields.ts';
import { mergeHops } from '../shared/merge-hops.ts';
import { computeResponse, NO_ROUTE, transactionResponse } from './schema.ts';
import { unsignedMessage } from './unsigned-message.ts';

/** Raydium's router for several hops, and the three programs of its pools for one. */
const PROGRAMS = [
  address('routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS'),
  address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'),
  address('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'),
  address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'),
];
const VERSION = 'V0';

type Asked = Pick<ClientOptions, 'baseUrl' | 'timeoutMs'>;

/** Raydium's trade API: it answers with whole transactions, which are decoded here. Needs no key. */
export function createRaydium(options: ClientOptions): Aggregator {
  const { baseUrl, timeoutMs, breaker } = options;
  return {
    name: 'raydium',
    label: 'Raydium',
    programs: PROGRAMS,
    quote: (order) =>
      breaker(async () => {
        const url = new URL(`${baseUrl}/compute/swap-base-in`);
        url.search = new URLSearchParams({
          inputMint: order.mintIn,
          outputMint: order.mintOut,
          amount: order.amountIn.toString(),
          slippageBps: order.slippageBps.toString(),
          txVersion: VERSION,
        }).toString();
        const answer = await ask({ url, method: 'GET', timeoutMs, schema: computeResponse });
        if (answer.kind === 'refused') throw new AggregatorError('status', `HTTP ${answer.status}`);
        const { value, raw } = answer;
        if (!value.success) {
          if (NO_ROUTE.test(value.msg ?? '')) return null;
          throw new AggregatorError('status', 'it says that it failed');
        }
        const { data } = value;
        checkQuote(order, {
          mintIn: data.inputMint,
          mintOut: data.outputMint,
          amountIn: data.inputAmount,
          amountOut: data.outputAmount,
          minOut: data.otherAmountThreshold,
        });
        return {
          amountIn: order.amountIn,
          amountOut: data.outputAmount,
          priceImpactBps: impactBps(data.priceImpactPct / 100),
          hops: mergeHops(
            data.routePlan.map(({ inputMint, outputMint }) => ({
              mintIn: inputMint,
              mintOut: outputMint,
              parts: [{ name: 'Raydium', percent: 100 }],
            })),
          ),
          build: (accounts) => breaker(() => build(options, raw, accounts)),
        };
      }),
  };
}

async function build(
  { baseUrl, timeoutMs }: Asked,
  swapResponse: unknown,
  { user, source, destination }: AggregatorAccounts,
): Promise<AggregatorTransaction> {
  const answer = await ask({
    url: new URL(`${baseUrl}/transaction/swap-base-in`),
    method: 'POST',
    timeoutMs,
    schema: transactionResponse,
    body: {
      computeUnitPriceMicroLamports: '1',
      swapResponse,
      txVersion: VERSION,
      wallet: user,
      // Wrapping is ours: the request names token accounts on both sides.
      wrapSol: false,
      unwrapSol: false,
      inputAccount: source,
      outputAccount: destination,
    },
  });
  if (answer.kind === 'refused' || !answer.value.success) {
    throw new AggregatorError('status', 'it gives no transaction');
  }
  const [first, ...rest] = answer.value.data;
  // Several transactions are not one trade: the first could land alone.
  if (first === undefined || rest.length > 0) {
    throw new AggregatorError('contradiction', 'the swap takes several transactions');
  }
  return { kind: 'message', bytes: unsignedMessage(first.transaction) };
}
