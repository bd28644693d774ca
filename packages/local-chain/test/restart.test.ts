import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startLocalChain } from '../src/index.ts';
import { fund, LOADER, manualChain, web3 } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-'));
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(root, 'state-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function signedTransfer(
  connection: Connection,
  from: Keypair,
  to: PublicKey,
  amount: number,
): Promise<Buffer> {
  const { blockhash } = await connection.getLatestBlockhash('processed');
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: amount }),
  );
  transaction.sign(from);
  return transaction.serialize();
}

it('continues after a clean stop with the same world, history, levels and valid hashes', async () => {
  const first = await manualChain({ dir });
  const alice = Keypair.generate();
  const bob = Keypair.generate().publicKey;
  await fund(first, alice);
  const sent = await web3(first).sendRawTransaction(
    await signedTransfer(web3(first), alice, bob, LAMPORTS_PER_SOL),
  );
  const unsent = await signedTransfer(web3(first), alice, bob, 2 * LAMPORTS_PER_SOL);
  const slot = await web3(first).getSlot('processed');
  await first.stop();

  const second = await manualChain({ dir });
  const connection = web3(second);
  expect(second.world).toEqual(first.world);
  expect(second.genesisHash).toBe(first.genesisHash);
  expect(await connection.getSlot('processed')).toBe(slot + 1);
  expect(await connection.getBalance(bob, 'processed')).toBe(LAMPORTS_PER_SOL);
  expect(await connection.getBalance(bob, 'finalized')).toBe(0);
  expect((await connection.getSignatureStatus(sent)).value?.slot).toBe(slot);
  expect((await connection.getTransaction(sent, { commitment: 'confirmed' }))?.meta?.fee).toBe(5000);
  await expect(
    connection.sendRawTransaction(await signedTransfer(connection, alice, bob, 1), { skipPreflight: false }),
  ).resolves.toBeTypeOf('string');
  await connection.sendRawTransaction(unsent);
  expect(await connection.getBalance(bob, 'processed')).toBe(3 * LAMPORTS_PER_SOL + 1);
});

it('replays what the journal holds beyond the last snapshot and ignores a torn last line', async () => {
  const first = await manualChain({ dir });
  const alice = Keypair.generate();
  const bob = Keypair.generate().publicKey;
  const early = readFileSync(join(dir, 'snapshot.bin'));
  await fund(first, alice);
  for (let i = 1; i <= 5; i += 1) {
    await web3(first).sendRawTransaction(
      await signedTransfer(web3(first), alice, bob, (i * LAMPORTS_PER_SOL) / 5),
    );
    first.advanceSlots(1);
  }
  await first.stop();
  // As a kill leaves it: the snapshot of long ago, a full journal, and the beginning of a line.
  writeFileSync(join(dir, 'snapshot.bin'), early);
  appendFileSync(join(dir, 'journal-1.jsonl'), '{"kind":"landed","transaction":{"sig');

  const second = await manualChain({ dir });
  expect(await web3(second).getBalance(bob, 'processed')).toBe(3 * LAMPORTS_PER_SOL);
  expect(await web3(second).getSignaturesForAddress(bob, {}, 'confirmed')).toHaveLength(5);
  await web3(second).requestAirdrop(bob, LAMPORTS_PER_SOL);
  await second.stop();
  const third = await manualChain({ dir });
  expect(await web3(third).getBalance(bob, 'processed')).toBe(4 * LAMPORTS_PER_SOL);
});

it('takes snapshots while running', async () => {
  const running = await manualChain({ dir, snapshotEvery: 3 });
  const before = statSync(join(dir, 'snapshot.bin'), { bigint: true }).mtimeNs;
  for (let i = 0; i < 4; i += 1) {
    await web3(running).requestAirdrop(Keypair.generate().publicKey, LAMPORTS_PER_SOL);
    running.advanceSlots(1);
  }
  expect(statSync(join(dir, 'snapshot.bin'), { bigint: true }).mtimeNs).not.toBe(before);
});

it('keeps its seed from other users of the machine', async () => {
  await (await manualChain({ dir })).stop();
  expect(statSync(join(dir, 'seed')).mode & 0o777).toBe(0o600);
});

