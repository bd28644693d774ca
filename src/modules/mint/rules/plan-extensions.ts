import {
  type AccountState,
  type Address,
  MAX_U64,
  NO_SPEC_EXTENSIONS,
  type SpecExtensions,
} from '@tradepost/solana';
import { account, type Refuse } from './refuse.ts';
import type { DraftField, TokenDraft } from './token-draft.ts';

const TRANSFER_FEE_GROUP = [
  'transferFeeConfigAuthority',
  'transferFeeWithdrawalAuthority',
  'transferFeeBps',
  'transferFeeMax',
] as const satisfies readonly DraftField[];
const INTEREST_GROUP = [
  'interestBearingAuthority',
  'interestBearingPercent',
] as const satisfies readonly DraftField[];
const TOKEN_2022_ONLY = [
  ...TRANSFER_FEE_GROUP,
  'permanentDelegate',
  'defaultAccountState',
  ...INTEREST_GROUP,
  'mintCloseAuthority',
  'nonTransferableMint',
] as const satisfies readonly DraftField[];

const MAX_FEE_BPS = 10_000;
/** The specification's range of the answer, in basis points; the program itself would take more. */
const MAX_INTEREST_BPS = 10_000;

/**
 * The powers of a Token-2022 mint: groups complete, ranges kept, no two that contradict each other. `token` takes none. Two combinations
 * would be accepted by the chain in part and be a trap for the creator. They are a non-transferable token with a transfer fee, and accounts
 * that are born frozen without a holder of the power to thaw.
 */
export function planExtensions(draft: TokenDraft, refuse: Refuse): SpecExtensions {
  if ((draft.program ?? 'token') === 'token') {
    for (const field of TOKEN_2022_ONLY) {
      // "Not non-transferable" is true of a plain token.
      if (draft[field] !== undefined && draft[field] !== false) refuse({ field, code: 'NEEDS_TOKEN2022' });
    }
    return NO_SPEC_EXTENSIONS;
  }
  const nonTransferable = draft.nonTransferableMint ?? false;
  const transferFee = planTransferFee(draft, refuse);
  if (nonTransferable && TRANSFER_FEE_GROUP.some((field) => draft[field] !== undefined)) {
    refuse({ field: 'nonTransferableMint', code: 'NON_TRANSFERABLE_WITH_FEE' });
  }
  return {
    transferFee,
    permanentDelegate: optionalAccount(draft, 'permanentDelegate', refuse),
    defaultAccountState: planState(draft, refuse),
    interest: planInterest(draft, refuse),
    mintCloseAuthority: optionalAccount(draft, 'mintCloseAuthority', refuse),
    nonTransferable,
  };
}

function optionalAccount(
  draft: TokenDraft,
  field:
    | 'permanentDelegate'
    | 'mintCloseAuthority'
    | (typeof TRANSFER_FEE_GROUP)[0 | 1]
    | 'interestBearingAuthority',
  refuse: Refuse,
): Address | null {
  const given = draft[field];
  return given === undefined ? null : account(field, given, refuse);
}

/** True when all are given or none; otherwise each missing one is a problem. */
function isComplete(
  draft: TokenDraft,
  group: readonly DraftField[],
  code: 'TRANSFER_FEE_INCOMPLETE' | 'INTEREST_INCOMPLETE',
  refuse: Refuse,
): boolean {
  const missing = group.filter((field) => draft[field] === undefined);
  if (missing.length === 0) return true;
  if (missing.length < group.length) for (const field of missing) refuse({ field, code });
  return false;
}

function planTransferFee(draft: TokenDraft, refuse: Refuse): SpecExtensions['transferFee'] {
  const complete = isComplete(draft, TRANSFER_FEE_GROUP, 'TRANSFER_FEE_INCOMPLETE', refuse);
  const configAuthority = optionalAccount(draft, 'transferFeeConfigAuthority', refuse);
  const withdrawalAuthority = optionalAccount(draft, 'transferFeeWithdrawalAuthority', refuse);
  const { transferFeeBps: bps, transferFeeMax: max } = draft;
  if (bps !== undefined && !(Number.isInteger(bps) && bps >= 0 && bps <= MAX_FEE_BPS)) {
    refuse({ field: 'transferFeeBps', code: 'TRANSFER_FEE_OUT_OF_RANGE' });
  }
  const maximum = max === undefined || !/^(?:0|[1-9][0-9]{0,19})$/.test(max) ? null : BigInt(max);
  if (max !== undefined && (maximum === null || maximum > MAX_U64)) {
    refuse({ field: 'transferFeeMax', code: 'TRANSFER_FEE_MAX_INVALID' });
  }
  if (!complete || configAuthority === null || withdrawalAuthority === null) return null;
  return bps === undefined || maximum === null
    ? null
    : { configAuthority, withdrawalAuthority, bps, maximum };
}

function planInterest(draft: TokenDraft, refuse: Refuse): SpecExtensions['interest'] {
  const complete = isComplete(draft, INTEREST_GROUP, 'INTEREST_INCOMPLETE', refuse);
  const authority = optionalAccount(draft, 'interestBearingAuthority', refuse);
  const percent = draft.interestBearingPercent;
  const bps = percent === undefined ? null : interestBps(percent);
  if (percent !== undefined && bps === null) {
    refuse({ field: 'interestBearingPercent', code: 'INTEREST_OUT_OF_RANGE' });
  }
  return complete && authority !== null && bps !== null ? { authority, bps } : null;
}

/**
 * Percent in the request, basis points on the chain and in the answer: 2.5 → 250. Null outside 0 to 100 and for more than two
 * decimals, which the chain could not keep.
 */
export function interestBps(percent: number): number | null {
  const bps = Math.round(percent * 100);
  const isExact = Math.abs(percent * 100 - bps) < 1e-6;
  return isExact && bps >= 0 && bps <= MAX_INTEREST_BPS ? bps : null;
}

function planState(draft: TokenDraft, refuse: Refuse): AccountState | null {
  const field = 'defaultAccountState';
  if (draft.defaultAccountState === undefined) return null;
  const { state } = draft.defaultAccountState;
  if (state !== 'initialized' && state !== 'frozen') {
    refuse({ field, code: 'ACCOUNT_STATE_INVALID' });
    return null;
  }
  if (state === 'frozen' && draft.freezeAuthority !== true) {
    refuse({ field, code: 'FROZEN_NEEDS_FREEZE_AUTHORITY' });
  }
  return state;
}
