import { z } from 'zod';

/**
 * What the vendors publish about their interfaces, written down anew: which parameters a request may have and which fields an
 * answer has. The stubs hold every request and every well-meant answer of theirs against this, so that neither the product
 * nor the tests drift into an interface that nobody serves. Read from: Jupiter's OpenAPI description of the Swap API
 * (QuoteResponse, SwapRequest, SwapInstructionsResponse), OKX's DEX API reference v6 (quote, swap-instruction, signing),
 * Raydium's public example of its trade API.
 */
const base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const digits = z.string().regex(/^\d+$/);
const flag = z.enum(['true', 'false']);
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);

const instruction = z.strictObject({
  programId: base58,
  accounts: z.array(z.strictObject({ pubkey: base58, isSigner: z.boolean(), isWritable: z.boolean() })),
  data: base64,
});

const jupiterQuote = z.strictObject({
  inputMint: base58,
  inAmount: digits,
  outputMint: base58,
  outAmount: digits,
  otherAmountThreshold: digits,
  swapMode: z.enum(['ExactIn', 'ExactOut']),
  slippageBps: z.int(),
  platformFee: z.strictObject({ amount: digits, feeBps: z.int() }).nullable().optional(),
  priceImpactPct: z.string(),
  routePlan: z.array(
    z.strictObject({
      swapInfo: z.strictObject({
        ammKey: base58,
        label: z.string().optional(),
        inputMint: base58,
        outputMint: base58,
        inAmount: digits,
        outAmount: digits,
        feeAmount: digits,
        feeMint: base58,
      }),
      percent: z.int(),
    }),
  ),
  contextSlot: z.number().optional(),
  timeTaken: z.number().optional(),
});

const okxToken = z.looseObject({ tokenContractAddress: base58, tokenSymbol: z.string(), decimal: digits });
const okxRouter = z.looseObject({
  chainIndex: z.literal('501'),
  fromToken: okxToken,
  toToken: okxToken,
  fromTokenAmount: digits,
  toTokenAmount: digits,
  tradeFee: z.string(),
  estimateGasFee: z.string(),
  priceImpactPercent: z.string(),
  dexRouterList: z.array(
    z.looseObject({
      dexProtocol: z.strictObject({ dexName: z.string(), percent: z.string() }),
      fromToken: okxToken,
      toToken: okxToken,
    }),
  ),
});
const okxOrder = {
  chainIndex: z.literal('501'),
  amount: digits,
  fromTokenAddress: base58,
  toTokenAddress: base58,
  directRoute: flag.optional(),
};
const okxEnvelope = <T extends z.ZodType>(data: T) =>
  z.strictObject({ code: z.string(), msg: z.string(), data: z.array(data) });

const raydiumCompute = z.strictObject({
  id: z.string(),
  success: z.literal(true),
  version: z.enum(['V0', 'V1']),
  data: z.strictObject({
    swapType: z.enum(['BaseIn', 'BaseOut']),
    inputMint: base58,
    inputAmount: digits,
    outputMint: base58,
    outputAmount: digits,
    otherAmountThreshold: digits,
    slippageBps: z.number(),
    priceImpactPct: z.number(),
    routePlan: z.array(
      z.strictObject({
        poolId: base58,
        inputMint: base58,
        outputMint: base58,
        feeMint: base58,
        feeRate: z.number(),
        feeAmount: digits,
      }),
    ),
  }),
});

type Fact = { readonly query?: z.ZodType; readonly body?: z.ZodType; readonly answer: z.ZodType };

/** By method and path. */
export const VENDOR_FACTS: Readonly<Record<string, Fact>> = {
  'GET /swap/v1/quote': {
    query: z.strictObject({
      inputMint: base58,
      outputMint: base58,
      amount: digits,
      slippageBps: digits.optional(),
      swapMode: z.enum(['ExactIn', 'ExactOut']).optional(),
      dexes: z.string().optional(),
      excludeDexes: z.string().optional(),
      restrictIntermediateTokens: flag.optional(),
      onlyDirectRoutes: flag.optional(),
      asLegacyTransaction: flag.optional(),
      platformFeeBps: digits.optional(),
      maxAccounts: digits.optional(),
    }),
    answer: jupiterQuote,
  },
  'POST /swap/v1/swap-instructions': {
    body: z.strictObject({
      userPublicKey: base58,
      quoteResponse: jupiterQuote,
      wrapAndUnwrapSol: z.boolean().optional(),
      useSharedAccounts: z.boolean().optional(),
      destinationTokenAccount: base58.optional(),
      skipUserAccountsRpcCalls: z.boolean().optional(),
    }),
    answer: z.strictObject({
      tokenLedgerInstruction: instruction.nullable().optional(),
      otherInstructions: z.array(instruction).optional(),
      computeBudgetInstructions: z.array(instruction),
      setupInstructions: z.array(instruction),
      swapInstruction: instruction,
      cleanupInstruction: instruction.nullable().optional(),
      addressLookupTableAddresses: z.array(base58),
    }),
  },
  'GET /api/v6/dex/aggregator/quote': {
    query: z.strictObject(okxOrder),
    answer: okxEnvelope(okxRouter),
  },
  'GET /api/v6/dex/aggregator/swap-instruction': {
    query: z.strictObject({
      ...okxOrder,
      userWalletAddress: base58,
      // Below 100 on Solana.
      slippagePercent: z.string().refine((text) => Number(text) >= 0 && Number(text) < 100),
    }),
    answer: okxEnvelope(
      z.strictObject({
        addressLookupTableAccount: z.array(base58),
        instructionLists: z.array(instruction),
        routerResult: okxRouter,
        tx: z.looseObject({
          from: base58,
          to: base58,
          minReceiveAmount: digits,
          slippagePercent: z.string(),
        }),
      }),
    ),
  },
  'GET /compute/swap-base-in': {
    query: z.strictObject({
      inputMint: base58,
      outputMint: base58,
      amount: digits,
      slippageBps: digits,
      txVersion: z.enum(['V0', 'LEGACY']),
    }),
    answer: raydiumCompute,
  },
  'POST /transaction/swap-base-in': {
    body: z.strictObject({
      computeUnitPriceMicroLamports: digits,
      swapResponse: raydiumCompute,
      txVersion: z.enum(['V0', 'LEGACY']),
      wallet: base58,
      wrapSol: z.boolean(),
      unwrapSol: z.boolean(),
      inputAccount: base58.optional(),
      outputAccount: base58.optional(),
    }),
    answer: z.strictObject({
      id: z.string(),
      version: z.enum(['V0', 'V1', 'LEGACY']),
      success: z.literal(true),
      data: z.array(z.strictObject({ transaction: base64 })),
    }),
  },
};
