import type { TokenProblem } from '../rules/problem.ts';

/** One sentence per problem: the input that was expected. */
export function problemText(problem: TokenProblem): string {
  switch (problem.code) {
    case 'FIELD_REQUIRED':
      return 'is required';
    case 'ADDRESS_INVALID':
      return 'expected a base58 address of 32 bytes';
    case 'ADDRESS_NOT_A_WALLET':
      return 'expected a wallet: this address belongs to a program and nobody can sign for it';
    case 'ADDRESS_CONFLICT':
      return `expected another address than ${problem.other}`;
    case 'TEXT_TOO_LONG':
      return `expected at most ${problem.maxBytes} bytes of UTF-8`;
    case 'TEXT_UNPRINTABLE':
      return 'expected text without control or invisible characters and without space at an end';
    case 'PROGRAM_UNKNOWN':
      return 'expected "token" or "token2022"';
    case 'DECIMALS_OUT_OF_RANGE':
      return `expected a whole number from 0 to ${problem.max}`;
    case 'SUPPLY_INVALID':
      return 'expected a whole number of tokens as a string, at least 1';
    case 'SUPPLY_TOO_LARGE':
      return `expected at most ${problem.maxWhole} whole tokens: with ${problem.decimals} decimals more does not fit 64 bits`;
    case 'MINT_TO_REQUIRED':
      return 'is required when mintSupply is given';
    case 'NEEDS_TOKEN2022':
      return 'is a field of program "token2022" only';
    case 'TRANSFER_FEE_INCOMPLETE':
      return 'transferFeeConfigAuthority, transferFeeWithdrawalAuthority, transferFeeBps and transferFeeMax must be given together';
    case 'TRANSFER_FEE_OUT_OF_RANGE':
      return 'expected a whole number from 0 to 10000';
    case 'TRANSFER_FEE_MAX_INVALID':
      return 'expected a whole number of smallest units as a string, at most 18446744073709551615';
    case 'INTEREST_INCOMPLETE':
      return 'interestBearingAuthority and interestBearingPercent must be given together';
    case 'INTEREST_OUT_OF_RANGE':
      return 'expected a percentage from 0 to 100 with at most two decimals';
    case 'ACCOUNT_STATE_INVALID':
      return 'expected { "state": "initialized" } or { "state": "frozen" }: accounts cannot be created uninitialized';
    case 'FROZEN_NEEDS_FREEZE_AUTHORITY':
      return 'frozen accounts need freezeAuthority: true, or nobody could ever thaw them';
    case 'NON_TRANSFERABLE_WITH_FEE':
      return 'a token that cannot be transferred cannot have a transfer fee';
    case 'URI_INVALID':
      return 'expected an https, ipfs or ar URI without spaces';
    case 'LINK_INVALID':
      return `expected a link that starts with ${problem.schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
    case 'TAGS_TOO_MANY':
      return `expected at most ${problem.max} tags`;
    case 'RECIPIENT_IS_TOKEN_ACCOUNT':
      return 'expected a wallet: this is a token account or a mint; its associated account is opened for you';
    case 'MINT_EXISTS':
      return 'expected an unused address: an account exists there already';
    case 'TRANSACTION_TOO_LARGE':
      return `all these settings do not fit one transaction; a URI of at most ${problem.maxBytes} bytes would`;
  }
}
