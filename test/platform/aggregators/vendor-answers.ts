import type { Instruction } from '@tradepost/solana';
import type { AggregatorOrder } from '../../../src/platform/ports/aggregator.ts';
import { addressOf } from '../../engine/intents/build.ts';

/** Well-formed answers of the vendors for an order, as their documents describe them. */
export const wireInstruction = ({ programId, accounts, data }: Instruction) => ({
  programId,
  accounts: accounts.map(({ address, signer, writable }) => ({
    pubkey: address,
    isSigner: signer,
    isWritable: writable,
  })),
  data: Buffer.from(data).toString('base64'),
});

export const jupiterQuote = (order: AggregatorOrder, out: bigint) => ({
  inputMint: order.mintIn,
  inAmount: order.amountIn.toString(),
  outputMint: order.mintOut,
  outAmount: out.toString(),
  otherAmountThreshold: ((out * BigInt(10_000 - order.slippageBps)) / 10_000n).toString(),
  swapMode: 'ExactIn',
  slippageBps: Number(order.slippageBps),
  platformFee: null,
  priceImpactPct: '0.0012',
  routePlan: (
    [
      ['Whirlpool', 60],
      ['Raydium CLMM', 40],
    ] as const
  ).map(([label, percent]) => ({
    swapInfo: {
      ammKey: addressOf(150),
      label,
      inputMint: order.mintIn,
      outputMint: order.mintOut,
      inAmount: '1',
      outAmount: '1',
      feeAmount: '0',
      feeMint: order.mintIn,
    },
    percent,
  })),
  contextSlot: 1,
  timeTaken: 0.01,
});

export const jupiterInstructions = (
  swap: Instruction,
  more: { readonly setup?: readonly Instruction[]; readonly tables?: readonly string[] } = {},
) => ({
  computeBudgetInstructions: [],
  setupInstructions: (more.setup ?? []).map(wireInstruction),
  swapInstruction: wireInstruction(swap),
  cleanupInstruction: null,
  addressLookupTableAddresses: more.tables ?? [],
});

/** A `route` of Jupiter v6: an empty plan, then amount, quote, slippage and platform fee. */
export function jupiterRouteData(
  amountIn: bigint,
  quotedOut: bigint,
  slippageBps: number,
  feeBps = 0,
): Uint8Array {
  const data = Buffer.alloc(8 + 4 + 19);
  Buffer.from('e517cb977ae3ad2a', 'hex').copy(data);
  data.writeBigUInt64LE(amountIn, 12);
  data.writeBigUInt64LE(quotedOut, 20);
  data.writeUInt16LE(slippageBps, 28);
  data.writeUInt8(feeBps, 30);
  return new Uint8Array(data);
}

export function okxRouter(order: AggregatorOrder, out: bigint) {
  const token = (tokenContractAddress: string) => ({ tokenContractAddress, tokenSymbol: 'T', decimal: '6' });
  return {
    chainIndex: '501',
    fromToken: token(order.mintIn),
    toToken: token(order.mintOut),
    fromTokenAmount: order.amountIn.toString(),
    toTokenAmount: out.toString(),
    tradeFee: '0.01',
    estimateGasFee: '5000',
    priceImpactPercent: '-0.25',
    dexRouterList: [
      {
        dexProtocol: { dexName: 'Meteora DLMM', percent: '100' },
        fromToken: token(order.mintIn),
        toToken: token(order.mintOut),
      },
    ],
  };
}

export const okx = (data: unknown) => ({ code: '0', msg: '', data: [data] });

export const okxInstructions = (
  order: AggregatorOrder,
  out: bigint,
  user: string,
  instructions: readonly Instruction[],
) =>
  okx({
    addressLookupTableAccount: [],
    instructionLists: instructions.map(wireInstruction),
    routerResult: okxRouter(order, out),
    tx: { from: user, to: addressOf(151), minReceiveAmount: out.toString(), slippagePercent: '0.5' },
  });

export const raydiumCompute = (order: AggregatorOrder, out: bigint) => ({
  id: 'q1',
  success: true,
  version: 'V1',
  data: {
    swapType: 'BaseIn',
    inputMint: order.mintIn,
    inputAmount: order.amountIn.toString(),
    outputMint: order.mintOut,
    outputAmount: out.toString(),
    otherAmountThreshold: out.toString(),
    slippageBps: Number(order.slippageBps),
    priceImpactPct: 0.12,
    routePlan: [
      {
        poolId: addressOf(152),
        inputMint: order.mintIn,
        outputMint: order.mintOut,
        feeMint: order.mintIn,
        feeRate: 25,
        feeAmount: '1',
      },
    ],
  },
});

export const raydiumTransactions = (...wires: readonly Uint8Array[]) => ({
  id: 't1',
  version: 'V0',
  success: true,
  data: wires.map((wire) => ({ transaction: Buffer.from(wire).toString('base64') })),
});
