import type { LocalChain } from '../chain.ts';
import { success } from '../rpc/dispatch.ts';
import { isRecord } from '../rpc/params.ts';
import { MAX_BLOCKHASH_AGE, type Slots } from '../slots.ts';

/**
 * The answer as a replica `behind` slots in the past would give it, made from the true one: it knows everything that landed by the slot it
 * names and nothing later. An answer that named a slot and denied an earlier landing would be a lie, not a lag. No client can prove
 * anything by the answers of liars alone. Account reads stay as they are: a lagging replica hurts money when it denies landed signatures
 * and hands out dead hashes.
 */
export function laggingAnswer(
  chain: LocalChain,
  request: { readonly id: unknown; readonly method: string },
  answer: string,
  behind: number,
): string {
  const body: unknown = JSON.parse(answer);
  if (!isRecord(body) || !('result' in body)) return answer;
  const { result } = body;
  const old = (value: unknown): unknown => (typeof value === 'number' ? Math.max(0, value - behind) : value);
  const tip = Math.max(0, chain.slots.tip() - behind);
  switch (request.method) {
    case 'getSlot':
    case 'getBlockHeight':
      return success(request.id, old(result));
    case 'getEpochInfo':
      return isRecord(result)
        ? success(request.id, {
            ...result,
            blockHeight: old(result['blockHeight']),
            absoluteSlot: old(result['absoluteSlot']),
          })
        : answer;
    case 'getTransaction':
      return isRecord(result) && landedBy(result, tip - 1) ? answer : success(request.id, null);
    case 'getSignatureStatuses':
      return isRecord(result) && Array.isArray(result['value'])
        ? success(request.id, {
            ...aged(result, old),
            value: result['value'].map((status: unknown) =>
              isRecord(status) && landedBy(status, tip) ? statusAt(chain.slots, status, tip) : null,
            ),
          })
        : answer;
    case 'getLatestBlockhash': {
      return isRecord(result)
        ? success(request.id, {
            ...aged(result, old),
            value: {
              blockhash: chain.slots.hashOf(tip),
              lastValidBlockHeight: chain.slots.heightOf(tip) + MAX_BLOCKHASH_AGE,
            },
          })
        : answer;
    }
    default:
      return answer;
  }
}

function landedBy({ slot }: Readonly<Record<string, unknown>>, tip: number): boolean {
  return typeof slot === 'number' && slot <= tip;
}

function statusAt(slots: Slots, status: Readonly<Record<string, unknown>>, tip: number) {
  const slot = Number(status['slot']);
  const confirmationStatus = slots.commitmentAt(slot, tip);
  const confirmations = confirmationStatus === 'finalized' ? null : tip - slot;
  return { ...status, confirmations, confirmationStatus };
}

function aged(result: Readonly<Record<string, unknown>>, old: (value: unknown) => unknown) {
  const context = result['context'];
  return { ...result, context: isRecord(context) ? { ...context, slot: old(context['slot']) } : context };
}
