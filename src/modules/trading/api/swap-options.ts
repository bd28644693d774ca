import { type Address, isAddress, isOnCurve, WSOL_MINT } from '@tradepost/solana';
import { z } from 'zod';
import { ApiError, type Detail } from '../../../platform/http/errors/api-error.ts';
import { addressField } from '../../market/api/fields.ts';
import type { RouteFilter } from '../rules/route-filter.ts';
import type { PartyProblem } from '../rules/swap-parties.ts';
import type { SwapDestination, SwapRequest } from '../use/swap-terms.ts';

const BLOCKS = { least: 10, most: 150 } as const;
const ACCOUNTS = { least: 20, most: 64 } as const;

const wholeField = ({ least, most }: { readonly least: number; readonly most: number }, text: string) => {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error }).optional().describe(text);
};

/** Who pays, who receives and how long it is taken: options of a swap, its quote and its instructions. */
export const partyFields = {
  destinationWalletAddress: addressField(
    'wallet that receives the output in its associated account, which the requester pays where it is missing; SOL goes to a token account only',
  ).optional(),
  destinationTokenAccount: addressField(
    'existing token account that receives the output; for SOL one of wrapped SOL. Not together with `destinationWalletAddress`',
  ).optional(),
  feePayerAddress: addressField(
    'wallet that signs first and pays the network fee and nothing else; the requester when left out',
  ).optional(),
  wrapAndUnwrapSol: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe(
      'false: wrapped SOL is a token in its associated account; no SOL is wrapped or unwrapped, and no aggregator is asked. true when left out',
    ),
  expiresInBlocks: wholeField(
    BLOCKS,
    'blocks for which the transaction is taken, or a few more: an older blockhash is used where this service heard one; `lastValidBlockHeight` is exact. 150 when left out',
  ),
  closeEmptiedAccount: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe(
      'true: where the swap sells all of the requester’s associated account, it closes that account and its rent comes back. A unit that arrives before it lands fails the swap. false when left out',
    ),
  maxAccounts: wholeField(
    ACCOUNTS,
    'accounts that the transaction may name at most, those of lookup tables included; no aggregator is asked. 64 when left out',
  ),
};

export const PARTY_CODES = {
  destinationWalletAddress: 'ADDRESS_INVALID',
  destinationTokenAccount: 'ADDRESS_INVALID',
  feePayerAddress: 'ADDRESS_INVALID',
  wrapAndUnwrapSol: 'VALIDATION_FAILED',
  closeEmptiedAccount: 'VALIDATION_FAILED',
  expiresInBlocks: 'VALIDATION_FAILED',
  maxAccounts: 'VALIDATION_FAILED',
} as const;

/** Every refusal of these options. */
export const PARTY_ERRORS = [
  'DESTINATION_INVALID',
  'DESTINATION_NEEDS_TOKEN_ACCOUNT',
  'FEE_PAYER_INVALID',
] as const;

/** Faults of these options that no single field shows. */
export function partiesAcross(raw: Readonly<Record<string, unknown>>): readonly Detail[] {
  const given = (name: string): Address | null => {
    const value = raw[name];
    return typeof value === 'string' && isAddress(value) ? value : null;
  };
  const wallet = given('destinationWalletAddress');
  const account = given('destinationTokenAccount');
  const payer = given('feePayerAddress');
  const wraps = raw['wrapAndUnwrapSol'] !== false;
  const takesOfInput = raw['fromTokenAddress'] === WSOL_MINT && wraps;
  const details: Detail[] = [];
  const refuse = (field: string, code: string, message: string): void => {
    details.push({ field, code, message });
  };
  if (wallet !== null && account !== null) {
    const message = 'expected either destinationWalletAddress or destinationTokenAccount';
    refuse('destinationTokenAccount', 'FIELDS_EXCLUSIVE', message);
  }
  if (wallet !== null && !isOnCurve(wallet)) {
    const message = 'expected a wallet; this address is derived by a program: name its token account instead';
    refuse('destinationWalletAddress', 'DESTINATION_INVALID', message);
  }
  if (
    wallet !== null &&
    raw['toTokenAddress'] === WSOL_MINT &&
    wraps &&
    wallet !== raw['userWalletAddress']
  ) {
    const message =
      'SOL can go to another wallet as wrapped SOL only: expected destinationTokenAccount, or wrapAndUnwrapSol false';
    refuse('destinationWalletAddress', 'DESTINATION_NEEDS_TOKEN_ACCOUNT', message);
  }
  if ((wallet !== null || account !== null) && given('referrerWalletAddress') !== null && !takesOfInput) {
    const message =
      'expected no referrer beside a destination unless SOL is sold: it is paid out of the output';
    refuse('referrerWalletAddress', 'FIELDS_EXCLUSIVE', message);
  }
  if (payer !== null) {
    const others = [
      'userWalletAddress',
      'referrerWalletAddress',
      'destinationWalletAddress',
      'destinationTokenAccount',
      'fromTokenAddress',
      'toTokenAddress',
    ];
    const same = others.find((name) => raw[name] === payer);
    if (same !== undefined)
      refuse('feePayerAddress', 'FEE_PAYER_INVALID', `expected another address than ${same}`);
    else if (!isOnCurve(payer))
      refuse(
        'feePayerAddress',
        'FEE_PAYER_INVALID',
        'expected a wallet; this address is derived by a program',
      );
  }
  return details;
}

