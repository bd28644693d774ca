import { createHash, randomBytes } from 'node:crypto';
import { toBase58 } from '../../core/address/address.ts';
import { type ChainDeps, createLocalChain, type LocalChain } from './chain.ts';
import { createDeskRoutes } from './desk/routes.ts';
import { createFaucet } from './faucet.ts';
import { createWorld, FAUCET_KEY } from './genesis/create-world.ts';
import type { World } from './genesis/world.ts';
import { deriveKey } from './keys.ts';
import { createDispatch } from './rpc/dispatch.ts';
import { startServer } from './server.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createSvm } from './svm.ts';

export type LocalChainOptions = {
  /** Loopback only. */
  readonly host?: string;
  /** 0 or absent takes any free port. */
  readonly port?: number;
  /** A second port for web sockets; absent tries HTTP port + 1 and does without when that is taken, null does not try. */
  readonly wsPort?: number | null;
  /** Milliseconds per slot; 0 opens slots only by `advanceSlots`. */
  readonly slotMs?: number;
  /** Any text; the same seed makes the same world and keys. Absent: random. */
  readonly seed?: string;
  readonly clock?: { now(): number };
  /** Landed transactions that history keeps. */
  readonly historyLimit?: number;
  readonly log?: (line: string) => void;
};

/** A running chain. */
export interface RunningChain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** `GET {deskUrl}/pools`, `POST {deskUrl}/cosign`. */
  readonly deskUrl: string;
  readonly genesisHash: string;
  readonly world: World;
  /** The chain inside, for tests in the same process. */
  readonly chain: LocalChain;
  advanceSlots(count: number): void;
  stop(): Promise<void>;
}

const DEFAULT_SLOT_MS = 400;
const DEFAULT_HISTORY = 100_000;

/** Starts the local chain and answers once it serves. */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<RunningChain> {
  const host = options.host ?? '127.0.0.1';
  const slotMs = options.slotMs ?? DEFAULT_SLOT_MS;
  const { clock } = options;
  const now = (): number => (clock === undefined ? Date.now() : clock.now());
  const log = options.log ?? (() => undefined);
  const seed =
    options.seed === undefined ? randomBytes(32) : createHash('sha256').update(options.seed).digest();
  const svm = createSvm();
  const world = createWorld(svm, seed);
  const persist: ChainDeps['persist'] = { landed: () => {}, written: () => {}, slot: () => {} };
  const chain = createLocalChain({
    svm,
    seed,
    slotMs,
    historyLimit: options.historyLimit ?? DEFAULT_HISTORY,
    now,
    persist,
  });
  chain.slots.open(chain.slots.tip(), Math.floor(now() / 1000));
  const genesisHash = toBase58(createHash('sha256').update('genesis\0').update(seed).digest());
  const context = {
    chain,
    faucet: createFaucet(chain, deriveKey(seed, FAUCET_KEY)),
    genesisHash,
    identity: deriveKey(seed, 'identity').address,
  };
  const server = await startServer({
    host,
    port: options.port ?? 0,
    wsPort: options.wsPort,
    dispatch: createDispatch(context, log),
    subscriptions: createSubscriptions(chain),
    desk: createDeskRoutes({ chain, seed, pools: world.pools }),
  });
  const timer = slotMs > 0 ? setInterval(chain.advance, slotMs) : null;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  return {
    rpcUrl: `http://${authority}`,
    wsUrl: `ws://${authority}`,
    deskUrl: `http://${authority}/desk`,
    genesisHash,
    world,
    chain,
    advanceSlots: (count) => {
      for (let i = 0; i < count; i += 1) chain.advance();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      await server.stop();
    },
  };
}
