import { createHash } from 'node:crypto';
import { toBase58 } from './address.ts';
import type { LocalChain } from './chain.ts';
import { checkOptions } from './check-options.ts';
import { createFaucet } from './faucet.ts';
import { createFaultGate, type FaultGate } from './faults/fault-gate.ts';
import type { FaultPlanInput } from './faults/fault-plan.ts';
import { FAUCET_KEY } from './genesis/create-world.ts';
import type { World } from './genesis/world.ts';
import { urlsOf } from './http-server.ts';
import { deriveKey } from './keys.ts';
import type { NetworkName } from './networks.ts';
import { openChain } from './open-chain.ts';
import type { ChainPlugin, PluginContext, PluginRoutes } from './plugin.ts';
import type { ProgramsReport } from './programs-dir.ts';
import { setRent } from './rent.ts';
import { createDispatch } from './rpc/dispatch.ts';
import { senderStandIns } from './sender-stand-ins.ts';
import { startServer } from './server.ts';
import { createSubscriptions } from './subscriptions.ts';

export type LocalChainOptions<Kept extends object = object> = {
  /** Loopback only. */
  readonly host?: string;
  /** 0 or absent takes any free port. */
  readonly port?: number;
  /** A second port for web sockets; absent tries HTTP port + 1 and does without when that is taken, null does not try. */
  readonly wsPort?: number | null;
  /** Where the chain lives on; absent: in memory only. */
  readonly dir?: string;
  /** Compiled programs and accounts to load besides. */
  readonly programsDir?: string;
  /** Milliseconds per slot; absent: as on the network. 0 opens slots only by `advanceSlots`. */
  readonly slotMs?: number;
  /** Any text; the same seed makes the same world and keys. Absent: random. */
  readonly seed?: string;
  readonly clock?: { now(): number };
  /** Landed transactions that history keeps, 100,000 when absent, and the memory that they may take: 200 MB. */
  readonly historyLimit?: number;
  readonly historyBytes?: number;
  /** Journal entries after which a snapshot is taken. */
  readonly snapshotEvery?: number;
  readonly log?: (line: string) => void;
  /** The plug-in that lives on the chain from its genesis on, and answers beside the RPC. */
  readonly plugin?: ChainPlugin<Kept>;
  /**
   * A network with its slot time, finality, slots without a block and, for a new chain, rent. A folder of another one is refused. Absent:
   * that of the folder; for a new chain slots of 400 ms, each with a block, final after 32.
   */
  readonly network?: NetworkName;
  /** The same for a new chain alone: a folder keeps its own. */
  readonly networkIfNew?: NetworkName;
  /** Whether transactions of version 1 are active; absent: as on the network, and active without one. */
  readonly version1?: boolean;
  /** Ends the error about a folder that cannot be used; absent: that the folder can be removed. */
  readonly resetHint?: string;
  /** Lets HTTP calls fail by this plan and watches the sent transactions; `POST /chaos` replaces it. Absent: no faults, no such route. */
  readonly faults?: FaultPlanInput;
};

/** A running chain. */
export interface RunningChain<Kept extends object = object> {
  readonly rpcUrl: string;
  /** The chain without the faults of a provider, for who looks behind it. */
  readonly directUrl: string;
  readonly wsUrl: string;
  readonly genesisHash: string;
  readonly world: World & Kept;
  readonly programs: ProgramsReport;
  /** The chain inside, for tests in the same process. */
  readonly chain: LocalChain;
  /** Null unless `faults` was given. */
  readonly faults: FaultGate | null;
  advanceSlots(count: number): void;
  /**
   * From the open slot on a byte of an account costs so many lamports, as an epoch's begin does it on a cluster: existing accounts keep
   * their lamports. Survives a restart. Throws a RangeError for anything but a whole number from 1 to 1,000,000.
   */
  setRent(lamportsPerByte: bigint): void;
  /**
   * Writes the journal anew with the kept history, while the chain serves on. It happens by itself when half of the journal is forgotten.
   * Resolves when it is done, also for one that runs already; rejects when the disk refuses.
   */
  compact(): Promise<void>;
  /** The compaction that runs now, null for none. */
  compacting(): Promise<void> | null;
  /** Saves the state and frees the ports; calling it again changes nothing. */
  stop(): Promise<void>;
}

const DEFAULT_HISTORY = 100_000;
const DEFAULT_HISTORY_BYTES = 200_000_000;
const DEFAULT_SNAPSHOT_EVERY = 5000;

/** Starts the local chain and answers once it serves. */
export async function startLocalChain<Kept extends object = object>(
  options: LocalChainOptions<Kept> = {},
): Promise<RunningChain<Kept>> {
  checkOptions(options);
  const host = options.host ?? '127.0.0.1';
  const { clock } = options;
  const now = (): number => (clock === undefined ? Date.now() : clock.now());
  const log = options.log ?? (() => undefined);
  const { chain, seed, world, slotMs, programs, compact, compacting, close } = openChain({
    dir: options.dir,
    programsDir: options.programsDir,
    plugin: options.plugin ?? null,
    resetHint: options.resetHint,
    network: options.network ?? null,
    networkIfNew: options.network ?? options.networkIfNew ?? null,
    version1: options.version1 ?? null,
    seed: options.seed,
    slotMs: options.slotMs ?? null,
    history: {
      transactions: options.historyLimit ?? DEFAULT_HISTORY,
      bytes: options.historyBytes ?? DEFAULT_HISTORY_BYTES,
    },
    snapshotEvery: options.snapshotEvery ?? DEFAULT_SNAPSHOT_EVERY,
    now,
    log,
  });
  const genesisHash = toBase58(createHash('sha256').update('genesis\0').update(seed).digest());
  const context = {
    chain,
    faucet: createFaucet(chain, deriveKey(seed, FAUCET_KEY)),
    genesisHash,
    identity: deriveKey(seed, 'identity').address,
  };
  const dispatch = createDispatch(context, log);
  const faults = options.faults === undefined ? null : createFaultGate(chain, dispatch, options.faults, now);
  const server = await startServer({
    host,
    port: options.port ?? 0,
    wsPort: options.wsPort,
    dispatch,
    faults,
    subscriptions: createSubscriptions(chain),
    routes: {
      ...senderStandIns(chain, seed),
      ...routesOf(options.plugin, { chain, seed, dir: options.dir, world }),
    },
    log,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const timer = slotMs > 0 ? setInterval(chain.advance, slotMs) : null;
  const { rpcUrl, wsUrl } = urlsOf(host, server.port);
  const stop = async (): Promise<void> => {
    if (timer !== null) clearInterval(timer);
    await server.stop();
    await close();
  };
  let stopped: Promise<void> | null = null;
  return {
    rpcUrl,
    directUrl: `${rpcUrl}/direct`,
    wsUrl,
    genesisHash,
    world,
    programs,
    chain,
    faults,
    advanceSlots: (count) => {
      for (let i = 0; i < count; i += 1) chain.advance();
    },
    setRent: (lamportsPerByte) => setRent(chain, lamportsPerByte),
    compact,
    compacting,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The plug-in's routes under its name: `GET pools` of the plug-in `desk` is `GET /desk/pools`. */
function routesOf<Kept extends object>(
  plugin: ChainPlugin<Kept> | undefined,
  context: PluginContext<Kept>,
): PluginRoutes {
  if (plugin === undefined) return {};
  const routes = Object.entries(plugin.open(context)).map(([route, answer]) => {
    const [method, path] = route.split(' ');
    return [`${method} /${plugin.name}/${path}`, answer] as const;
  });
  return Object.fromEntries(routes);
}
