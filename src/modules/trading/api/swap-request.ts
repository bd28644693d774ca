import { isOnCurve } from '@tradepost/solana';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import type { BuiltSwap, SwapResult } from '../use/build-swap.ts';
import type { ReferrerProblem } from '../use/referrer-account.ts';
import type { SwapRequest } from '../use/swap-terms.ts';
import type { SwapInput } from './dex-swap-schema.ts';
import { filterOf, priorityOf, versionOf } from './route-options.ts';
import { partiesOf, partyError } from './swap-options.ts';
import { tipOf } from './tip-options.ts';

/** As `requestOf`, of a wallet that signs by itself: refused where no key can sign for the address. */
export function signingRequestOf(deps: Pick<ApiDeps, 'venues' | 'senders'>, input: SwapInput): SwapRequest {
  const user = input.userWalletAddress;
  if (!isOnCurve(user)) {
    throw new ApiError({
      status: 400,
      code: 'ADDRESS_INVALID',
      message: 'userWalletAddress is derived by a program: there is no key that could sign for it',
      field: 'userWalletAddress',
    });
  }
  return requestOf(deps, input);
}

/** The request of the body, its names and numbers checked against this service. Throws VENUE_UNKNOWN and the refusals of a tip. */
export function requestOf(
  { venues, senders }: Pick<ApiDeps, 'venues' | 'senders'>,
  input: SwapInput,
): SwapRequest {
  const { referrerWalletAddress, referrerFeeBps } = input;
  return {
    user: input.userWalletAddress,
    mintIn: input.fromTokenAddress,
    mintOut: input.toTokenAddress,
    amount: input.amount,
    ...(input.swapMode === 'exactOut' ? { wanted: input.amount } : {}),
    slippageBps: input.slippageBps,
    referrer:
      referrerWalletAddress === undefined || referrerFeeBps === undefined
        ? null
        : { wallet: referrerWalletAddress, feeBps: referrerFeeBps },
    ...partiesOf(input, filterOf(input, venues)),
    ...versionOf(input),
    priority: priorityOf(input),
    ...tipOf({ senders }, input),
  };
}

/** The swap that was built, or the refusal that its referrer or another named party is the reason of. */
export function builtOrThrow(result: SwapResult, input: SwapInput): BuiltSwap {
  if (result.kind === 'referrer') throw referrerError(result.problem);
  if (result.kind === 'party') throw partyError(result.problem, input);
  return result.swap;
}

function referrerError(problem: ReferrerProblem): ApiError {
  const field = 'referrerWalletAddress';
  const { code } = problem;
  const message =
    code === 'REFERRER_NOT_A_WALLET'
      ? `${problem.address} is not a wallet; expected the address of a person who is to be paid`
      : problem.reason === 'below-rent'
        ? `with this fee the referrer would hold ${problem.wouldHold} lamports, and the chain refuses less than ${problem.minimum}: fund the referrer first`
        : `the referrer has no usable token account ${problem.account} of ${problem.mint}: open it first`;
  return new ApiError({ status: 400, code, message, field, details: [{ field, code, message }] });
}
