/**
 * From the tap on "Confirm buy" to "Bought" in the chat, at 400 ms slots, beside what a bare sendRawTransaction with
 * confirmation by polling costs on the same chain in the same minute.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { createPerson } from '../src/local/telegram/index.ts';
import { startProgram } from '../test/support/program.ts';
import { median, percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'trade';

const ROUNDS = 15;
const POLL_MS = 50;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  const program = await startProgram(dir);
  try {
    const { chatUrl, rpcUrl } = program.run;
    const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
      readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
    };
    const mint = pools.find((pool) => pool.mintB.startsWith('So1111'))?.mintA ?? '';
    const alice = await createPerson({
      url: chatUrl,
      user: { id: 101, first_name: 'Alice', language_code: 'en' },
    });
    const bare = await bareSender(rpcUrl);
    await alice.start();
    await alice.waitFor(/Welcome/);
    await alice.tap('Create Deposit Wallet');
    await alice.waitFor(/is ready/);
    await alice.say('/deposit');
    await alice.waitFor(/Send SOL/);
    await alice.tap(/play SOL/);
    await alice.waitForToast(/are there/);

    const trades: number[] = [];
    const sends: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await alice.say(mint);
      await alice.waitFor((text, message) => /Safety/.test(text) && message.reply_markup !== undefined);
      await alice.tap('0.1 SOL');
      await alice.waitFor((text, message) => /At least/.test(text) && message.reply_markup !== undefined);
      const startedAt = performance.now();
      await alice.tap('Confirm buy');
      await alice.waitFor(/^Bought/);
      trades.push(performance.now() - startedAt);
      sends.push(await bare());
    }
    const [trade, send] = [median(trades), median(sends)];
    return [
      {
        metric: 'confirm tap to "Bought", median',
        value: trade,
        unit: 'ms',
        baseline: 'a bare send',
        ratio: trade / send,
        note: 'goal 1500 ms',
      },
      { metric: 'confirm tap to "Bought", p90', value: percentile(trades, 90), unit: 'ms' },
      { metric: 'bare sendRawTransaction to confirmed, median', value: send, unit: 'ms' },
      { metric: 'the pipeline adds', value: trade - send, unit: 'ms', note: 'goal 300 ms' },
    ];
  } finally {
    await program.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Signs a transfer beforehand; what is timed is sending it and polling its status until it is confirmed. */
async function bareSender(rpcUrl: string): Promise<() => Promise<number>> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const payer = Keypair.generate();
  const airdrop = await connection.requestAirdrop(payer.publicKey, 1_000_000_000);
  const confirmed = async (signature: string): Promise<void> => {
    for (;;) {
      const { value } = await connection.getSignatureStatuses([signature]);
      const level = value[0]?.confirmationStatus;
      if (level === 'confirmed' || level === 'finalized') return;
      await pause(POLL_MS);
    }
  };
  await confirmed(airdrop);
  return async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight }).add(
      SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: new PublicKey(Keypair.generate().publicKey),
        lamports: 1_000_000,
      }),
    );
    transaction.sign(payer);
    const bytes = transaction.serialize();
    const startedAt = performance.now();
    await confirmed(
      await connection.sendRawTransaction(bytes, { maxRetries: 0, preflightCommitment: 'confirmed' }),
    );
    return performance.now() - startedAt;
  };
}