it('names the mend when its state is damaged, of another seed or in use', async () => {
  const first = await manualChain({ dir });
  await expect(startLocalChain({ dir, slotMs: 0 })).rejects.toThrow(`in use by process ${process.pid}`);
  await fund(first, Keypair.generate());
  await first.stop();
  await expect(startLocalChain({ dir, slotMs: 0, seed: 'other' })).rejects.toThrow(
    'belongs to another seed. To start afresh, remove that folder.',
  );
  const journal = readFileSync(join(dir, 'journal-1.jsonl'));
  writeFileSync(join(dir, 'journal-1.jsonl'), Buffer.concat([Buffer.from('nonsense\n'), journal]));
  await expect(startLocalChain({ dir, slotMs: 0 })).rejects.toThrow('cannot be read');
  writeFileSync(join(dir, 'journal-1.jsonl'), journal.subarray(0, 10));
  await expect(startLocalChain({ dir, slotMs: 0 })).rejects.toThrow('shorter than its snapshot');
  writeFileSync(join(dir, 'journal-1.jsonl'), journal);
  const snapshot = readFileSync(join(dir, 'snapshot.bin'));
  snapshot[snapshot.length - 1] = (snapshot.at(-1) ?? 0) ^ 1;
  writeFileSync(join(dir, 'snapshot.bin'), snapshot);
  await expect(startLocalChain({ dir, slotMs: 0 })).rejects.toThrow('does not match its checksum');
  expect(readdirSync(dir)).not.toContain('lock');
});

/** The chain as its own process, as `npm run localnet` starts it. */
async function spawnChain(): Promise<{ rpcUrl: string; kill: (signal: NodeJS.Signals) => Promise<void> }> {
  const cli = new URL('../src/cli.ts', import.meta.url).pathname;
  const args = ['--import', LOADER, cli, '--port', '0', '--dir', dir, '--slot-ms', '25'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => kill('SIGKILL'));
  const rpcUrl = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /RPC\s+(\S+)\n/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { rpcUrl, kill };
}

it('loses nothing it acknowledged when killed without warning, again and again', async () => {
  const alice = Keypair.generate();
  const bob = Keypair.generate().publicKey;
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { rpcUrl, kill } = await spawnChain();
    const connection = new Connection(rpcUrl, 'processed');
    if (round === 0) {
      await connection.requestAirdrop(alice.publicKey, 100 * LAMPORTS_PER_SOL);
    }
    const senders = Array.from({ length: 4 }, async (_, lane) => {
      for (let i = 0; i < 50; i += 1) {
        const amount = 1_000_000 + round * 1000 + lane * 100 + i;
        const bytes = await signedTransfer(connection, alice, bob, amount);
        acknowledged.push(await connection.sendRawTransaction(bytes, { skipPreflight: true }));
        if (lane === 3 && i === 20 + round) await kill('SIGKILL');
      }
    });
    await Promise.allSettled(senders);
  }
  const { rpcUrl } = await spawnChain();
  const connection = new Connection(rpcUrl, 'processed');
  const found: (number | undefined)[] = [];
  for (let i = 0; i < acknowledged.length; i += 256) {
    const page = acknowledged.slice(i, i + 256);
    const statuses = await connection.getSignatureStatuses(page, { searchTransactionHistory: true });
    found.push(...statuses.value.map((one) => one?.slot));
  }
  expect(acknowledged.length).toBeGreaterThan(100);
  expect(found).toHaveLength(acknowledged.length);
  expect(found).not.toContain(undefined);
  // Every landed lamport is in the books exactly once.
  await expect
    .poll(async () => connection.getBalance(bob, 'confirmed'))
    .toBe(await connection.getBalance(bob, 'processed'));
  const history = await connection.getSignaturesForAddress(bob, { limit: 1000 }, 'confirmed');
  let received = 0;
  for (const { signature } of history) {
    const landed = await connection.getTransaction(signature, { commitment: 'confirmed' });
    received += (landed?.meta?.postBalances[1] ?? 0) - (landed?.meta?.preBalances[1] ?? 0);
  }
  expect(await connection.getBalance(bob, 'confirmed')).toBe(received);
}, 60_000);
