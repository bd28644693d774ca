import { AppError } from '../../../core/errors/app-error.ts';
import { SOURCE } from './follow-lane.ts';
import { createIndexerState, type IndexerState } from './indexer-state.ts';
import type { IndexerDeps, Lane } from './lane.ts';
import { LANES } from './lanes.ts';

/** After a round that failed: the node or the database is away, or a bug must not become a loop without a pause. */
const AFTER_FAILURE_MS = 2_000;

/**
 * Writes down every trade of the followed markets for as long as it runs: from the end of the tape, also after a crash of the process.
 * `start` throws CONFIG_INVALID where the tape is of another chain.
 */
export function createIndexer(deps: IndexerDeps, genesisHash: string) {
  const state = createIndexerState(deps.clock);
  const running: { readonly poke: () => void; readonly stop: () => Promise<void> }[] = [];
  let wakes: { stop(): Promise<void> } | null = null;

  return {
    start: async (): Promise<void> => {
      await assertSameChain(deps, genesisHash);
      await deps.tape.setMoney(deps.money);
      const cursor = await deps.tape.sourceCursor(SOURCE);
      if (cursor !== null) deps.source.resume({ slot: cursor.slot, hash: cursor.blockHash });
      for (const trade of await deps.tape.lastTrades()) state.tradedAt.set(trade.marketId, trade.at * 1_000);
      const listeners: (() => void)[] = [];
      for (const lane of LANES) {
        const loop = runLane(lane, deps, state);
        running.push(loop);
        if (lane.hearsWakes) listeners.push(loop.poke);
      }
      wakes = deps.source.wakes(
        () => new Set(state.markets.map(({ address }) => address)),
        (address, named) => {
          for (const market of state.markets) {
            if (address !== null && market.address !== address) continue;
            state.woken.add(market.id);
            if (address !== null && named !== undefined) state.named.add(market.id, named);
          }
          for (const poke of listeners) poke();
        },
      );
    },
    stop: async (): Promise<void> => {
      await wakes?.stop();
      await Promise.all(running.map(({ stop }) => stop()));
      await deps.leases.leave(deps.owner);
    },
  };
}

/** Two chains in one tape would be neither. */
async function assertSameChain({ markets }: IndexerDeps, genesisHash: string): Promise<void> {
  const known = await markets.claimGenesis(genesisHash);
  if (known === genesisHash) return;
  throw new AppError('CONFIG_INVALID', {
    problems: [
      `the market tape in this database is of the chain ${known}, and the node is of ${genesisHash}. Name a node of that chain, or delete the tape with "npm run ops -- market forget"`,
    ],
  });
}

function runLane(
  lane: Lane,
  deps: IndexerDeps,
  state: IndexerState,
): { readonly poke: () => void; readonly stop: () => Promise<void> } {
  let stopped = false;
  let isPoked = false;
  let wake = (): void => undefined;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped || isPoked) wake();
    });
  const loop = async (): Promise<void> => {
    while (!stopped) {
      isPoked = false;
      let waitMs = AFTER_FAILURE_MS;
      try {
        waitMs = await lane.round(deps, state);
      } catch (err) {
        deps.log.warn({ lane: lane.name, err }, 'a round of the indexer failed');
        isPoked = false;
      }
      if (!stopped) await sleep(waitMs);
    }
  };
  const looping = loop();
  return {
    poke: () => {
      isPoked = true;
      wake();
    },
    stop: async () => {
      stopped = true;
      wake();
      await looping;
    },
  };
}
