import { METADATA_PROGRAM, type MetadataWay } from '@tradepost/solana';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { TokenSpec } from '../rules/token-spec.ts';

/** A cluster that lacks the program may get it; one that has it keeps it. */
const RECHECK_MS = 60_000;

export type MetadataWayOf = (program: TokenSpec['program']) => Promise<MetadataWay>;

/**
 * How this cluster keeps a new token's name: Token-2022 inside the mint, SPL Token in a Metaplex record where that program is
 * deployed, else not at all. Never Metaplex for Token-2022: it refuses some mints that are lawful. Throws CHAIN_UNREACHABLE.
 */
export function createMetadataWay(deps: {
  readonly chain: Pick<Chain, 'accounts'>;
  readonly clock: Clock;
}): MetadataWayOf {
  let seen: { readonly deployed: boolean; readonly at: Mark } | null = null;
  return async (program) => {
    if (program === 'token2022') return 'native';
    if (seen === null || (!seen.deployed && elapsedSince(seen.at, deps.clock) > RECHECK_MS)) {
      const [account] = (await deps.chain.accounts([METADATA_PROGRAM])).accounts;
      seen = { deployed: account?.executable === true, at: markOf(deps.clock) };
    }
    return seen.deployed ? 'metaplex' : 'none';
  };
}
