import { z } from 'zod';
import { addressField, instructionField, labelField, unitsField } from '../shared/fields.ts';

/**
 * The parts of OKX's DEX API v6 that are read, by its public reference (`quote`, `swap-instruction`). Every answer is an
 * envelope with a code, "0" for success, and a list of one.
 */
const token = z.looseObject({ tokenContractAddress: addressField });

const protocol = z.looseObject({ dexName: labelField, percent: z.string() });

const routerResult = z.looseObject({
  fromToken: token,
  toToken: token,
  fromTokenAmount: unitsField,
  toTokenAmount: unitsField,
  priceImpactPercent: z.string().nullish(),
  dexRouterList: z
    .array(z.looseObject({ dexProtocol: protocol, fromToken: token, toToken: token }))
    .min(1)
    .max(32),
});

const envelope = <T extends z.ZodType>(data: T) =>
  z.union([
    z.object({ code: z.literal('0'), msg: z.string().optional(), data: z.array(data).length(1) }),
    z.object({
      code: z.string().refine((code) => code !== '0', { error: 'expected one result' }),
      msg: z.string().optional(),
    }),
  ]);

export const quoteResponse = envelope(routerResult);

export const swapInstructionResponse = envelope(
  z.looseObject({
    addressLookupTableAccount: z.array(addressField).max(16).nullish(),
    instructionLists: z.array(instructionField).min(1).max(24),
    routerResult,
    tx: z.looseObject({ minReceiveAmount: unitsField, from: z.string().optional() }),
  }),
);

/** 82000: insufficient liquidity, which is how no route is said; 82104 and 82105: token not supported. */
export const NO_ROUTE: readonly string[] = ['82000', '82104', '82105'];
