import { setTimeout as pause } from 'node:timers/promises';
import { asList, asRecord, keysOf, transactionUpdate } from './encode-block.ts';
import { loadHere, loadMessages } from './packages.ts';

/** How the stand-in misleads whoever listens. */
export type GeyserFault =
  /** Leaves out every third transaction: nothing on the stream shows it. */
  | 'drops'
  /** Leaves out every fifth block, with what is in it. */
  | 'drops-blocks'
  | 'repeats'
  /** A block is told before its transactions, and those backwards. */
  | 'reorders'
  /** What it calls confirmed stands elsewhere in the block. */
  | 'forks'
  | 'lags'
  /** Ends the stream every tenth block. */
  | 'cuts'
  /** The same, and has nothing of what was before. */
  | 'forgets';

type Request = {
  readonly transactions: Readonly<Record<string, { readonly accountInclude: readonly string[] }>>;
  readonly fromSlot?: string;
  readonly ping?: object;
};
type Call = {
  on(event: string, told: (request: Request) => void): void;
  write(update: object): void;
  emit(event: 'error', error: object): void;
  end(): void;
};
type Codec = {
  decode(bytes: Uint8Array): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  fromPartial(message: unknown): unknown;
};
type Server = {
  addService(service: object, implementation: object): void;
  bindAsync(address: string, credentials: unknown, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
};
type Grpc = {
  readonly Server: new () => Server;
  readonly ServerCredentials: { createInsecure(): unknown };
};

const OUT_OF_RANGE = 11;
const UNAVAILABLE = 14;
const KEPT_SLOTS = 150;
const LAG_SLOTS = 50;

/** A server of Yellowstone's protocol over a node: its own message types, our faults. */
export async function startGeyserStandIn(rpcUrl: string) {
  const grpc = loadHere('@grpc/grpc-js') as Grpc;
  const { SubscribeRequest, SubscribeUpdate } = loadMessages() as Record<
    'SubscribeRequest' | 'SubscribeUpdate',
    Codec
  >;
  const state = {
    fault: null as GeyserFault | null,
    faults: 0,
    told: 0,
    opened: 0,
    followed: 0,
    stopped: false,
  };
  const server = new grpc.Server();
  const encode = (codec: Codec) => (message: unknown) =>
    Buffer.from(codec.encode(codec.fromPartial(message)).finish());
  const service = {
    Subscribe: {
      path: '/geyser.Geyser/Subscribe',
      requestStream: true,
      responseStream: true,
      requestSerialize: encode(SubscribeRequest),
      requestDeserialize: (bytes: Uint8Array) => SubscribeRequest.decode(bytes),
      responseSerialize: encode(SubscribeUpdate),
      responseDeserialize: (bytes: Uint8Array) => SubscribeUpdate.decode(bytes),
    },
  };
  const running = new Set<Promise<void>>();
  server.addService(service, {
    Subscribe: (call: Call) => {
      state.opened += 1;
      const serving = serve(call, rpcUrl, state);
      running.add(serving);
      void serving.finally(() => running.delete(serving));
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    tell: (fault: GeyserFault | null): void => {
      state.fault = fault;
    },
    /** How often it misled somebody. */
    faults: (): number => state.faults,
    /** Transactions that it told. */
    told: (): number => state.told,
    /** Accounts that somebody listens for. */
    followed: (): number => state.followed,
    /** Streams that were opened. */
    opened: (): number => state.opened,
    stop: async (): Promise<void> => {
      state.stopped = true;
      server.forceShutdown();
      await Promise.all(running);
    },
  };
}

type State = { fault: GeyserFault | null; faults: number; told: number; followed: number; stopped: boolean };

/** One stream, from its first request to its end. */
async function serve(call: Call, rpcUrl: string, state: State): Promise<void> {
  let wanted: ReadonlySet<string> | null = null;
  let next: number | null = null;
  let isOver = false;
  call.on('data', (request) => {
    wanted = new Set(Object.values(request.transactions).flatMap(({ accountInclude }) => accountInclude));
    state.followed = wanted.size;
    if (request.fromSlot !== undefined) next ??= Number(request.fromSlot);
    if (request.ping !== undefined) call.write({ pong: { id: 1 } });
  });
  for (const event of ['cancelled', 'end', 'error', 'close'])
    call.on(event, () => {
      isOver = true;
    });
  const end = (code: number, details: string): void => {
    isOver = true;
    call.emit('error', { code, details });
  };
  call.write({ ping: {} });
  for (let blocks = 1; !isOver && !state.stopped; await pause(5)) {
    if (wanted === null) continue;
    const lag = state.fault === 'lags' ? LAG_SLOTS : 0;
    const tip = Number(await ask(rpcUrl, 'getSlot', [{ commitment: 'confirmed' }])) - lag;
    const isCutOff = next !== null && (next < tip - KEPT_SLOTS || (state.fault === 'forgets' && next <= tip));
    if (blocks === 1 && isCutOff) return end(OUT_OF_RANGE, 'from_slot is not available');
    if (lag > 0) state.faults += 1;
    for (next ??= tip; next <= tip && !isOver; next += 1, blocks += 1) {
      const updates = await updatesOf(rpcUrl, next, wanted, state);
      for (const update of updates) call.write(update);
      const isCutter = state.fault === 'cuts' || state.fault === 'forgets';
      if (isCutter && blocks % 10 === 0) {
        state.faults += 1;
        return end(UNAVAILABLE, 'cut');
      }
    }
  }
  if (!isOver) call.end();
}

/** What is told of one slot. */
async function updatesOf(
  rpcUrl: string,
  slot: number,
  wanted: ReadonlySet<string>,
  state: State,
): Promise<readonly object[]> {
  const block = asRecord(
    await ask(rpcUrl, 'getBlock', [
      slot,
      { encoding: 'json', maxSupportedTransactionVersion: 1, rewards: false, commitment: 'confirmed' },
    ]),
  );
  const all = asList(block['transactions']);
  const named = all.flatMap((one, index) =>
    keysOf(one).some((key) => wanted.has(String(key))) ? [{ one, index }] : [],
  );
  const { fault } = state;
  const misleads = (isIt: boolean): boolean => {
    if (isIt) state.faults += 1;
    return isIt;
  };
  if (fault === 'drops-blocks' && misleads(slot % 5 === 0)) return [];
  const kept = fault === 'drops' ? named.filter((_, n) => !misleads((slot + n) % 3 === 0)) : named;
  const place = (index: number): number =>
    fault === 'forks' && misleads(all.length > 1) ? all.length - 1 - index : index;
  const told = kept.map(({ one, index }) => ({ transaction: transactionUpdate(slot, place(index), one) }));
  state.told += told.length;
  const meta = {
    blockMeta: {
      slot: String(slot),
      blockhash: block['blockhash'],
      parentSlot: String(block['parentSlot']),
      parentBlockhash: block['previousBlockhash'],
      blockTime: { timestamp: String(block['blockTime']) },
      executedTransactionCount: String(all.length),
    },
  };
  if (fault === 'repeats' && misleads(told.length > 0)) return [...told, meta, ...told, meta];
  if (fault === 'reorders' && misleads(told.length > 0)) return [meta, ...told.toReversed()];
  return [...told, meta];
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return asRecord(await response.json())['result'];
}
