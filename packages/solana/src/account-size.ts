import type { Address } from './address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import { NO_TOKEN_POWERS, type TokenExtensions } from './token-extensions.ts';

/** Lengths by which the token programs distinguish a plain mint from a plain token account. Source of truth: spl-token `state.rs`. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/**
 * Bytes of the associated token account that the program would create for this mint. Under Token-2022: 165, one type byte,
 * ImmutableOwner, and an account-side extension for each mint power that needs one. Source of truth: spl-token-2022
 * `ExtensionType::get_required_init_account_extensions`.
 */
export function associatedAccountBytes(token: {
  readonly tokenProgram: Address;
  readonly extensions: TokenExtensions;
}): number {
  if (token.tokenProgram === TOKEN_PROGRAM) return TOKEN_ACCOUNT_BYTES;
  const { extensions } = token;
  const header = 4;
  return (
    TOKEN_ACCOUNT_BYTES +
    1 +
    header +
    (extensions.transferFee === null ? 0 : header + 8) +
    (extensions.nonTransferable ? header : 0) +
    (extensions.transferHook === null ? 0 : header + 1) +
    (extensions.pausable ? header : 0)
  );
}

/** Of a Token-2022 mint without powers, as launchpads make them: the account says of itself that its owner stays. */
export const HOLDING_2022_BYTES = associatedAccountBytes({
  tokenProgram: TOKEN_2022_PROGRAM,
  extensions: NO_TOKEN_POWERS,
});
