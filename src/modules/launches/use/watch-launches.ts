import { type Address, minBigint } from '@tradepost/solana';
import type { LaunchEvent, PadFeed } from '@tradepost/venues';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { LaunchFeed } from '../../../platform/ports/launch-feed.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { dueLooks } from '../rules/look-order.ts';
import { afterEvent, afterLook, createdAgain, newLaunch, type SeenLaunch } from '../rules/stage.ts';

/** Between two rounds: on one's own machine a slot, elsewhere the calls of a round come out of the budget. */
const ROUND_MS = { free: 300, budgeted: 2_000 } as const;
/** Curves that one question to a node reads. */
const CURVES_PER_LOOK = 40;
/** Questions of one round about curves where nothing limits them. */
const FREE_LOOKS = 25;
const WATCHED = 5_000;
/** Longer silences are not read after: old creations are no news. */
const LONGEST_GAP = 5_000n;
/** No trade for so long: no longer looked at. */
const WATCHED_MS = 86_400_000;

export type LaunchWatchDeps = {
  readonly db: Pick<Database, 'seenLaunches' | 'transact'>;
  readonly feed: LaunchFeed;
  readonly clock: Clock;
  /** Questions about curves in a second at most; null without a limit. */
  readonly looksPerSecond: number | null;
  /** Whether this process is the one that reads launches. */
  readonly isFirst: () => boolean;
  /**
   * Prepares the news of a change before its commit, with questions to nodes where it needs some. The answer runs in the commit that
   * writes the change.
   */
  readonly news: (before: SeenLaunch | null, after: SeenLaunch) => Promise<(stores: Stores) => Promise<void>>;
  /** After a round in which something was written. */
  readonly onChange: () => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
};

export type LaunchWatch = {
  /** One round: reads new events, and looks at the curves that are due. Milliseconds until the next; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/**
 * Reads launches on the pads of this cluster. An event read twice changes nothing: a row is made once, and its stage only rises. A creation
 * or a stage that a fork took back falls again while its slot is not final. Without a limit of questions an event is written before two
 * more slots are confirmed, however many curves are due.
 */
export function createLaunchWatch(deps: LaunchWatchDeps): LaunchWatch {
  const { feed, log } = deps;
  const known = new Set<Address>();
  const roundMs = deps.looksPerSecond === null ? ROUND_MS.free : ROUND_MS.budgeted;
  const looks =
    deps.looksPerSecond === null
      ? FREE_LOOKS
      : Math.max(1, Math.floor((deps.looksPerSecond * roundMs) / 1_000));
  const guarded = async (work: () => Promise<void>, what: string, pad: string): Promise<void> => {
    try {
      await work();
    } catch (err) {
      if (!isAppError(err)) log.warn({ err, pad }, what);
    }
  };
  return {
    round: async () => {
      if (feed.pads.length === 0 || !deps.isFirst()) return ROUND_MS.budgeted;
      let read: bigint | null = null;
      /** Returns the newest final slot. Pads are read side by side: a slow one keeps no launch of another waiting. */
      const readAll = async (): Promise<bigint> => {
        const [upTo, final] = await Promise.all([feed.horizon('confirmed'), feed.horizon('finalized')]);
        const finalSlot = minBigint(upTo, final);
        if (upTo === read) return finalSlot;
        read = upTo;
        await Promise.all(
          feed.pads.map((pad) =>
            guarded(
              () => readEvents(deps, pad, { upTo, finalSlot, known }),
              'launches could not be read',
              pad.pad,
            ),
          ),
        );
        return finalSlot;
      };
      await guarded(
        async () => {
          const finalSlot = await readAll();
          // Many curves take longer than a slot: without a limit, new slots are read between two questions about them.
          const between = deps.looksPerSecond === null ? readAll : async () => undefined;
          await lookAtCurves(deps, { finalSlot, looks, known, between });
          await deps.onChange();
        },
        'the launch feed could not be read',
        '',
      );
      return roundMs;
    },
    onAdd: () => undefined,
    stop: async () => undefined,
  };
}

async function readEvents(
  deps: LaunchWatchDeps,
  pad: PadFeed,
  {
    upTo,
    finalSlot,
    known,
  }: { readonly upTo: bigint; readonly finalSlot: bigint; readonly known: Set<Address> },
): Promise<void> {
  const place = (await deps.db.seenLaunches.place(pad.pad)) ?? finalSlot;
  // Slots that are not final are read again: a fork may have changed them.
  const after = place < upTo - LONGEST_GAP ? upTo - LONGEST_GAP : minBigint(place, upTo);
  const events = await pad.events({ after, upTo }, (mint) => known.has(mint));
  const isCreation = ({ kind }: LaunchEvent): boolean => kind === 'created';
  // Each is of a mint of its own, and their news may ask nodes: one waits for no other.
  await Promise.all(events.filter(isCreation).map((event) => apply(deps, pad.pad, event)));
  for (const event of events) if (event.kind === 'created') known.add(event.mint);
  for (const event of events) if (!isCreation(event)) await apply(deps, pad.pad, event);
  await deps.db.seenLaunches.moveTo(pad.pad, finalSlot);
}

async function apply(deps: LaunchWatchDeps, pad: string, event: LaunchEvent): Promise<void> {
  const now = deps.clock.now();
  if (event.kind !== 'created') {
    for (const before of await deps.db.seenLaunches.ofCurves([event.curve]))
      await write(deps, before, afterEvent(before, event, now));
    return;
  }
  const before = await deps.db.seenLaunches.find(event.mint);
  if (before !== null) return write(deps, before, createdAgain(before, event, now));
  const fresh = newLaunch(event, pad, now);
  const tell = await deps.news(null, fresh);
  await deps.db.transact(async (stores) => {
    if (await stores.seenLaunches.insert(fresh)) await tell(stores);
  });
}

/** Nothing where another process was faster. */
async function write(deps: LaunchWatchDeps, before: SeenLaunch, after: SeenLaunch): Promise<void> {
  if (after === before) return;
  const tell = await deps.news(before, after);
  await deps.db.transact(async (stores) => {
    if (await stores.seenLaunches.change(before, after)) await tell(stores);
  });
}

async function lookAtCurves(
  deps: LaunchWatchDeps,
  given: {
    readonly finalSlot: bigint;
    readonly looks: number;
    readonly known: Set<Address>;
    readonly between: () => Promise<unknown>;
  },
): Promise<void> {
  const { finalSlot } = given;
  const now = deps.clock.now();
  const watched = await deps.db.seenLaunches.watched(now - WATCHED_MS, finalSlot, WATCHED);
  const due = dueLooks(watched, { finalSlot, now, limit: given.looks * CURVES_PER_LOOK });
  let left = given.looks;
  for (const pad of deps.feed.pads) {
    const own = due.filter((launch) => launch.pad === pad.pad);
    for (let at = 0; at < own.length && left > 0; at += CURVES_PER_LOOK) {
      if (left < given.looks) await given.between();
      left -= 1;
      const part = own.slice(at, at + CURVES_PER_LOOK);
      // A pad that does not answer leaves the others their turn.
      const seen = await pad.states(part).catch(() => null);
      if (seen === null) break;
      for (const [index, before] of part.entries()) {
        const look = seen.looks[index] ?? 'unknown';
        const after = afterLook(before, { look, slot: seen.slot, finalSlot, now });
        if (after.takenBack) given.known.delete(after.mint);
        await write(deps, before, after);
      }
    }
  }
}
