import { randomBytes } from 'node:crypto';
import { type ChainDeps, createLocalChain, type LocalChain } from './chain.ts';
import { createWorld } from './genesis/create-world.ts';
import type { World } from './genesis/world.ts';
import type { LedgerLimits } from './ledger.ts';
import { loadProgramsDir, type ProgramsReport } from './programs-dir.ts';
import {
  openStateDir,
  type SavedState,
  type SnapshotContent,
  type StateDir,
  seedOf,
} from './state/state-dir.ts';
import { unreadable } from './state/state-error.ts';
import { createSvm } from './svm.ts';

export type OpenChainOptions = {
  readonly dir: string | undefined;
  readonly programsDir: string | undefined;
  readonly seed: string | undefined;
  readonly slotMs: number;
  readonly history: LedgerLimits;
  readonly snapshotEvery: number;
  readonly log: (line: string) => void;
  readonly now: () => number;
};

export type OpenChain = {
  readonly chain: LocalChain;
  readonly seed: Uint8Array;
  readonly world: World;
  readonly programs: ProgramsReport;
  /** Saves a snapshot and gives the folder back. */
  readonly close: () => void;
};

/** A chain continued from its folder, or a new one with its genesis; without a folder it lives in memory only. */
export function openChain(options: OpenChainOptions): OpenChain {
  const wanted = options.seed === undefined ? null : seedOf(options.seed);
  const state = options.dir === undefined ? null : openStateDir(options.dir, wanted);
  try {
    return continueChain(options, state, state?.seed ?? wanted ?? randomBytes(32));
  } catch (error) {
    state?.close();
    throw error;
  }
}

function continueChain(options: OpenChainOptions, state: StateDir | null, seed: Uint8Array): OpenChain {
  const saved = state?.saved ?? null;
  const svm = createSvm(saved?.snapshot.machine);
  const world = saved?.snapshot.world ?? createWorld(svm, seed);
  // A journal left long by an earlier run is closed and shortened at the first slot.
  let unsaved = saved?.lines ?? 0;
  let isSaving = false;
  const content = (): SnapshotContent => ({
    tip: chain.slots.tip(),
    unixSeconds: chain.slots.unixSecondsOf(chain.slots.tip()),
    landedCount: chain.ledger.count(),
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
      if (unsaved < options.snapshotEvery || isSaving || state === null) return;
      unsaved = 0;
      isSaving = true;
      // What fails here is tried again some entries later; until then the journal alone holds what the snapshot lacks.
      void state
        .saveAndTidy(content(), chain.ledger, 2 * options.history.transactions)
        .catch((error: unknown) =>
          options.log(`The local chain's state could not be saved: ${String(error)}`),
        )
        .finally(() => {
          isSaving = false;
        });
    },
  };
  const { slotMs, history, now } = options;
  const chain = createLocalChain({ svm, seed, slotMs, history, now, persist });
  const openedAt = Math.floor(now() / 1000);
  if (saved === null) {
    chain.open(chain.slots.tip(), openedAt);
  } else {
    chain.open(saved.snapshot.tip, saved.snapshot.unixSeconds);
    for (const [address, versions] of saved.snapshot.versions) chain.versions.restore(address, versions);
    restoreHistory(chain, saved, options.dir ?? '');
    chain.open(Math.max(chain.slots.tip(), saved.head?.slot ?? 0) + 1, openedAt);
  }
  const programs = loadProgramsDir(options.programsDir, chain);
  state?.save(content());
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

function restoreHistory(chain: LocalChain, saved: SavedState, dir: string): void {
  let replayed = 0;
  for (const { entry, isInside } of saved.entries()) {
    if (isInside) {
      chain.remember(entry);
      continue;
    }
    if (entry.kind === 'landed') replayed += 1;
    try {
      chain.replay(entry);
    } catch (error) {
      throw unreadable(dir, error instanceof Error ? error.message : String(error));
    }
  }
  chain.ledger.resume(saved.firstKeptSlot ?? 0, (saved.snapshot.landedCount ?? 0) + replayed);
}
