import { isAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { Detail } from '../../../platform/http/errors/api-error.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { addressField, amountField, bpsField, submittable, unitsText } from '../../market/api/fields.ts';
import { quoteShape } from './quote-data.ts';
import {
  FILTER_CODES,
  filterAcross,
  filterFields,
  PRIORITY_CODES,
  priorityFields,
  VERSION_CODES,
  versionFields,
} from './route-options.ts';
import { PARTY_CODES, partiesAcross, partyFields } from './swap-options.ts';
import { TIP_CODES, tipAcross, tipFields } from './tip-options.ts';

export type SwapInput = z.infer<typeof swapRequest>;

export const DEFAULT_SLIPPAGE_BPS = 500;

const MODES = ['exactIn', 'exactOut'] as const;

export const swapRequest = z.strictObject({
  userWalletAddress: addressField('wallet address of the user who initiates the swap'),
  amount: amountField(
    "amount to swap, in the sold token's smallest unit; with swapMode exactOut the least that must arrive, in the bought token's",
  ),
  swapMode: z
    .enum(MODES, { error: `expected one of ${MODES.join(', ')}` })
    .prefault('exactIn')
    .describe(
      'exactIn sells exactly `amount`; exactOut sells the least whose certain output is `amount`, and needs slippageBps',
    ),
  fromTokenAddress: addressField('public key of the token sold; wrapped SOL means SOL'),
  toTokenAddress: addressField('public key of the token bought; wrapped SOL means SOL'),
  slippageBps: bpsField(10_000, 'allowed slippage in basis points').prefault(DEFAULT_SLIPPAGE_BPS),
  referrerWalletAddress: addressField('wallet that receives the referrer fee').optional(),
  referrerFeeBps: bpsField(
    10_000,
    'referrer fee in basis points; at most 300 on the open host, on the pro host what the key allows',
  ).optional(),
  ...filterFields,
  ...versionFields,
  ...priorityFields,
  ...partyFields,
  ...tipFields,
});

export const CODES = {
  userWalletAddress: 'ADDRESS_INVALID',
  amount: 'AMOUNT_INVALID',
  swapMode: 'VALIDATION_FAILED',
  fromTokenAddress: 'ADDRESS_INVALID',
  toTokenAddress: 'ADDRESS_INVALID',
  slippageBps: 'SLIPPAGE_OUT_OF_RANGE',
  referrerWalletAddress: 'ADDRESS_INVALID',
  referrerFeeBps: 'REFERRER_FEE_INVALID',
  ...FILTER_CODES,
  ...VERSION_CODES,
  ...PRIORITY_CODES,
  ...PARTY_CODES,
  ...TIP_CODES,
} as const;

/** Faults that no single field shows. */
export function across(raw: Readonly<Record<string, unknown>>, caller: Caller): readonly Detail[] {
  const details: Detail[] = [...filterAcross(raw), ...partiesAcross(raw), ...tipAcross(raw)];
  const { fromTokenAddress: from, toTokenAddress: to, referrerFeeBps: fee } = raw;
  if (typeof from === 'string' && isAddress(from) && from === to) {
    details.push({
      field: 'toTokenAddress',
      code: 'SAME_TOKEN',
      message: 'expected another token than fromTokenAddress',
    });
  }
  if (raw['swapMode'] === 'exactOut' && (raw['slippageBps'] === undefined || raw['slippageBps'] === null)) {
    details.push({
      field: 'slippageBps',
      code: 'SLIPPAGE_OUT_OF_RANGE',
      message: 'is required with swapMode exactOut: the input is larger by it, and what it buys arrives too',
    });
  }
  const hasFee = fee !== undefined;
  const hasWallet = raw['referrerWalletAddress'] !== undefined;
  if (hasFee && !hasWallet) {
    details.push({
      field: 'referrerWalletAddress',
      code: 'REFERRER_WALLET_REQUIRED',
      message: 'is required when referrerFeeBps is given',
    });
  }
  if (hasWallet && !hasFee) {
    details.push({
      field: 'referrerFeeBps',
      code: 'REFERRER_FEE_REQUIRED',
      message: 'is required when referrerWalletAddress is given',
    });
  }
  if (typeof fee === 'number' && fee > caller.maxReferrerFeeBps) {
    details.unshift({
      field: 'referrerFeeBps',
      code: 'REFERRER_FEE_TOO_HIGH',
      message: `expected a whole number from 0 to ${caller.maxReferrerFeeBps} on this host`,
    });
  }
  return details;
}

const requester = z.string().describe('wallet address of the requester');

/** The answer with `quoteOnly`. */
export const swapQuoteResponse = z.object({ ...quoteShape, requester });

/** What a swap costs beside what it sells. */
export const swapFees = z.object({
  networkFeeLamports: unitsText('signatures and priority fee'),
  newAccountRentLamports: unitsText('rent of the token account that the swap opens for the requester'),
  returnedRentLamports: unitsText(
    'rent that comes back from the account that the swap closes; 0 without `closeEmptiedAccount`',
  ),
  referrerFee: unitsText('what the referrer receives, net of a transfer fee that the token withholds'),
  referrerFeeSent: unitsText('the amount sent to the referrer, the withheld fee included'),
  referrerFeeTokenAddress: z.string().nullable().describe('token of the referrer fee; wrapped SOL means SOL'),
  tipLamports: unitsText(
    'tip to the sender that was named, by the last instruction; 0 where none was asked for',
  ),
});

export const swapResponse = z.object({
  ...quoteShape,
  requester,
  tx: z
    .string()
    .describe(
      'base58 of the serialized transaction, for the requester to sign and submit: of version 0, or of version 1 where that was allowed and needed',
    ),
  ...submittable,
  signers: z
    .array(z.string())
    .describe('who still must sign: the fee payer first where that is another wallet, and the requester'),
  lastValidBlockHeight: z.string().describe('the transaction is worthless above this block height'),
  fees: swapFees,
});
