import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js';

export const name = 'local chain';

type Figure = {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: string;
  readonly ratio?: number;
  readonly note?: string;
};

const TRANSFERS = 5000;
const LANES = 16;
const GOAL_PER_SECOND = 1000;
const BATCH = 256;

/** Confirmed transfers per second over JSON-RPC from one client, with the chain in a process of its own. */
export async function run(): Promise<readonly Figure[]> {
  const chain = await spawnChain();
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  try {
    const connection = new Connection(chain.rpcUrl, 'confirmed');
    const figures: Figure[] = [];
    for (const skipPreflight of [false, true]) {
      const wires = await signedTransfers(connection, skipPreflight ? 2 : 1);
      const started = performance.now();
      const { signatures, latencies } = await sendAll(chain.rpcUrl, agent, wires, skipPreflight);
      const sentMs = performance.now() - started;
      await allConfirmed(connection, signatures);
      const confirmedMs = performance.now() - started;
      const label = skipPreflight ? 'without preflight' : 'with preflight';
      const perSecond = TRANSFERS / (confirmedMs / 1000);
      figures.push(
        {
          metric: `confirmed transfers ${label}`,
          value: Math.round(perSecond),
          unit: 'tx/s',
          baseline: `goal ${GOAL_PER_SECOND} tx/s`,
          ratio: perSecond / GOAL_PER_SECOND,
          note: `${TRANSFERS} transfers, ${LANES} keep-alive lanes, one call each, until the last is confirmed`,
        },
        { metric: `accepted sends ${label}`, value: Math.round(TRANSFERS / (sentMs / 1000)), unit: 'tx/s' },
        { metric: `send latency p50 ${label}`, value: percentile(latencies, 0.5), unit: 'ms' },
        { metric: `send latency p99 ${label}`, value: percentile(latencies, 0.99), unit: 'ms' },
      );
    }
    return figures;
  } finally {
    agent.destroy();
    await chain.stop();
  }
}

async function signedTransfers(connection: Connection, salt: number): Promise<string[]> {
  const payers = Array.from({ length: LANES }, () => Keypair.generate());
  const drops = await Promise.all(
    payers.map((payer) => connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL)),
  );
  await allConfirmed(connection, drops);
  const recipients = Array.from({ length: 64 }, () => Keypair.generate().publicKey);
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  return Array.from({ length: TRANSFERS }, (_, i) => {
    const payer = payers[i % LANES] as Keypair;
    const toPubkey = recipients[i % recipients.length] as (typeof recipients)[number];
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 * salt + i }),
    );
    transaction.sign(payer);
    return transaction.serialize().toString('base64');
  });
}

async function sendAll(rpcUrl: string, agent: Agent, wires: readonly string[], skipPreflight: boolean) {
  const signatures: string[] = [];
  const latencies: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < wires.length; i = next++) {
      const started = performance.now();
      const config = { encoding: 'base64', skipPreflight, preflightCommitment: 'confirmed' };
      signatures.push(await call(rpcUrl, agent, 'sendTransaction', [wires[i], config]));
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { signatures, latencies };
}

function call(rpcUrl: string, agent: Agent, method: string, params: readonly unknown[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      rpcUrl,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = JSON.parse(Buffer.concat(chunks).toString()) as { result?: string; error?: unknown };
          if (answer.result === undefined) reject(new Error(`${method}: ${JSON.stringify(answer.error)}`));
          else resolve(answer.result);
        });
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}

async function allConfirmed(connection: Connection, signatures: readonly string[]): Promise<void> {
  for (let i = 0; i < signatures.length; i += BATCH) {
    const page = signatures.slice(i, i + BATCH);
    for (;;) {
      const { value } = await connection.getSignatureStatuses(page);
      const failed = value.find((one) => one !== null && one.err !== null);
      if (failed !== undefined) throw new Error(`a transfer failed: ${JSON.stringify(failed?.err)}`);
      if (value.every((one) => one !== null && one.confirmationStatus !== 'processed')) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2));
}

async function spawnChain(): Promise<{ rpcUrl: string; stop: () => Promise<void> }> {
  const cli = new URL('../src/cli.ts', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    ['--import', new URL('../../../scripts/register.mjs', import.meta.url).href, cli, '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /RPC\s+(\S+)\n/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error('the local chain did not start')));
  });
  return {
    rpcUrl,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
