import {
  type Address,
  DONT_FRONT_PREFIX,
  type Instruction,
  maxBigint,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
import type { TipTerms } from '../../intents/rules/tip-terms.ts';
import type { PolicyContext } from './kind-policy.ts';
import { deny } from './policy-rule.ts';
import type { ReadMessage } from './read-message.ts';

type Parts = Pick<ReadMessage, 'instructions' | 'actions'>;

/**
 * The message without its tip, which is judged here. There is one at most, and it is the last instruction. It goes from the wallet to the
 * confirmed account, which is one of the sender's as the operator keeps them. It is no more than was confirmed, and than the operator's
 * cap. It names two accounts, or a third that asks not to be run ahead of, which neither signs nor is written. Any other transfer to a tip
 * account is refused, with a tip and without. Throws POLICY_DENIED with the rule `tip`, or another name that is given.
 */
export function withoutTip<M extends Parts>(
  read: M,
  tip: TipTerms | null,
  { wallet, tips }: Pick<PolicyContext, 'wallet' | 'tips'>,
  rule: 'tip' | 'swap-tip' = 'tip',
): M {
  const known = new Set(Object.values(tips?.accounts ?? {}).flat());
  const last = read.instructions.at(-1);
  const isLast = tip !== null && last !== undefined && receiverOf(last) === tip.to;
  const rest = isLast ? read.instructions.slice(0, -1) : read.instructions;
  if (rest.some((one) => known.has(receiverOf(one) ?? wallet))) deny(rule);
  if (!isLast) return read;
  if (!(tips?.accounts[tip.sender] ?? []).includes(tip.to)) deny(rule);
  const [from, , third, ...more] = last.accounts;
  if (from?.address !== wallet || more.length > 0) deny(rule);
  if (third !== undefined && (third.signer || third.writable || !third.address.startsWith(DONT_FRONT_PREFIX)))
    deny(rule);
  const lamports = lamportsOf(last);
  if (lamports > tip.atMost || lamports > (tips?.capLamports ?? 0n)) deny(rule);
  return { ...read, instructions: rest, actions: read.actions.slice(0, -1) };
}

/**
 * The message of a swap that another person signs without its tip: as `withoutTip`, and a tip that was asked for is there, and is exactly
 * what the answer says. Throws POLICY_DENIED with the rule `swap-tip`.
 */
export function withoutSwapTip<M extends Parts>(
  read: M,
  tip: TipTerms | null,
  context: Pick<PolicyContext, 'wallet' | 'tips'>,
): M {
  const rest = withoutTip(read, tip, context, 'swap-tip');
  if (tip === null) return rest;
  const last = read.instructions.at(-1);
  const isPaid = rest !== read && last !== undefined && lamportsOf(last) === tip.lamports;
  return isPaid ? rest : deny('swap-tip');
}

/**
 * The most lamports that one plain transfer of these instructions brings to one of the accounts; 0 where none does. An account that a lookup
 * table names counts for nothing: senders do not see it there.
 */
export function tipPaidTo(instructions: readonly Instruction[], accounts: readonly Address[]): bigint {
  return instructions.reduce((most, one) => {
    const to = receiverOf(one);
    if (to === null || !accounts.includes(to)) return most;
    return maxBigint(most, lamportsOf(one));
  }, 0n);
}

/** Where a plain transfer of lamports leads, however many accounts it names; null for any other instruction. */
function receiverOf({ programId, data, accounts }: Instruction): Address | null {
  if (programId !== SYSTEM_PROGRAM || data.length !== 12) return null;
  return viewOf(data).getUint32(0, true) === 2 ? (accounts[1]?.address ?? null) : null;
}

const lamportsOf = ({ data }: Instruction): bigint => viewOf(data).getBigUint64(4, true);

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.length);
