import { z } from 'zod';
import { addressField, base64Field, unitsField } from '../shared/fields.ts';

/** The parts of Raydium's trade API that are read, by its public examples (`/compute/swap-base-in`, `/transaction/swap-base-in`). */
export const computeResponse = z.union([
  z.looseObject({
    success: z.literal(true),
    data: z.looseObject({
      swapType: z.literal('BaseIn'),
      inputMint: addressField,
      inputAmount: unitsField,
      outputMint: addressField,
      outputAmount: unitsField,
      otherAmountThreshold: unitsField,
      slippageBps: z.number().min(0).max(10_000),
      priceImpactPct: z.number(),
      routePlan: z
        .array(z.looseObject({ poolId: addressField, inputMint: addressField, outputMint: addressField }))
        .min(1)
        .max(8),
    }),
  }),
  z.looseObject({ success: z.literal(false), msg: z.string().optional() }),
]);

export const transactionResponse = z.union([
  z.looseObject({
    success: z.literal(true),
    data: z
      .array(z.object({ transaction: base64Field }))
      .min(1)
      .max(4),
  }),
  z.looseObject({ success: z.literal(false), msg: z.string().optional() }),
]);

export const NO_ROUTE = /ROUTE_NOT_FOUND|NO_ROUTE|INSUFFICIENT_LIQUIDITY/i;
