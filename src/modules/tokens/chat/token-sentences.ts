import { shortAddress } from '@tradepost/solana';
import type { Key } from '../../../compose/texts/catalogue.ts';
import { en } from '../../../compose/texts/en.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { code, type Html } from '../../../platform/telegram/ui/html.ts';
import type { TokenProblem } from '../../mint/rules/problem.ts';
import type { TokenPower } from '../../mint/rules/token-powers.ts';
import type { CreationWarning } from '../../mint/use/prepare-creation.ts';
import { displayName } from '../rules/display-name.ts';

/** Problems whose sentence says all there is to say. */
const PLAIN = {
  PROGRAM_UNKNOWN: 'mint.err.program',
  SUPPLY_INVALID: 'mint.err.supply',
  MINT_TO_REQUIRED: 'mint.err.mint_to',
  TRANSFER_FEE_INCOMPLETE: 'mint.err.fee_incomplete',
  TRANSFER_FEE_OUT_OF_RANGE: 'mint.err.fee_range',
  TRANSFER_FEE_MAX_INVALID: 'mint.err.fee_max',
  INTEREST_INCOMPLETE: 'mint.err.interest_incomplete',
  INTEREST_OUT_OF_RANGE: 'mint.err.interest_range',
  ACCOUNT_STATE_INVALID: 'mint.err.state',
  FROZEN_NEEDS_FREEZE_AUTHORITY: 'mint.err.frozen',
  NON_TRANSFERABLE_WITH_FEE: 'mint.err.non_transferable',
  RECIPIENT_IS_TOKEN_ACCOUNT: 'mint.err.recipient',
  MINT_EXISTS: 'mint.err.exists',
} as const;

const isPlain = (code: TokenProblem['code']): code is keyof typeof PLAIN => Object.hasOwn(PLAIN, code);

/** One problem of a token request in words. */
export function problemSentence(problem: TokenProblem, words: Words): Html {
  if (isPlain(problem.code)) return words.html(PLAIN[problem.code]);
  const field = fieldText(problem.field, words);
  switch (problem.code) {
    case 'FIELD_REQUIRED':
      return words.html('mint.err.required', { field });
    case 'ADDRESS_INVALID':
      return words.html('mint.err.address', { field });
    case 'ADDRESS_NOT_A_WALLET':
      return words.html('mint.err.not_wallet', { field });
    case 'ADDRESS_CONFLICT':
      return words.html('mint.err.conflict', { field, other: fieldText(problem.other, words) });
    case 'TEXT_TOO_LONG':
      return words.html('mint.err.long', { field, max: problem.maxBytes });
    case 'TEXT_UNPRINTABLE':
      return words.html('mint.err.unprintable', { field });
    case 'DECIMALS_OUT_OF_RANGE':
      return words.html('mint.err.decimals', { max: problem.max });
    case 'SUPPLY_TOO_LARGE':
      return words.html('mint.err.supply_large', {
        decimals: problem.decimals,
        max: problem.maxWhole.toString(),
      });
    case 'NEEDS_TOKEN2022':
      return words.html('mint.err.needs_2022', { field });
    case 'URI_INVALID':
      return words.html('mint.err.uri', { field });
    case 'LINK_INVALID':
      return words.html('mint.err.link', {
        field,
        schemes: problem.schemes.map((scheme) => `${scheme}//`).join(', '),
      });
    case 'TAGS_TOO_MANY':
      return words.html('mint.err.tags', { max: problem.max });
    case 'TRANSACTION_TOO_LARGE':
      return words.html('mint.err.too_large', { max: problem.maxBytes });
  }
}

/** One power over holders, in one sentence. */
export function powerSentence({ code: power, holder }: TokenPower, words: Words): Html {
  if (power === 'NON_TRANSFERABLE') return words.html('mint.power.NON_TRANSFERABLE');
  return words.html(`mint.power.${power}`, { holder: holder === null ? '' : code(shortAddress(holder)) });
}

export function warningSentence(warning: CreationWarning, words: Words): Html {
  return warning.code === 'NO_METADATA_PROGRAM'
    ? words.html('mint.warn.no_metadata')
    : words.html('mint.warn.looks_like', { mint: code(shortAddress(warning.mint)) });
}

/** A field in a person's words; its own name where there are none. */
export function fieldText(field: string, words: Words): string {
  const key = `mint.field.${field}`;
  return isFieldKey(key) ? words.text(key) : (displayName(field) ?? '…');
}

type FieldKey = Extract<Key, `mint.field.${string}`>;

const isFieldKey = (key: string): key is FieldKey => Object.hasOwn(en, key);
