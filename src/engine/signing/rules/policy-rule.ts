import { AppError } from '../../../core/errors/app-error.ts';

/** Every rule, by the name that POLICY_DENIED carries. */
export type PolicyRule =
  | 'message'
  | 'kind'
  | 'signers'
  | 'memo'
  | 'compute-budget'
  | 'priority-fee'
  | 'tip'
  | 'program'
  | 'instruction'
  | 'sol-source'
  | 'sol-destination'
  | 'sol-amount'
  | 'token-source'
  | 'token-destination'
  | 'token-amount'
  | 'account-opening'
  | 'account-closing'
  | 'swap-check'
  | 'swap-destination'
  | 'swap-payer'
  | 'swap-tip'
  | 'swap-wrapped';

/** Refuses with the rule's name. */
export function deny(rule: PolicyRule): never {
  throw new AppError('POLICY_DENIED', { rule });
}
