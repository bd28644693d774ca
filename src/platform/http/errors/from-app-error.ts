import type { AppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode, ErrorDetails } from '../../../core/errors/codes.ts';
import type { NeededParts } from '../../../core/errors/details.ts';
import { ApiError, type Detail } from './api-error.ts';
import { isApiCode } from './catalogue.ts';

type Wording<C extends ErrorCode> = (details: ErrorDetails[C]) => {
  readonly message: string;
  /** Another code than the domain's, where the API published its own. */
  readonly code?: string;
  readonly status?: 400 | 500 | 503;
  /** For `retry-after`. */
  readonly retryAfterMs?: number;
  readonly field?: string;
  readonly retryable?: boolean;
  /** Details behind the first. */
  readonly more?: readonly Detail[];
};

const PICTURE_REASONS = {
  format: 'the file is not a picture; expected a JPEG, PNG, WebP or GIF',
  broken: 'the picture cannot be decoded; expected a whole JPEG, PNG, WebP or GIF',
  pixels: 'the picture has too many pixels; expected at most 25 million',
} as const;

/** The refusals that a caller can meet. Any other error is no caller's business: 500 INTERNAL. */
const WORDINGS: { readonly [C in ErrorCode]?: Wording<C> } = {
  SAME_TOKEN: () => ({
    message: 'fromTokenAddress and toTokenAddress are the same; expected two different tokens',
    field: 'toTokenAddress',
  }),
  TOKEN_NOT_FOUND: ({ address }) => ({ message: `${address} is not the mint of a token on this cluster` }),
  TOKEN_ACCOUNT_NOT_MINT: ({ address, mint }) => ({
    message: `${address} is a token account, not a mint; its mint is ${mint}`,
  }),
  TOKEN_NOT_TRANSFERABLE: ({ mint, reason }) => ({
    message:
      reason === 'paused'
        ? `${mint} is paused by its issuer: no transfer of it lands now`
        : reason === 'hook'
          ? `transfers of ${mint} run a program of its issuer, which no route here names`
          : reason === 'frozen'
            ? `the issuer of ${mint} froze this wallet's account of it: nothing comes in or leaves`
            : `units of ${mint} can never be transferred`,
  }),
  NO_ROUTE: ({ mintIn, mintOut, within }) => ({
    message:
      within === undefined
        ? `no pool, and no way over other tokens, trades ${mintIn} for ${mintOut}`
        : `nothing within ${within} trades ${mintIn} for ${mintOut}; without that there may be a way`,
  }),
  SEARCHING: ({ retryAfterMs }) => ({
    message: 'the exchanges are being searched for this pair; ask again in a few seconds',
    status: 503,
    retryable: true,
    retryAfterMs,
  }),
  VENUES_UNREACHABLE: ({ venues }) => ({
    code: 'UPSTREAM_FAILED',
    message: `no pool was found, and ${venues.join(', ')} could not be asked for theirs; nothing happened, ask again`,
    status: 500,
    retryable: true,
  }),
  INSUFFICIENT_LIQUIDITY: ({ mintIn, mintOut }) => ({
    message: `the pools of ${mintIn} and ${mintOut} cannot fill this amount`,
    field: 'amount',
  }),
  AMOUNT_ABOVE_DEPTH: ({ maximum }) => ({
    message: `the pools take less than this at once; expected at most ${maximum}`,
    field: 'amount',
  }),
  ROUTE_TOO_LARGE: ({ mintIn, mintOut, fitsVersion }) => ({
    message: `the way from ${mintIn} to ${mintOut} does not fit one transaction${fitsVersion === undefined ? '' : ' of version 0; with maxTransactionVersion 1 it fits'}`,
  }),
  AMOUNT_DUST: ({ minimum }) => ({
    message:
      minimum === null
        ? 'the amount is so small that nothing would come back'
        : `the amount is so small that nothing would come back; expected at least ${minimum}`,
    field: 'amount',
  }),
  INSUFFICIENT_LAMPORTS: ({ needed, available, parts }) => ({
    message: `the wallet needs ${needed} lamports for amount, fees and rent and holds ${available}`,
    field: 'userWalletAddress',
    ...(parts === undefined ? {} : { more: neededDetails(parts) }),
  }),
  INSUFFICIENT_TOKENS: ({ needed, available }) => ({
    message: `the wallet needs ${needed} units of fromTokenAddress in one account and holds ${available}`,
    field: 'userWalletAddress',
  }),
  RENT_REMAINDER: ({ left, minimum }) => ({
    message: `the wallet would be left with ${left} lamports; the chain allows none or at least ${minimum}`,
    field: 'amount',
  }),
  RECIPIENT_IS_PROGRAM: ({ address }) => ({
    code: 'ADDRESS_INVALID',
    message: `${address} is not a wallet: it belongs to a program and cannot sign`,
    field: 'userWalletAddress',
  }),
  PRICE_MOVED: ({ minOut, got }) => ({
    message: `the market moved while the transaction was built: at least ${minOut} was quoted, ${got} would come`,
    retryable: true,
  }),
  SIMULATION_FAILED: ({ err }) => ({ message: `the chain would refuse this transaction: ${err}` }),
  POLICY_DENIED: () => ({
    code: 'INTERNAL',
    message:
      'the transaction that was built did not pass our own check and is withheld; the operator was told',
    status: 500,
  }),
  METADATA_INVALID: ({ faults }) => ({
    message: `the metadata is not as expected: ${faults.map(({ field, code }) => `${field} ${code}`).join(', ')}`,
    field: 'metadata',
  }),
  PUBLIC_URL_UNKNOWN: () => ({
    message: 'this host has no public address to keep documents and pictures at; give links of your own',
  }),
  METADATA_STORE_FULL: () => ({
    message: 'there is no room for more pictures; give a link of your own',
    status: 500,
    retryable: true,
  }),
  PINNING_FAILED: () => ({
    code: 'UPSTREAM_FAILED',
    message: 'the file storage did not answer; nothing happened, ask again',
    status: 500,
    retryable: true,
  }),
  PICTURE_UNREADABLE: ({ reason }) => ({ message: PICTURE_REASONS[reason], field: 'file' }),
  PICTURE_TOO_LARGE: ({ maxBytes }) => ({
    message: `the picture is too large; expected at most ${maxBytes} bytes`,
    field: 'file',
  }),
  CHAIN_UNREACHABLE: () => ({
    code: 'UPSTREAM_FAILED',
    message: 'the chain could not be asked; nothing happened, ask again',
    status: 500,
    retryable: true,
  }),
  DATABASE_UNREACHABLE: notNow('the service could not look something up; nothing happened, ask again'),
  DATABASE_FULL: notNow('the service takes no orders at the moment; nothing happened, ask again later'),
  DATABASE_BUSY: notNow('the service takes no orders at the moment; nothing happened, ask again later'),
  DATABASE_READ_ONLY: notNow('the service takes no orders at the moment; nothing happened, ask again later'),
  CLOCK_OFF: notNow('the service takes no orders at the moment; nothing happened, ask again later'),
};

