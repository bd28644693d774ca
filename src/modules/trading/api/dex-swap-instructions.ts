import type { Instruction } from '@tradepost/solana';
import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { EVERY_WAY } from '../rules/route-filter.ts';
import { SWAP_GROUPS, type SwapGroup } from '../use/assemble-trade.ts';
import { across, CODES, swapFees, swapQuoteResponse, swapRequest } from './dex-swap-schema.ts';
import { feesData, quoteData } from './quote-data.ts';
import { SWAP_ERRORS } from './swap-errors.ts';
import { BUILT_SWAP, SWAP_BODY } from './swap-examples.ts';
import { builtOrThrow, requestOf } from './swap-request.ts';

const instruction = z.object({
  programId: z.string(),
  accounts: z.array(z.object({ address: z.string(), signer: z.boolean(), writable: z.boolean() })),
  data: z.string().describe('base64'),
});
const group = (description: string) => z.array(instruction).describe(description);

const response = z.object({
  ...swapQuoteResponse.shape,
  computeBudget: group('limit and price of the compute units, as the whole was simulated'),
  feesIn: group('the referrer’s part of SOL that is sold'),
  setup: group('accounts that are opened, and SOL that is wrapped'),
  swap: group('the swaps'),
  cleanup: group('accounts that are closed again'),
  feesOut: group('the referrer’s part of what was bought'),
  tip: group('the tip to `sender`; empty where none was asked for'),
  lookupTables: z
    .array(z.object({ address: z.string(), addresses: z.array(z.string()) }))
    .describe('tables without which the whole may not fit a transaction, with their contents'),
  blockhash: z.string(),
  lastValidBlockHeight: z.string().describe('the blockhash is taken up to this block height'),
  signers: z
    .array(z.string())
    .describe('who must sign: the fee payer first where that is another wallet, and the requester'),
  fees: swapFees,
});

/** The same swap as instructions, for a program that makes the transaction itself. */
export const dexSwapInstructions = route({
  act: 'reads',
  method: 'POST',
  scope: 'swap',
  path: '/dex/swap/instructions',
  operationId: 'createSwapInstructions',
  summary: 'A swap as instructions, in groups',
  description:
    'The swap of `POST /dex/swap` for a caller that makes the transaction: a multisig vault, or a program that adds instructions of its own. The groups run in the order `computeBudget`, `feesIn`, `setup`, `swap`, `cleanup`, `feesOut`, `tip`; a group may be empty, and none may be left out. The whole was simulated and judged as one transaction before it was handed out. `userWalletAddress` may be an address that a program derives. Venues that must co-sign and aggregators are left out.',
  input: { in: 'body', name: 'SwapInstructionsRequest', schema: swapRequest },
  inputExample: SWAP_BODY,
  output: {
    name: 'SwapInstructionsResponse',
    schema: response,
    example: {
      ...BUILT_SWAP,
      computeBudget: [
        { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: 'AkANAwA=' },
      ],
      feesIn: [],
      setup: [],
      swap: [],
      cleanup: [],
      feesOut: [],
      tip: [],
      lookupTables: [],
      blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
    },
  },
  codes: CODES,
  errors: SWAP_ERRORS,
  across,
  fieldsOf: (input) => ({
    [input.userWalletAddress]: 'userWalletAddress',
    [input.fromTokenAddress]: 'fromTokenAddress',
    [input.toTokenAddress]: 'toTokenAddress',
  }),
  handle: async (deps, input) => {
    const asked = requestOf(deps, input);
    const request = { ...asked, filter: { ...EVERY_WAY, ...asked.filter, withoutCoSign: true } };
    const { value, cost } = await deps.rpcMeter.measure(() => deps.buildSwap(request));
    const swap = builtOrThrow(value, input);
    deps.log.debug({ quoteId: swap.quoteId, rpc: cost }, 'built a swap as instructions');
    const of = (name: SwapGroup) =>
      swap.parts.filter((part) => part.group === name).map((part) => instructionData(part.instruction));
    const [computeBudget, feesIn, setup, swaps, cleanup, feesOut, tip] = SWAP_GROUPS.map(of);
    return {
      ...quoteData(swap, cost),
      requester: swap.requester,
      computeBudget,
      feesIn,
      setup,
      swap: swaps,
      cleanup,
      feesOut,
      tip,
      lookupTables: swap.lookupTables.map(({ address, entries }) => ({ address, addresses: [...entries] })),
      blockhash: swap.blockhash,
      lastValidBlockHeight: swap.lastValidBlockHeight.toString(),
      signers: [...swap.signers],
      fees: feesData(swap),
    };
  },
});

function instructionData({ programId, accounts, data }: Instruction) {
  return {
    programId,
    accounts: accounts.map(({ address, signer, writable }) => ({ address, signer, writable })),
    data: Buffer.from(data).toString('base64'),
  };
}
