import { shortAddress } from '@tradepost/solana';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import type { SafetyLevel } from '../../tokens/rules/safety.ts';
import type { AuthorityState, PassportAuthority, PassportPower } from '../rules/passport.ts';

type Sentence<C extends PassportPower['code']> = (power: Extract<PassportPower, { code: C }>) => string;

/** One sentence per power: its meaning for a holder of the token. A new code does not compile without one. */
const POWERS: { readonly [C in PassportPower['code']]: Sentence<C> } = {
  TAKE_OR_BURN: ({ holder }) => `${shortAddress(holder)} can take or burn this token out of any wallet.`,
  RUN_HOOK: ({ holder }) => `The program ${shortAddress(holder)} runs at each transfer and may refuse it.`,
  BORN_FROZEN: () => 'New accounts are frozen: holders may be unable to sell.',
  NON_TRANSFERABLE: () => 'It can never be transferred, so it cannot be sold.',
  TRANSFER_FEE: ({ bps, nextBps }) =>
    `Each transfer costs ${percent(bps)} of the amount${nextBps === null ? '' : `, soon ${percent(nextBps)}`}.`,
  CHANGE_TRANSFER_FEE: ({ holder }) => `${shortAddress(holder)} can change the transfer fee.`,
  COLLECT_TRANSFER_FEE: ({ holder }) => `${shortAddress(holder)} collects the transfer fees.`,
  INTEREST: ({ bps }) =>
    `The amount that wallets show grows by ${percent(bps)} a year; the real one does not.`,
  CHANGE_INTEREST: ({ holder }) => `${shortAddress(holder)} can change that rate.`,
  CLOSE_MINT: ({ holder }) => `${shortAddress(holder)} can close the mint once nobody holds it.`,
  PAUSE: ({ holder }) =>
    holder === null
      ? 'Transfers can be paused, but nobody may any more.'
      : `${shortAddress(holder)} can pause all transfers.`,
  CONFIDENTIAL_TRANSFER: () => 'Amounts can be moved confidentially.',
};

export function powerSentence(power: PassportPower): string {
  return (POWERS[power.code] as (one: PassportPower) => string)(power);
}

const AUTHORITIES: Readonly<
  Record<PassportAuthority, { readonly label: string; readonly live: string; readonly gone: string }>
> = {
  mint: {
    label: 'Minting',
    live: 'can make more of it at any time.',
    gone: 'No more can ever be made.',
  },
  freeze: {
    label: 'Freezing',
    live: 'can freeze the accounts of holders.',
    gone: 'Nobody can freeze accounts.',
  },
  update: {
    label: 'Metadata',
    live: 'can change its name, link and picture.',
    gone: 'Name and link can never change.',
  },
};

export const authorityLabel = (authority: PassportAuthority): string => AUTHORITIES[authority].label;

export function authoritySentence(authority: PassportAuthority, { holder }: AuthorityState): string {
  const { live, gone } = AUTHORITIES[authority];
  return holder === null ? gone : `${shortAddress(holder)} ${live}`;
}

export const LEVELS: Readonly<Record<SafetyLevel, string>> = {
  OK: 'No problem found by these checks.',
  CAREFUL: 'Careful: somebody has kept powers over this token.',
  BLOCK: 'Dangerous: holders can lose this token or be unable to sell it.',
};

/** `1,000,000.5`: for reading. */
export function supplyText(units: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(units, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export function percent(bps: number): string {
  return `${formatUnits(BigInt(bps), 2)} %`;
}

export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Shown beside the mark, so that it is not taken for a check of the token. */
export const BADGE_SENTENCE =
  'The creator wears the badge of this desk, bought with points. It says nothing about the token.';