/** Each part of a wallet's needed lamports. */
function neededDetails({ amount, accountRent, networkFee, tip, temporary }: NeededParts): readonly Detail[] {
  const part = (code: string, lamports: bigint): Detail => ({
    field: '',
    code,
    message: lamports.toString(),
  });
  return [
    part('NEEDED_AMOUNT', amount),
    part('NEEDED_ACCOUNT_RENT', accountRent),
    part('NEEDED_NETWORK_FEE', networkFee),
    part('NEEDED_TIP', tip),
    part('NEEDED_TEMPORARY', temporary),
  ];
}

function notNow(message: string) {
  return () => ({ code: 'UPSTREAM_FAILED' as const, message, status: 500 as const, retryable: true });
}

/** `mints` names the field that holds an address, so that an error about a token points at it. */
export function fromAppError(
  error: AppError,
  fields: Readonly<Record<string, string>> = {},
): ApiError | null {
  const wording = WORDINGS[error.code] as Wording<ErrorCode> | undefined;
  if (wording === undefined) return null;
  const worded = wording(error.details);
  const {
    message,
    code = error.code,
    status = 400,
    field,
    retryable = false,
    retryAfterMs,
    more = [],
  } = worded;
  // A code that the catalogue lacks has no wording either; a test holds both together.
  if (!isApiCode(code)) return null;
  const { details } = error;
  const given = 'address' in details ? details.address : 'mint' in details ? details.mint : null;
  const named = field === undefined ? (given === null ? undefined : fields[given]) : (fields[field] ?? field);
  return new ApiError({
    status,
    code,
    message,
    retryable,
    ...(retryAfterMs === undefined
      ? {}
      : { headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } }),
    ...(named === undefined ? {} : { field: named, details: [{ field: named, code, message }, ...more] }),
    cause: error,
  });
}
