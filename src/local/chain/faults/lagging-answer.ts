import type { LocalChain } from '../chain.ts';
import { success } from '../rpc/dispatch.ts';
import { isRecord } from '../rpc/params.ts';
import { MAX_BLOCKHASH_AGE } from '../slots.ts';

/**
 * The answer as a replica `behind` slots in the past would give it, made from the true one. Account reads stay as they are:
 * what a lagging replica does to money is to deny landed signatures and to hand out dead hashes.
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
      return success(request.id, null);
    case 'getSignatureStatuses':
      return isRecord(result) && Array.isArray(result['value'])
        ? success(request.id, { ...aged(result, old), value: result['value'].map(() => null) })
        : answer;
    case 'getLatestBlockhash': {
      const slot = Math.max(0, chain.slots.tip() - behind);
      return isRecord(result)
        ? success(request.id, {
            ...aged(result, old),
            value: {
              blockhash: chain.slots.hashOf(slot),
              lastValidBlockHeight: chain.slots.heightOf(slot) + MAX_BLOCKHASH_AGE,
            },
          })
        : answer;
    }
    default:
      return answer;
  }
}

function aged(result: Readonly<Record<string, unknown>>, old: (value: unknown) => unknown) {
  const context = result['context'];
  return { ...result, context: isRecord(context) ? { ...context, slot: old(context['slot']) } : context };
}
