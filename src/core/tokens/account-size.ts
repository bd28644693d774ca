import { TOKEN_PROGRAM } from '../address/programs.ts';
import type { Token } from './token.ts';

/** Bytes of a plain token account under either program. */
export const TOKEN_ACCOUNT_BYTES = 165;

/**
 * Bytes of the associated token account that the program would create for this mint. Under Token-2022: 165, one type byte,
 * ImmutableOwner, and an account-side extension for each mint power that needs one. Source of truth: spl-token-2022
 * `ExtensionType::get_required_init_account_extensions`.
 */
export function associatedAccountBytes(token: Pick<Token, 'tokenProgram' | 'extensions'>): number {
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
