/**
 * The indexer after ten minutes without it: 1,500 blocks of 40 swaps (100 trades a second) over the desk's pools, read from a
 * node that serves them, decoded, proved by the vaults' balances and sealed in the embedded Postgres.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_PROGRAM, toBase58 } from '@tradepost/solana';
import { type DeskChain, startDeskChain } from '../src/local/desk/index.ts';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { createPrograms } from '../src/platform/chain/programs.ts';
import { createRpcChain } from '../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../src/platform/venues/index.ts';
import { openTapeRig } from '../test/modules/market/indexer/support/tape-rig.ts';
import { DAY_START, freshAddress } from '../test/support/tape-rows.ts';
import type { Row } from './run.ts';

export const name = 'tape-catch-up';

const SECONDS = 600;
const PER_SECOND = 100;
const SLOT_SECONDS = 0.4;
const BLOCKS = SECONDS / SLOT_SECONDS;
const PER_BLOCK = PER_SECOND * SLOT_SECONDS;
const HELD = 1_000_000_000_000n;
const [BASE, QUOTE] = [1_000_000n, 2_500_000n];

type DeskPool = DeskChain['world']['pools'][number];

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const local = await startDeskChain({ seed: 'bench' });
  const pools = local.world.pools.filter(
    ({ programA, programB }) => programA === TOKEN_PROGRAM && programB === TOKEN_PROGRAM,
  );
  const node = await serveBlocks(blocksOf(pools));
  try {
    const chain = createRpcChain({ urls: [local.rpcUrl] });
    const [desk] = createVenues({ chain, programs: createPrograms(), deskUrl: local.deskUrl });
    if (desk === undefined) throw new Error('there is no desk');
    const rig = await openTapeRig({
      databaseUrl: postgres.url,
      chain,
      desk,
      genesisHash: local.genesisHash,
      source: 'blocks',
      urls: [node.url],
      wsUrls: [],
    });
    const startedAt = performance.now();
    await rig.indexer.start();
    await rig.sealedTo(BigInt(BLOCKS));
    const seconds = (performance.now() - startedAt) / 1_000;
    const days = await Promise.all(
      (await rig.markets.all()).map(({ id }) =>
        rig.tape.candles(id, 1_440, { from: 0, to: 2 ** 40, limit: 10 }),
      ),
    );
    await rig.close();
    const wanted = BLOCKS * PER_BLOCK;
    const sealed = days.flat().reduce((sum, { n }) => sum + n, 0);
    if (sealed !== wanted) throw new Error(`${sealed} trades of ${wanted} are in the tape`);
    return [
      {
        metric: `${wanted.toLocaleString('en-US')} trades of ${BLOCKS.toLocaleString('en-US')} blocks sealed after ${SECONDS / 60} minutes down`,
        value: seconds,
        unit: 's',
        note: `goal ≤ 60; over ${pools.length} markets`,
      },
      { metric: 'trades caught up with per second', value: wanted / seconds, unit: '/s' },
    ];
  } finally {
    node.stop();
    await local.stop();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** By slot, from 1 on. Each pool is bought from and sold to in turn, so that its vaults hold one of two amounts. */
function blocksOf(pools: readonly DeskPool[]): readonly object[] {
  const user = [freshAddress(), freshAddress(), freshAddress()] as const;
  let count = 0;
  return Array.from({ length: BLOCKS }, (_, n) => ({
    blockhash: hashOf(n + 1),
    previousBlockhash: hashOf(n),
    parentSlot: n,
    blockHeight: n + 1,
    blockTime: DAY_START + Math.floor((n + 1) * SLOT_SECONDS),
    transactions: Array.from({ length: PER_BLOCK }, () => {
      const turn = count++;
      const pool = pools[turn % pools.length];
      if (pool === undefined) throw new Error('the desk has no plain pool');
      return swap(pool, user, turn, Math.floor(turn / pools.length) % 2 === 0);
    }),
  }));
}

const hashOf = (slot: number): string => toBase58(numbered(32, slot));

function swap(
  pool: DeskPool,
  [user, userA, userB]: readonly [string, string, string],
  turn: number,
  isBuy: boolean,
): object {
  const { id, mintA, mintB, vaultA, vaultB } = pool;
  const keys = [user, id, vaultA, vaultB, userA, userB, mintA, mintB, TOKEN_PROGRAM];
  // Indexes of the keys: 2 and 3 the vaults, 4 and 5 the user's accounts, 6 and 7 the mints.
  const base = isBuy ? [2, 6, 4, 1] : [4, 6, 2, 0];
  const quote = isBuy ? [5, 7, 3, 0] : [3, 7, 5, 1];
  const [baseOut, quoteIn] = [HELD - BASE, HELD + QUOTE];
  const held = (isBefore: boolean) => {
    const isFull = isBuy === isBefore;
    return [balance(2, mintA, id, isFull ? HELD : baseOut), balance(3, mintB, id, isFull ? HELD : quoteIn)];
  };
  const lamports = keys.map(() => 1_000_000);
  return {
    transaction: {
      signatures: [toBase58(numbered(64, turn + 1))],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 3 },
        accountKeys: keys,
        recentBlockhash: hashOf(1),
        instructions: [transfer(quote, QUOTE), transfer(base, BASE)],
      },
    },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: lamports,
      postBalances: lamports,
      preTokenBalances: held(true),
      postTokenBalances: held(false),
      innerInstructions: [],
      logMessages: [],
    },
  };
}

function transfer(accounts: readonly number[], amount: bigint): object {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  return { programIdIndex: 8, accounts, data: toBase58(data), stackHeight: null };
}

function balance(accountIndex: number, mint: string, owner: string, amount: bigint): object {
  return {
    accountIndex,
    mint,
    owner,
    programId: TOKEN_PROGRAM,
    uiTokenAmount: { amount: amount.toString() },
  };
}

function numbered(length: number, n: number): Uint8Array {
  const bytes = Buffer.alloc(length, 7);
  bytes.writeUInt32BE(n, 1);
  return bytes;
}

/** A node that knows these blocks, all of them final. */
async function serveBlocks(blocks: readonly object[]) {
  const texts = blocks.map((block) => JSON.stringify(block));
  const answerTo = (method: string, params: readonly unknown[]): string => {
    if (method === 'getSlot') return String(texts.length);
    if (method === 'getFirstAvailableBlock') return '1';
    if (method === 'getBlock') return texts[Number(params[0]) - 1] ?? 'null';
    if (method !== 'getBlocks') throw new Error(`nobody knows ${method}`);
    const [from, to] = [Math.max(1, Number(params[0])), Math.min(texts.length, Number(params[1]))];
    return JSON.stringify(Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        readonly method: string;
        readonly params: readonly unknown[];
      };
      response.setHeader('content-type', 'application/json');
      response.end(`{"jsonrpc":"2.0","id":1,"result":${answerTo(method, params)}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
