import type { Address } from '@tradepost/solana';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Programs } from '../../../platform/ports/programs.ts';

export type TokenAgeDeps = {
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly programs: Pick<Programs, 'metadataRecordAddress'>;
  readonly clock: Clock;
};

/** A token that is younger takes the PIN: time for the owner to see that another person is at the chat. */
const YOUNG_MS = 24 * 3_600_000;
/** As many as a node tells at once. */
const PAGE = 1_000;
const KEPT_MS = 60_000;
const CAPACITY = 5_000;

/**
 * Whether a mint is a day old, as far as its history shows; an answer of "not yet" is kept for a minute. Each call throws
 * CHAIN_UNREACHABLE.
 */
export function createTokenAge(deps: TokenAgeDeps): (mint: Address) => Promise<boolean> {
  const old = createTtlCache<Address, boolean>({
    ttlMs: KEPT_MS,
    capacity: CAPACITY,
    now: () => deps.clock.now(),
  });
  // Age only grows: an old token is never asked about again.
  const grown = new Set<Address>();
  return async (mint) => {
    if (grown.has(mint)) return true;
    if (!(await old.get(mint, () => isOldOnChain(deps, mint)))) return false;
    if (grown.size < CAPACITY) grown.add(mint);
    return true;
  };
}

/**
 * Whether the oldest transaction that names the mint, or its metadata record, is a day old. A busy mint has more within a day than one
 * page tells; its record is named when it is made and seldom again. A mint that cannot be dated this way counts as young.
 */
async function isOldOnChain({ history, programs, clock }: TokenAgeDeps, mint: Address): Promise<boolean> {
  const since = clock.now() - YOUNG_MS;
  for (const address of [mint, programs.metadataRecordAddress(mint)]) {
    const entries = await history.signatures(address, { before: null, limit: PAGE });
    const at = entries.findLast((entry) => entry.at !== null)?.at ?? null;
    if (at !== null && at <= since) return true;
  }
  return false;
}
