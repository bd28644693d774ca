import type { TipRules } from '../../../engine/signing/rules/kind-policy.ts';
import { readTipRules, type TipOptions } from '../../files/tip-rules.ts';
import type { Sender } from '../../ports/sender.ts';
import { openSenders } from './index.ts';

/** The configured senders, and the accounts that the signer signs tips to. Throws CONFIG_INVALID as `readTipRules`. */
export function openTips(options: TipOptions): {
  readonly senders: readonly Sender[];
  readonly tips: TipRules;
} {
  const tips = readTipRules(options);
  return { senders: openSenders({ ...options, jitoAccounts: tips.accounts.jito ?? [] }), tips };
}
