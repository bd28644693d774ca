import { randomBytes } from 'node:crypto';
import { type ChainDeps, createLocalChain, type LocalChain } from './chain.ts';
import { createWorld } from './genesis/create-world.ts';
import type { World } from './genesis/world.ts';
import type { ChainPlugin } from './plugin.ts';
import { loadProgramsDir, type ProgramsReport } from './programs-dir.ts';
import type { JournalEntry } from './state/journal-entry.ts';
import { openStateDir, type SnapshotContent, type StateDir, seedOf } from './state/state-dir.ts';
import { createSvm } from './svm.ts';

export type OpenChainOptions<Kept extends object> = {
  /** What lives on the chain from genesis on, or null. */
  readonly plugin: ChainPlugin<Kept> | null;
  /** How a person starts afresh, as a sentence: it ends what is said about a folder that cannot be used. */
  readonly resetHint: string | undefined;
  readonly dir: string | undefined;
  readonly programsDir: string | undefined;
  readonly seed: string | undefined;
  readonly slotMs: number;
  readonly historyLimit: number;
  readonly snapshotEvery: number;
  readonly now: () => number;
};

export type OpenChain<Kept extends object> = {
  readonly chain: LocalChain;
  readonly seed: Uint8Array;
  readonly world: World & Kept;
  readonly programs: ProgramsReport;
  /** Saves a snapshot and gives the folder back. */
  readonly close: () => void;
};

/** A chain continued from its folder, or a new one with its genesis; without a folder it lives in memory only. */
export function openChain<Kept extends object>(options: OpenChainOptions<Kept>): OpenChain<Kept> {
  const wanted = options.seed === undefined ? null : seedOf(options.seed);
  const state = options.dir === undefined ? null : openStateDir(options.dir, wanted, options.resetHint);
  try {
    return continueChain(options, state, state?.seed ?? wanted ?? randomBytes(32));
  } catch (error) {
    state?.close();
    throw error;
  }
}

function continueChain<Kept extends object>(
  options: OpenChainOptions<Kept>,
  state: StateDir | null,
  seed: Uint8Array,
): OpenChain<Kept> {
  const saved = state?.saved ?? null;
  const svm = createSvm(saved?.snapshot.machine);
  const { plugin } = options;
  if (saved !== null && state !== null) assertSamePlugin(state, saved.snapshot.world, plugin);
  // What a plug-in kept is read by the same plug-in again.
  const world = (saved?.snapshot.world ?? createWorld(svm, seed, plugin)) as World & Kept;
  let unsaved = 0;
  const content = (): SnapshotContent => ({
    tip: chain.slots.tip(),
    unixSeconds: chain.slots.unixSecondsOf(chain.slots.tip()),
    world,
    versions: [...chain.versions.entries()],
    machine: svm.toBytes(),
  });
  const persist: ChainDeps['persist'] = {
    entry: (entry) => {
      state?.append(entry);
      unsaved += 1;
    },
    slot: (slot, unixSeconds) => {
      state?.writeHead({ slot, unixSeconds });
      if (unsaved < options.snapshotEvery) return;
      state?.save(content());
      unsaved = 0;
    },
  };
  const { slotMs, historyLimit, now } = options;
  const chain = createLocalChain({ svm, seed, slotMs, historyLimit, now, persist });
  const openedAt = Math.floor(now() / 1000);
  if (saved === null) {
    chain.open(chain.slots.tip(), openedAt);
  } else {
    chain.open(saved.snapshot.tip, saved.snapshot.unixSeconds);
    for (const [address, versions] of saved.snapshot.versions) chain.versions.restore(address, versions);
    for (const entry of saved.before) if (entry.kind === 'landed') chain.remember(entry.transaction);
    replayAll(chain, saved.after, state);
    chain.open(Math.max(chain.slots.tip(), saved.head?.slot ?? 0) + 1, openedAt);
  }
  const programs = loadProgramsDir(options.programsDir, chain);
  const lines = saved === null ? 0 : saved.before.length + saved.after.length;
  if (lines > 2 * historyLimit) state?.compact(content(), historyOf(chain));
  else state?.save(content());
  return {
    chain,
    seed,
    world,
    programs,
    close: () => {
      state?.save(content());
      state?.close();
    },
  };
}

/** A plug-in's accounts are there from genesis on: it can neither join an older chain nor leave it. */
function assertSamePlugin(
  state: StateDir,
  { plugin: made }: World,
  plugin: Pick<ChainPlugin, 'name'> | null,
): void {
  // Releases that did not write it down had one plug-in and always used it.
  const wanted = plugin?.name ?? null;
  if (made === undefined || made === wanted) return;
  const name = (one: string | null): string =>
    one === null ? 'without a plug-in' : `with the plug-in ${one}`;
  throw state.unusable(`was made ${name(made)} and is now opened ${name(wanted)}`);
}

function replayAll(chain: LocalChain, entries: readonly JournalEntry[], state: StateDir | null): void {
  try {
    for (const entry of entries) chain.replay(entry);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw state?.unusable(`cannot be read: ${reason}`) ?? error;
  }
}

function* historyOf(chain: LocalChain): Iterable<JournalEntry> {
  for (const transaction of chain.ledger.all()) yield { kind: 'landed', transaction };
}
