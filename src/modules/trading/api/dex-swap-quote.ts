import type { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { route } from '../../../platform/http/route.ts';
import { across, CODES, type SwapInput, swapQuoteResponse, swapRequest } from './dex-swap-schema.ts';
import { quoteData } from './quote-data.ts';
import { SWAP_QUOTE_ERRORS } from './swap-errors.ts';
import { requestOf, signingRequestOf } from './swap-request.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

type Quoting = Pick<ApiDeps, 'venues' | 'rpcMeter' | 'quoteSwap' | 'log'>;

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
  inputExample: {
    userWalletAddress: WALLET,
    amount: '1000000000',
    fromTokenAddress: SOL,
    toTokenAddress: USDC,
    slippageBps: 500,
  },
  output: {
    name: 'SwapQuoteResponse',
    schema: swapQuoteResponse,
    example: {
      bestRouter: {
        router: 'tradepost',
        subRouters: [
          {
            protocol: [{ name: 'Orca Whirlpool', percent: '100' }],
            fromTokenAddress: SOL,
            toTokenAddress: USDC,
          },
        ],
      },
      requester: WALLET,
      fromTokenAddress: SOL,
      toTokenAddress: USDC,
      fromTokenAmount: '1000000000',
      toTokenAmount: '149551234',
      maxSpendAmount: '1000000000',
      minReceiveAmount: '142073673',
      slippage: '500',
      requestAmount: '1000000000',
      priceImpactPct: '0.12',
      remainders: [],
      expiresAt: '2026-01-01T00:00:10.000Z',
      contextSlot: '345678901',
      quoteId: '01J8ZQ6Y7V3M9T2K4C5D6E7F8G',
      rpc: { calls: 3, accounts: 41 },
      warnings: [],
    },
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
