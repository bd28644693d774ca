import type { Address } from '../../../core/address/address.ts';
import { DONT_FRONT_PREFIX, SYSTEM_PROGRAM } from '../../../core/address/programs.ts';
import type { Instruction } from '../../../core/instruction.ts';
import type { TipTerms } from '../../intents/rules/tip-terms.ts';
import type { PolicyContext } from './kind-policy.ts';
import { deny } from './policy-rule.ts';
import type { ReadMessage } from './read-message.ts';

type Parts = Pick<ReadMessage, 'instructions' | 'actions'>;

/**
 * The message without its tip, which is judged here. There is one at most, and it is the last instruction. It goes from the wallet to the
 * confirmed account, which is one of the sender's as the operator keeps them. It is no more than was confirmed, and than the operator's
 * cap. It names two accounts, or a third that asks not to be run ahead of, which neither signs nor is written. Any other transfer to a tip
 * account is refused, with a tip and without. Throws POLICY_DENIED with the rule `tip`.
 */
export function withoutTip<M extends Parts>(
  read: M,
  tip: TipTerms | null,
  { wallet, tips }: Pick<PolicyContext, 'wallet' | 'tips'>,
): M {
  const known = new Set(Object.values(tips?.accounts ?? {}).flat());
  const last = read.instructions.at(-1);
  const isLast = tip !== null && last !== undefined && receiverOf(last) === tip.to;
  const rest = isLast ? read.instructions.slice(0, -1) : read.instructions;
  if (rest.some((one) => known.has(receiverOf(one) ?? wallet))) deny('tip');
  if (!isLast) return read;
  if (!(tips?.accounts[tip.sender] ?? []).includes(tip.to)) deny('tip');
  const [from, , third, ...more] = last.accounts;
  if (from?.address !== wallet || more.length > 0) deny('tip');
  if (third !== undefined && (third.signer || third.writable || !third.address.startsWith(DONT_FRONT_PREFIX)))
    deny('tip');
  const lamports = lamportsOf(last);
  if (lamports > tip.atMost || lamports > (tips?.capLamports ?? 0n)) deny('tip');
  return { ...read, instructions: rest, actions: read.actions.slice(0, -1) };
}

/** Where a plain transfer of lamports leads, however many accounts it names; null for any other instruction. */
function receiverOf({ programId, data, accounts }: Instruction): Address | null {
  if (programId !== SYSTEM_PROGRAM || data.length !== 12) return null;
  return viewOf(data).getUint32(0, true) === 2 ? (accounts[1]?.address ?? null) : null;
}

const lamportsOf = ({ data }: Instruction): bigint => viewOf(data).getBigUint64(4, true);

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.length);
