import type { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { route } from '../../../platform/http/route.ts';
import { across, CODES, type SwapInput, swapQuoteResponse, swapRequest } from './dex-swap-schema.ts';
import { quoteData } from './quote-data.ts';
import { SWAP_QUOTE_ERRORS } from './swap-errors.ts';
import { SWAP_BODY, WALLET_QUOTE } from './swap-examples.ts';
import { requestOf, signingRequestOf } from './swap-request.ts';

type Quoting = Pick<ApiDeps, 'venues' | 'senders' | 'rpcMeter' | 'quoteSwap' | 'log'>;

/** The quote of a swap of a wallet that signs by itself: no balance, no receiver and no fee payer is looked at. */
export async function quotedOnly(
  deps: Quoting,
  input: SwapInput,
): Promise<z.infer<typeof swapQuoteResponse>> {
  return quoted(deps, signingRequestOf(deps, input));
}

async function quoted(
  deps: Quoting,
  { user, referrer, priority: _fee, livesBlocks: _life, ...request }: ReturnType<typeof requestOf>,
): Promise<z.infer<typeof swapQuoteResponse>> {
  const { value, cost } = await deps.rpcMeter.measure(() => deps.quoteSwap(request, referrer?.feeBps));
  deps.log.debug({ quoteId: value.quoteId, rpc: cost }, 'quoted');
  return { ...quoteData(value, cost), requester: user };
}

/** What the swap of the same body would bring now. */
export const dexSwapQuote = route({
  act: 'reads',
  method: 'POST',
  scope: 'swap',
  path: '/dex/swap/quote',
  operationId: 'quoteSwapRequest',
  summary: 'What a swap of the same body would bring',
  description:
    'Takes the body of `POST /dex/swap` with all its options and gives the quote alone: nothing is simulated, no balance, referrer, receiver or fee payer is looked at, and there is no transaction. `userWalletAddress` may be an address that a program derives.',
  input: { in: 'body', name: 'SwapQuoteRequest', schema: swapRequest },
  inputExample: SWAP_BODY,
  output: {
    name: 'SwapQuoteResponse',
    schema: swapQuoteResponse,
    example: WALLET_QUOTE,
  },
  codes: CODES,
  errors: SWAP_QUOTE_ERRORS,
  across,
  fieldsOf: (input) => ({
    [input.fromTokenAddress]: 'fromTokenAddress',
    [input.toTokenAddress]: 'toTokenAddress',
  }),
  handle: (deps, input) => quoted(deps, requestOf(deps, input)),
});