type PartyInput = z.infer<z.ZodObject<typeof partyFields>> & {
  readonly userWalletAddress: string;
  readonly toTokenAddress: string;
};

/** What these options ask for, and how they narrow the ways. */
export function partiesOf(
  input: PartyInput,
  filter: RouteFilter,
): Pick<SwapRequest, 'destination' | 'feePayer' | 'livesBlocks' | 'solAsToken' | 'closesSold'> & {
  readonly filter: RouteFilter;
} {
  const { feePayerAddress, expiresInBlocks = BLOCKS.most, maxAccounts = ACCOUNTS.most } = input;
  const destination = destinationOf(input);
  const wraps = input.wrapAndUnwrapSol ?? true;
  const option =
    destination === null
      ? null
      : destination.kind === 'wallet'
        ? 'destinationWalletAddress'
        : 'destinationTokenAccount';
  const solAsToken = !wraps || (destination !== null && input.toTokenAddress === WSOL_MINT);
  return {
    ...(destination === null ? {} : { destination }),
    ...(feePayerAddress === undefined ? {} : { feePayer: feePayerAddress }),
    ...(expiresInBlocks === BLOCKS.most ? {} : { livesBlocks: BigInt(expiresInBlocks) }),
    ...(solAsToken ? { solAsToken } : {}),
    ...(input.closeEmptiedAccount === true ? { closesSold: true } : {}),
    filter: {
      ...filter,
      maxAccounts: maxAccounts === ACCOUNTS.most ? null : maxAccounts,
      elsewhere: option ?? (wraps ? null : 'wrapAndUnwrapSol false'),
    },
  };
}

function destinationOf({
  userWalletAddress,
  destinationWalletAddress: wallet,
  destinationTokenAccount: account,
}: PartyInput): SwapDestination | null {
  if (account !== undefined) return { kind: 'account', address: account };
  return wallet === undefined || wallet === userWalletAddress ? null : { kind: 'wallet', address: wallet };
}

const REASONS = {
  'not-a-wallet': 'is not a wallet',
  'no-token-account': 'is not a token account of the bought token’s program',
  'another-mint': 'holds another token than the bought one',
  frozen: 'is frozen by the token’s issuer: expected an account that can receive',
  'another-owner': 'is the wallet’s associated account and belongs to another owner: name an account instead',
} as const;

/** The refusal of a receiver or a fee payer by what the chain shows of it. */
export function partyError(problem: PartyProblem, input: PartyInput): ApiError {
  const { code, address, reason } = problem;
  const field =
    code === 'FEE_PAYER_INVALID'
      ? 'feePayerAddress'
      : input.destinationTokenAccount === undefined
        ? 'destinationWalletAddress'
        : 'destinationTokenAccount';
  const message =
    reason === 'too-little'
      ? `the fee payer holds ${problem.available} lamports; expected at least ${problem.needed}`
      : `${address} ${REASONS[reason]}`;
  return new ApiError({ status: 400, code, message, field, details: [{ field, code, message }] });
}
