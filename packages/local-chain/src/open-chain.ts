import { randomBytes } from 'node:crypto';
import { type ChainDeps, createLocalChain, type LocalChain } from './chain.ts';
import { activeFeature, VERSION_1_FEATURE } from './features.ts';
import { createWorld } from './genesis/create-world.ts';
import type { World } from './genesis/world.ts';
import type { LedgerLimits } from './ledger.ts';
import { type NetworkName, networkOf, PLAIN_CALENDAR } from './networks.ts';
import type { ChainPlugin } from './plugin.ts';
import { loadProgramsDir, type ProgramsReport } from './programs-dir.ts';
import { setRent } from './rent.ts';
import type { JournalEntry } from './state/journal-entry.ts';
import {
  FIRST_JOURNAL,
  openStateDir,
  type SavedState,
  type SnapshotContent,
  type StateDir,
  seedOf,
} from './state/state-dir.ts';
import { createSvm } from './svm.ts';

const DEFAULT_SLOT_MS = 400;

export type OpenChainOptions<Kept extends object> = {
  /** The plug-in that lives on the chain from genesis on, or null. */
  readonly plugin: ChainPlugin<Kept> | null;
  /** How a person starts afresh, as a sentence: it ends the error about a folder that cannot be used. */
  readonly resetHint: string | undefined;
  /** The network that the chain of a folder must be of; null: any. */
  readonly network: NetworkName | null;
  /** The one that a new chain is made as; null: plain. */
  readonly networkIfNew: NetworkName | null;
  /** Whether transactions of version 1 land; null: as on the network. */
  readonly version1: boolean | null;
  readonly dir: string | undefined;
  readonly programsDir: string | undefined;
  readonly seed: string | undefined;
  /** Null: as on the network. */
  readonly slotMs: number | null;
  readonly history: LedgerLimits;
  readonly snapshotEvery: number;
  readonly now: () => number;
  readonly log: (line: string) => void;
};

export type OpenChain<Kept extends object> = {
  readonly chain: LocalChain;
  readonly seed: Uint8Array;
  readonly world: World & Kept;
  /** Of the chain as it runs. */
  readonly slotMs: number;
  readonly programs: ProgramsReport;
  /** Writes the journal anew with the kept history; one that runs already is waited for. Rejects when the disk does. */
  readonly compact: () => Promise<void>;
  /** The compaction that runs now, null for none. */
  readonly compacting: () => Promise<void> | null;
  /** Saves a snapshot and gives the folder back; a compaction that runs is given up. */
  readonly close: () => Promise<void>;
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
  // A plug-in reads its own saved state again.
  const made = saved?.snapshot.world ?? withNetwork(createWorld(svm, seed, plugin), options.networkIfNew);
  const world = made as World & Kept;
  if (state !== null) assertSameNetwork(state, world, options.network);
  const network = world.network === undefined ? null : networkOf(world.network);
  let unsaved = 0;
  const content = (): SnapshotContent => ({
    tip: chain.slots.tip(),
    unixSeconds: chain.slots.unixSecondsOf(chain.slots.tip()),
    world,
    history: { count: chain.ledger.count(), firstSlot: chain.ledger.firstSlot() },
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
      compactWhenDue();
      if (unsaved < options.snapshotEvery) return;
      state?.save(content());
      unsaved = 0;
    },
  };
  let running: Promise<void> | null = null;
  const compact = (): Promise<void> => {
    running ??= (state?.compact(historyOf(chain), content) ?? Promise.resolve()).finally(() => {
      running = null;
    });
    return running;
  };
  /** When half of the journal is forgotten: then writing the other half again costs as much as writing it did. */
  const compactWhenDue = (): void => {
    const forgotten = (state?.lines() ?? 0) - chain.ledger.size();
    if (running !== null || forgotten < Math.max(chain.ledger.size(), options.snapshotEvery)) return;
    compact().catch((error: unknown) => options.log(`The journal could not be compacted: ${String(error)}`));
  };
  const { history, now } = options;
  const slotMs = options.slotMs ?? network?.slotMs ?? DEFAULT_SLOT_MS;
  const calendar = network?.calendar ?? PLAIN_CALENDAR;
  const chain = createLocalChain({ svm, seed, slotMs, calendar, history, now, persist });
  const openedAt = Math.floor(now() / 1000);
  if (saved === null) {
    chain.open(chain.slots.tip(), openedAt);
    if (network !== null) setRent(chain, network.lamportsPerByte);
  } else {
    chain.open(saved.snapshot.tip, saved.snapshot.unixSeconds);
    for (const [address, versions] of saved.snapshot.versions) chain.versions.restore(address, versions);
    readHistory(chain, saved, state);
    chain.open(nextBlock(chain, Math.max(chain.slots.tip(), saved.head?.slot ?? 0)), openedAt);
  }
  if (options.version1 ?? network?.version1 ?? true) chain.plant(VERSION_1_FEATURE, activeFeature());
  else svm.setAccount(VERSION_1_FEATURE, null);
  const programs = loadProgramsDir(options.programsDir, chain);
  state?.save(content());
  return {
    chain,
    seed,
    world,
    slotMs,
    programs,
    compact,
    compacting: () => running,
    close: async () => {
      state?.save(content());
      state?.close();
      // The caller that began it hears how it ended.
      await running?.catch(() => undefined);
    },
  };
}

const withNetwork = (world: World, network: NetworkName | null): World =>
  network === null ? world : { ...world, network };

/** The first slot with a block after `slot`. */
function nextBlock(chain: Pick<LocalChain, 'slots'>, slot: number): number {
  return chain.slots.isSkipped(slot + 1) ? nextBlock(chain, slot + 1) : slot + 1;
}

/** The heights and finality of a chain's past slots cannot change. */
function assertSameNetwork(state: StateDir, { network }: World, wanted: NetworkName | null): void {
  if (wanted === null || wanted === network) return;
  throw state.unusable(
    `was made as ${network ?? 'a chain without a network'} and is now opened as ${wanted}`,
  );
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

/** The snapshot's content is restored, later entries are run again. */
function readHistory(chain: LocalChain, saved: SavedState, state: StateDir | null): void {
  const { history, journalName } = saved.snapshot;
  let first: number | null = null;
  let isBehind = false;
  const reachSnapshot = (): void => {
    if (isBehind) return;
    isBehind = true;
    if (history !== undefined) chain.ledger.resume(history);
    // An earlier release dropped history when it began another journal, and did not say from where.
    else if (journalName !== FIRST_JOURNAL && first !== null)
      chain.ledger.resume({ count: chain.ledger.count(), firstSlot: first });
  };
  try {
    for (const { entry, isInside } of saved.entries()) {
      if (entry.kind === 'landed') first ??= entry.transaction.slot;
      if (isInside) chain.remember(entry);
      else {
        reachSnapshot();
        chain.replay(entry);
      }
    }
    reachSnapshot();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw state?.unusable(`cannot be read: ${reason}`) ?? error;
  }
}

/** As it is now: an entry that is forgotten during the reading is still given. */
function* historyOf(chain: LocalChain): Generator<JournalEntry> {
  for (const one of chain.ledger.entries()) {
    if ('status' in one) yield { kind: 'status', status: one.status };
    else yield { kind: 'landed', transaction: one.transaction };
  }
}
