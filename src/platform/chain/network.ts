import { AppError } from '../../core/errors/app-error.ts';
import { createTtlCache } from '../../core/ttl-cache.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointPool } from './endpoint-pool.ts';

/** A balancer may be pointed elsewhere while we run. */
const RECHECK_MS = 60_000;

/**
 * Which network the endpoints are of. The first answer is kept for good: an endpoint that names another one later knows nothing
 * of our transactions, and its "not found" must prove no death.
 */
export function createNetwork(pool: EndpointPool, now: () => number) {
  const named = createTtlCache<Endpoint, string>({ ttlMs: RECHECK_MS, capacity: 100, now });
  let pinned: string | null = null;

  const nameOf = (endpoint: Endpoint): Promise<string> =>
    named.get(endpoint, () => pool.readFrom(endpoint, ({ connection }) => connection.getGenesisHash()));

  /** Asks all that answer, so that the first to answer does not decide alone. */
  const hash = async (): Promise<string> => {
    if (pinned !== null) return pinned;
    const answers = await Promise.allSettled(pool.endpoints.map(nameOf));
    const names = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
    const [first] = names;
    if (first === undefined) {
      // No endpoint answered: the pool decides, with its pauses and its words.
      return pool.read(({ connection }) => connection.getGenesisHash());
    }
    if (names.size > 1) {
      const all = pool.endpoints.map(({ label }) => label).join(', ');
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: all, cause: 'they are of different networks' });
    }
    pinned ??= first;
    return pinned;
  };

  return {
    /** The genesis hash that all endpoints name. Throws CHAIN_UNREACHABLE when none answers or two differ. */
    hash,
    /** Throws CHAIN_UNREACHABLE for an endpoint of another network. */
    async assertSame(endpoint: Endpoint): Promise<void> {
      if ((await hash()) === (await nameOf(endpoint))) return;
      throw new AppError('CHAIN_UNREACHABLE', {
        endpoint: endpoint.label,
        cause: 'it is of another network',
      });
    },
  };
}
