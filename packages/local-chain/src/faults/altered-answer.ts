import type { LocalChain } from '../chain.ts';
import { failure, success } from '../rpc/dispatch.ts';
import { isRecord } from '../rpc/params.ts';
import { BLOCK_CLEANED_UP, RpcError } from '../rpc/rpc-error.ts';

type Asked = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/** Lists of the methods that answer with one; a status per asked signature is none, its length is part of the question. */
const LISTS: readonly string[] = [
  'getSignaturesForAddress',
  'getProgramAccounts',
  'getTokenAccountsByOwner',
  'getTokenLargestAccounts',
  'getRecentPrioritizationFees',
  'getBlocks',
];

/** The answer of a node that forgot everything older than `keepsSlots` slots. */
export function prunedAnswer(chain: LocalChain, asked: Asked, answer: string, keepsSlots: number): string {
  const first = Math.max(chain.ledger.firstSlot(), chain.slots.tip() - keepsSlots);
  const result = resultOf(answer);
  const kept = (one: unknown): boolean => !isRecord(one) || Number(one['slot']) >= first;
  switch (asked.method) {
    case 'getFirstAvailableBlock':
    case 'minimumLedgerSlot':
      return success(asked.id, first);
    case 'getTransaction':
      return kept(result) ? answer : success(asked.id, null);
    case 'getSignaturesForAddress':
      return Array.isArray(result) ? success(asked.id, result.filter(kept)) : answer;
    case 'getSignatureStatuses':
      return isRecord(result) && Array.isArray(result['value'])
        ? success(asked.id, {
            ...result,
            value: result['value'].map((one: unknown) => (kept(one) ? one : null)),
          })
        : answer;
    case 'getBlock':
    case 'getBlockTime': {
      const gone = `Block ${String(asked.params[0])} cleaned up, does not exist on node. First available block: ${first}`;
      return Number(asked.params[0]) < first
        ? failure(asked.id, new RpcError(BLOCK_CLEANED_UP, gone))
        : answer;
    }
    case 'getBlocks':
    case 'getBlocksWithLimit':
      return Array.isArray(result)
        ? success(
            asked.id,
            result.filter((slot) => Number(slot) >= first),
          )
        : answer;
    default:
      return answer;
  }
}

/** The answer under another slot: `shift` slots from the true one. An answer without a slot stays as it is. */
export function shiftedAnswer(asked: Asked, answer: string, shift: number): string {
  const result = resultOf(answer);
  if (typeof result === 'number' && asked.method === 'getSlot')
    return success(asked.id, Math.max(0, result + shift));
  if (!isRecord(result) || !isRecord(result['context'])) return answer;
  const { context } = result;
  const slot = Math.max(0, Number(context['slot']) + shift);
  return success(asked.id, { ...result, context: { ...context, slot } });
}

/** The answer with the first half of its list. An answer without a list stays as it is. */
export function truncatedAnswer(asked: Asked, answer: string): string {
  if (!LISTS.includes(asked.method)) return answer;
  const result = resultOf(answer);
  const half = (list: readonly unknown[]) => list.slice(0, Math.floor(list.length / 2));
  if (Array.isArray(result)) return success(asked.id, half(result));
  if (!isRecord(result) || !Array.isArray(result['value'])) return answer;
  return success(asked.id, { ...result, value: half(result['value']) });
}

/** Undefined for an error. */
function resultOf(answer: string): unknown {
  const body: unknown = JSON.parse(answer);
  return isRecord(body) ? body['result'] : undefined;
}
