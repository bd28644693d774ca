import { type Address, WSOL_MINT } from '@tradepost/solana';
import { AppError } from '../../../../src/core/errors/app-error.ts';
import type { Notice } from '../../../../src/engine/notices/store-port.ts';
import type { TransactionDeps } from '../../../../src/engine/transactions/use/deps.ts';
import { createFollowWatch } from '../../../../src/modules/follows/use/watch-follows.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { TapeEvent } from '../../../../src/platform/ports/tape-store.ts';
import type { FaultLevels } from '../fault-levels.ts';
import { remoteDatabase } from '../faulty-ports.ts';
import { KilledError, type SimProcess } from '../process.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import type { marketsOf, SimTape } from './sim-tape.ts';

const MICRO_USD = 150_000_000n;
const ROUND_MS = 500;

/** One commit of the reader: the part of the log, as it was read, and the notices that were added with it. */
export type ReaderCommit = { readonly events: readonly TapeEvent[]; readonly notices: readonly Notice[] };

export type SignalWorld = {
  readonly timeline: Timeline;
  /** A stream of its own: weather of other kinds is as it would be. */
  readonly random: Random;
  readonly levels: () => FaultLevels;
  readonly db: Database;
  readonly tape: SimTape;
  readonly markets: ReturnType<typeof marketsOf>;
  readonly dollars: Address;
  /** The reader failed by a bug, and not by the weather. */
  readonly onFault: (err: unknown) => void;
  readonly onCommit: (commit: ReaderCommit) => void;
};

/** The real reader of followed wallets in one process, over a database that may not answer. It ends with its process. */
export function watchSignalsIn(
  world: SignalWorld,
  process: SimProcess,
  { clock, ids, relay }: Pick<TransactionDeps, 'clock' | 'ids' | 'relay'>,
): void {
  const { random, levels, tape } = world;
  let read: { readonly from: bigint; readonly events: readonly TapeEvent[] } = { from: -1n, events: [] };
  const asked = async (): Promise<void> => {
    await process.sleep(random.between(1, levels().maxLatencyMs));
    if (random.chance(levels().databaseFails))
      throw new AppError('DATABASE_UNREACHABLE', { cause: 'simulated' });
  };
  const watch = createFollowWatch({
    db: remoteDatabase(
      world,
      process,
      observed(world, (from) => (read.from === from ? read.events : [])),
    ),
    tape: {
      logEnd: async () => {
        await asked();
        return tape.end();
      },
      logAfter: async (from, { limit }) => {
        await asked();
        read = { from, events: tape.after(from, limit) };
        const { events } = read;
        await asked();
        return events;
      },
    },
    markets: { all: async () => world.markets as never },
    feed: { listen: () => () => undefined },
    clock,
    ids,
    solPrice: async () => MICRO_USD,
    money: [WSOL_MINT, world.dollars],
    nudge: () => relay.nudge(),
    onChange: () => undefined,
    log: {
      warn: ({ err }: { err?: unknown }) => {
        if (!(err instanceof KilledError)) world.onFault(err);
      },
    },
  });
  const loop = async (): Promise<void> => {
    for (;;) await process.sleep(Math.min(await watch.round(), ROUND_MS));
  };
  loop().catch(() => undefined);
}

/** The database with a note of each commit that moves the reader's place, at the instant of the commit. */
function observed(
  { db, onCommit }: Pick<SignalWorld, 'db' | 'onCommit'>,
  eventsFrom: (place: bigint) => readonly TapeEvent[],
): Database {
  return {
    ...db,
    transact: (work) =>
      db.transact(async (stores) => {
        const notices: Notice[] = [];
        let events: readonly TapeEvent[] | null = null;
        const { follows } = stores;
        const result = await work({
          ...stores,
          follows: {
            ...follows,
            movePlace: async (from, to) => {
              const moved = await follows.movePlace(from, to);
              if (moved) events = eventsFrom(from);
              return moved;
            },
          },
          notices: {
            ...stores.notices,
            add: async (rows) => {
              notices.push(...rows);
              await stores.notices.add(rows);
            },
          },
        });
        if (events !== null) onCommit({ events, notices });
        return result;
      }),
  };
}
