import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { createMessageSplitter, isCommitAck } from './postgres-messages.ts';

export type ProxyFaults = {
  /** Added to every piece of an answer. */
  readonly latencyMs?: number;
  /** Connections stay open and nothing passes any more, in either direction. */
  readonly halfOpen?: boolean;
  /** What is asked arrives, what is answered does not. */
  readonly loseAnswers?: boolean;
  /** Asked at each COMMIT that Postgres acknowledges: true cuts the connection before the client hears of it. */
  readonly cutCommit?: () => boolean;
};

export interface TcpProxy {
  readonly port: number;
  /** Replaces the faults for all connections, open ones included; `{}` heals, but what half-open swallowed stays lost. */
  setFaults(faults: ProxyFaults): void;
  /** Where new connections go from now on. */
  setTarget(target: { readonly host: string; readonly port: number }): void;
  /** Every connection that is open now stays open, and nothing ever passes on it again, whatever the faults say later. */
  silence(): void;
  /** Breaks every open connection; new ones are taken. Returns how many. */
  cut(): number;
  report(): { readonly connections: number; readonly cuts: number; readonly commitCuts: number };
  stop(): Promise<void>;
}

/** A proxy on loopback between a client and Postgres, Redis or anything else that speaks TCP without TLS. */
export async function startTcpProxy(first: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  let target = first;
  let faults: ProxyFaults = {};
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent = new WeakSet<readonly [Socket, Socket]>();
  const counts = { connections: 0, cuts: 0, commitCuts: 0 };

  const server = createServer((client) => {
    const upstream = createConnection(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    counts.connections += 1;
    const destroy = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', destroy);
      socket.on('close', destroy);
    }
    client.on('data', (chunk: Buffer) => {
      if (faults.halfOpen !== true && !silent.has(pair)) upstream.write(chunk);
    });
    const split = createMessageSplitter();
    let isPostgres: boolean | null = null;
    upstream.on('data', (chunk: Buffer) => {
      if (faults.halfOpen === true || faults.loseAnswers === true || silent.has(pair)) return;
      // A Postgres server's first word is about authentication; Redis and others never begin so.
      isPostgres ??= chunk[0] === 0x52;
      if (isPostgres) {
        for (const message of split(chunk)) {
          if (!isCommitAck(message) || faults.cutCommit?.() !== true) continue;
          counts.commitCuts += 1;
          destroy();
          return;
        }
      }
      deliver(client, chunk);
    });
  });

  function deliver(client: Socket, chunk: Buffer): void {
    const { latencyMs = 0 } = faults;
    if (latencyMs === 0) client.write(chunk);
    else setTimeout(() => client.write(chunk), latencyMs);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const cut = (): number => {
    const open = [...pairs];
    for (const sockets of open) for (const socket of sockets) socket.destroy();
    counts.cuts += open.length;
    return open.length;
  };
  return {
    port: (server.address() as AddressInfo).port,
    setFaults: (next) => {
      faults = next;
    },
    setTarget: (next) => {
      target = next;
    },
    silence: () => {
      for (const pair of pairs) silent.add(pair);
    },
    cut,
    report: () => ({ ...counts }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      cut();
      await closed;
    },
  };
}
