import { z } from 'zod';
import { addressField, instructionField, labelField, unitsField } from '../shared/fields.ts';

/**
 * The parts of Jupiter's Swap API v1 that are read, by its public OpenAPI description (`/quote`, `/swap-instructions`).
 * The quote is handed back as it came, so unknown fields are kept in `raw`.
 */
export const quoteResponse = z.looseObject({
  inputMint: addressField,
  inAmount: unitsField,
  outputMint: addressField,
  outAmount: unitsField,
  otherAmountThreshold: unitsField,
  swapMode: z.literal('ExactIn'),
  slippageBps: z.int().min(0).max(10_000),
  platformFee: z.looseObject({ feeBps: z.int().min(0) }).nullish(),
  priceImpactPct: z.string(),
  routePlan: z
    .array(
      z.looseObject({
        swapInfo: z.looseObject({
          ammKey: z.string(),
          label: labelField.optional(),
          inputMint: addressField,
          outputMint: addressField,
        }),
        percent: z.number().min(0).max(100).nullish(),
        bps: z.int().min(0).max(10_000).nullish(),
      }),
    )
    .min(1)
    .max(32),
});

export const swapInstructionsResponse = z.object({
  tokenLedgerInstruction: instructionField.nullish(),
  otherInstructions: z.array(instructionField).nullish(),
  setupInstructions: z.array(instructionField).max(16),
  swapInstruction: instructionField,
  cleanupInstruction: instructionField.nullish(),
  addressLookupTableAddresses: z.array(addressField).max(16),
});

/** How the API says that it knows no way. */
export const NO_ROUTE = /COULD_NOT_FIND_ANY_ROUTE|NO_ROUTES_FOUND|TOKEN_NOT_TRADABLE|CANNOT_COMPUTE/;
