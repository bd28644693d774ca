import { toBase58 } from '@tradepost/solana';
import { route } from '../../../platform/http/route.ts';
import { quotedOnly } from './dex-swap-quote.ts';
import { across, CODES, swapQuoteResponse, swapRequest, swapResponse } from './dex-swap-schema.ts';
import { feesData, quoteData } from './quote-data.ts';
import { SWAP_ERRORS } from './swap-errors.ts';
import { BUILT_SWAP, SWAP_BODY } from './swap-examples.ts';
import { builtOrThrow, signingRequestOf } from './swap-request.ts';

/** The best route as a transaction that the requester signs and submits. Nothing is submitted or stored here. */
export const dexSwap = route({
  act: 'reads',
  method: 'POST',
  scope: 'swap',
  idempotent: true,
  path: '/dex/swap',
  operationId: 'createSwapTransaction',
  summary: 'A swap transaction, ready to sign',
  description:
    'Finds the best route for exactly `amount`, simulates it on the present state of the chain and returns an unsigned transaction. The requester pays, signs and submits it (with preflightCommitment "confirmed": its blockhash is a recent one). A referrer is paid within the same transaction: in SOL when SOL is on either side, else in the bought token; a SOL fee that would leave the referrer below the rent-exempt minimum, or a token account that is missing, is refused.',
  input: { in: 'body', name: 'SwapRequest', schema: swapRequest },
  inputExample: SWAP_BODY,
  output: {
    name: 'SwapResponse',
    schema: swapResponse,
    example: {
      ...BUILT_SWAP,
      tx: '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaBCncVG7BFggS8w9snUts67BSh3EqKpXLUm5UMHfD7ZBe9GhARjbNQMLJ1QD3Spr6oMTBU6EhdB4RD8CP2xUxr2u3d6fos36PD98XS6oX8TQjLpsMwncs5DAMiD4nNnR8NBfyghGCWvCVifVwvA8B8TJxE1aiyiv2L429BCWfyzAme5sZW8rDb14NeCQHhZbtNqfXhcp2tAnaAT',
      txBase64: 'AQAAAAAAAAAA…',
      submitToken: 'mhq0wr5s.3oXh0n3o0lQW7pG1m4m8mVYQxJtqz0mYJYyq5gUq1iM',
    },
  },
  codes: CODES,
  errors: SWAP_ERRORS,
  across,
  fieldsOf: (input) => ({
    // First, so that a wallet given as a mint too is reported as the mint.
    [input.userWalletAddress]: 'userWalletAddress',
    [input.fromTokenAddress]: 'fromTokenAddress',
    [input.toTokenAddress]: 'toTokenAddress',
  }),
  handle: async (deps, input) => {
    const { value: result, cost } = await deps.rpcMeter.measure(() =>
      deps.buildSwap(signingRequestOf(deps, input)),
    );
    const swap = builtOrThrow(result, input);
    deps.log.debug({ quoteId: swap.quoteId, rpc: cost }, 'built a swap');
    return {
      ...quoteData(swap, cost),
      requester: swap.requester,
      tx: toBase58(swap.transaction),
      txBase64: Buffer.from(swap.transaction).toString('base64'),
      submitToken: deps.submissions.tokenOf(swap.transaction),
      signers: [...swap.signers],
      lastValidBlockHeight: swap.lastValidBlockHeight.toString(),
      fees: feesData(swap),
    };
  },
  variant: {
    parameter: 'quoteOnly',
    description:
      'The quote alone: nothing is simulated, no balance and no referrer is looked at, and the answer has no `tx`.',
    output: { name: 'SwapQuoteResponse', schema: swapQuoteResponse },
    handle: quotedOnly,
  },
});
