import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { createIndexer } from '../modules/market/indexer/create-indexer.ts';
import type { WellKnownToken } from '../modules/tokens/rules/safety.ts';
import { ranked } from '../platform/chain/call-turns.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { Adapters } from './adapters.ts';

/** Whole blocks cover all markets at once; elsewhere each costs its own calls. */
const MARKETS = { apart: 512, together: 50_000 };
/** Starts writing down trades; resolves to its end. Throws CONFIG_INVALID where the tape is of another chain. */
export async function startIndexer(
  adapters: Adapters,
  known: {
    readonly config: Config;
    readonly isLocal: boolean;
    readonly genesisHash: string;
    readonly wellKnown: readonly WellKnownToken[];
    /** SOL first, then the dollars. */
    readonly hubs: readonly Address[];
    readonly usd: Address | null;
    readonly log: Logger;
  },
): Promise<() => Promise<void>> {
  const { transactionSource: source, indexerLeases: leases } = adapters;
  if (source === null) throw new RangeError('this process was opened without a source of transactions');
  const [sol, ...dollars] = known.hubs;
  const preferred = [known.usd, ...dollars, sol].filter((mint) => mint !== null && mint !== undefined);
  const indexer = createIndexer(
    {
      ...adapters,
      source,
      leases,
      owner: adapters.ids.ulid(),
      // The embedded chain keeps all its blocks and lists all its pools: there the tape begins with the chain.
      money: { sol: WSOL_MINT, dollars: known.hubs.filter((mint) => mint !== WSOL_MINT) },
      fromStart: known.isLocal && source.reads === 'together',
      wellKnown: known.wellKnown,
      quoteMints: [...new Set(preferred)],
      limit: known.config.index.markets ?? MARKETS[source.reads],
      log: known.log,
    },
    known.genesisHash,
  );
  await ranked('tape', () => indexer.start());
  return indexer.stop;
}
