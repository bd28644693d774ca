import { shortAddress } from '../../core/address/address.ts';
import type { TokenProblem } from '../../core/mint/problem.ts';
import type { TokenPower } from '../../core/mint/token-powers.ts';
import { displayName } from '../../core/tokens/display-name.ts';
import type { CreationWarning } from '../../services/mint/prepare-creation.ts';
import { en } from '../locales/en.ts';
import type { Key, Words } from '../locales/words.ts';
import { code, type Html } from '../ui/html.ts';

/** One problem of a token request in words. */
export function problemSentence(problem: TokenProblem, words: Words): Html {
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
    case 'PROGRAM_UNKNOWN':
      return words.html('mint.err.program');
    case 'DECIMALS_OUT_OF_RANGE':
      return words.html('mint.err.decimals', { max: problem.max });
    case 'SUPPLY_INVALID':
      return words.html('mint.err.supply');
    case 'SUPPLY_TOO_LARGE':
      return words.html('mint.err.supply_large', {
        decimals: problem.decimals,
        max: problem.maxWhole.toString(),
      });
    case 'MINT_TO_REQUIRED':
      return words.html('mint.err.mint_to');
    case 'NEEDS_TOKEN2022':
      return words.html('mint.err.needs_2022', { field });
    case 'TRANSFER_FEE_INCOMPLETE':
      return words.html('mint.err.fee_incomplete');
    case 'TRANSFER_FEE_OUT_OF_RANGE':
      return words.html('mint.err.fee_range');
    case 'TRANSFER_FEE_MAX_INVALID':
      return words.html('mint.err.fee_max');
    case 'INTEREST_INCOMPLETE':
      return words.html('mint.err.interest_incomplete');
    case 'INTEREST_OUT_OF_RANGE':
      return words.html('mint.err.interest_range');
    case 'ACCOUNT_STATE_INVALID':
      return words.html('mint.err.state');
    case 'FROZEN_NEEDS_FREEZE_AUTHORITY':
      return words.html('mint.err.frozen');
    case 'NON_TRANSFERABLE_WITH_FEE':
      return words.html('mint.err.non_transferable');
    case 'URI_INVALID':
      return words.html('mint.err.uri', { field });
    case 'LINK_INVALID':
      return words.html('mint.err.link', {
        field,
        schemes: problem.schemes.map((scheme) => `${scheme}//`).join(', '),
      });
    case 'TAGS_TOO_MANY':
      return words.html('mint.err.tags', { max: problem.max });
    case 'RECIPIENT_IS_TOKEN_ACCOUNT':
      return words.html('mint.err.recipient');
    case 'MINT_EXISTS':
      return words.html('mint.err.exists');
    case 'TRANSACTION_TOO_LARGE':
      return words.html('mint.err.too_large', { max: problem.maxBytes });
  }
}

/** What somebody may do to holders, in one sentence. */
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
function fieldText(field: string, words: Words): string {
  const key = `mint.field.${field}`;
  return isFieldKey(key) ? words.text(key) : (displayName(field) ?? '…');
}

type FieldKey = Extract<Key, `mint.field.${string}`>;

const isFieldKey = (key: string): key is FieldKey => Object.hasOwn(en, key);
