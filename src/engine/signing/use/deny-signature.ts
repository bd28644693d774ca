import { AppError } from '../../../core/errors/app-error.ts';
import type { FireMisfit } from '../../../modules/orders/rules/sealed-fire.ts';

/**
 * The signer's own rules, before the signing policy looks at the bytes, by the name that POLICY_DENIED carries. `not-open`: no such intent,
 * or one that has ended. `not-due`: its time has not come. `foreign-wallet`: the wallet is not the intent's person's. `unknown-person`: the
 * intent's name belongs to no one. `unconfirmed`: no code of the signer's on it. `confirmation`: it is not the one that was confirmed.
 * `follow-up`: it does not follow from a first half that was confirmed. `payout-books`: the books hold something else for it.
 * `payout-conversion`: its shares of conversions are more than the certified budgets still hold, or of no period that has closed.
 * `payout-recipient`: an address whose key is not kept here. `order-foreign`: no order of this person, or it became
 * another one. `order-grants`: its grant is of no unlocked guard. `order-fire`: it asks to be a fire and is none. `order-…`: see `FireMisfit`.
 * `copy-mandate`: it names a copy, and that copy's mandate does not allow it. `personal-key`: it names a key of a person's program, and the
 * request that this key signed, or the key itself, does not allow it. `guard-stop`: a Stop link that
 * does more than stop. `landed`: another transaction of the intent has landed.
 */
export type SignerRule =
  | 'not-open'
  | 'not-due'
  | 'foreign-wallet'
  | 'unknown-person'
  | 'unconfirmed'
  | 'confirmation'
  | 'follow-up'
  | 'payout-books'
  | 'payout-conversion'
  | 'payout-recipient'
  | 'order-foreign'
  | 'order-grants'
  | 'order-fire'
  | 'order-locked'
  | `order-${FireMisfit}`
  | 'copy-mandate'
  | 'personal-key'
  | 'guard-stop'
  | 'landed';

/** Refuses with the rule's name. */
export function denySignature(rule: SignerRule): never {
  throw new AppError('POLICY_DENIED', { rule });
}
