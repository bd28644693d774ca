import {
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { toBase58 } from '../../src/address.ts';
import type { FaultPlanInput } from '../../src/faults/fault-plan.ts';
import type { RunningChain } from '../../src/index.ts';
import { fund, manualChain, rpc, web3 } from '../support/start.ts';

const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const payer = Keypair.fromSeed(new Uint8Array(32).fill(9));

async function chaos(...rules: NonNullable<FaultPlanInput['rules']>): Promise<RunningChain> {
  const running = await manualChain({ faults: {} });
  await fund(running, payer);
  running.faults?.setPlan({ rules });
  return running;
}

/** A signed transfer that carries `memo`; another `lamports` makes other bytes. */
async function transfer(running: RunningChain, memo: string, lamports: number): Promise<Transaction> {
  const transaction = new Transaction().add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }),
    new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(memo) }),
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports }),
  );
  const slot = running.chain.slots.tip() - 1;
  transaction.recentBlockhash = running.chain.slots.hashOf(slot);
  transaction.feePayer = payer.publicKey;
  transaction.sign(payer);
  return transaction;
}

const send = (connection: Connection, transaction: Transaction): Promise<string> =>
  connection.sendRawTransaction(transaction.serialize());
const signatureOf = (transaction: Transaction): string => toBase58(transaction.signature ?? new Uint8Array());
const landed = (running: RunningChain, transaction: Transaction): boolean =>
  running.chain.ledger.get(signatureOf(transaction)) !== undefined;
const levelOf = async (running: RunningChain, transaction: Transaction): Promise<string | null> => {
  const { value } = await web3(running).getSignatureStatuses([signatureOf(transaction)]);
  return value[0]?.confirmationStatus ?? null;
};

describe('the fault plan of the local chain', () => {
  it('lands what it then does not answer', async () => {
    const running = await chaos({ kind: 'lose-answer', method: 'sendTransaction', times: 1 });
    const one = await transfer(running, 'A', 1);
    await expect(send(web3(running), one)).rejects.toThrow(/fetch failed/);
    expect(landed(running, one)).toBe(true);
  });

  it('accepts and drops, and lands the same bytes the second time', async () => {
    const running = await chaos({ kind: 'drop', times: 1 });
    const one = await transfer(running, 'A', 1);
    expect(await send(web3(running), one)).toBe(signatureOf(one));
    expect(landed(running, one)).toBe(false);
    await send(web3(running), one);
    expect(landed(running, one)).toBe(true);
  });

  it('lands late, in the very last block that may hold it', async () => {
    const running = await chaos({ kind: 'late' });
    const one = await transfer(running, 'A', 1);
    const born = running.chain.slots.tip() - 1;
    await send(web3(running), one);
    running.advanceSlots(148);
    expect(landed(running, one)).toBe(false);
    running.advanceSlots(1);
    expect(running.chain.ledger.get(signatureOf(one))?.slot).toBe(born + 150);
  });

  it('shows a transaction on a fork as processed and then forgets it', async () => {
    const running = await chaos({ kind: 'fork', slots: 2, times: 1 });
    const one = await transfer(running, 'A', 1);
    await send(web3(running), one);
    expect(await levelOf(running, one)).toBe('processed');
    running.advanceSlots(2);
    expect(await levelOf(running, one)).toBeNull();
    await send(web3(running), one);
    expect(landed(running, one)).toBe(true);
  });

  it('executes once what is delivered twice', async () => {
    const running = await chaos({ kind: 'duplicate' });
    const one = await transfer(running, 'A', 1);
    await expect(send(web3(running), one)).rejects.toThrow(/already been processed/);
    expect(running.chain.ledger.ofAddress(payer.publicKey.toBase58() as never)).toHaveLength(2);
  });

  it('answers like a replica that is behind', async () => {
    const running = await chaos();
    const one = await transfer(running, 'A', 1);
    await send(web3(running), one);
    running.advanceSlots(40);
    const connection = web3(running);
    const height = await connection.getBlockHeight('finalized');
    expect(await levelOf(running, one)).toBe('finalized');
    running.faults?.setPlan({ rules: [{ kind: 'lag', slots: 200 }] });
    expect(await connection.getBlockHeight('finalized')).toBe(height - 200);
    expect((await connection.getEpochInfo('finalized')).blockHeight).toBe(height - 200);
    expect(await levelOf(running, one)).toBeNull();
    const { blockhash } = await connection.getLatestBlockhash('confirmed');
    expect(running.chain.slots.liveHashSlot(blockhash)).toBeUndefined();
    // From the slot it lags at onwards it knows the transactions landed by then, as young as they were there.
    running.faults?.setPlan({ rules: [{ kind: 'lag', slots: 39 }] });
    expect(await levelOf(running, one)).toBe('confirmed');
    running.advanceSlots(160);
    running.faults?.setPlan({ rules: [{ kind: 'lag', slots: 150 }] });
    expect(await levelOf(running, one)).toBe('finalized');
  });

  it('refuses, breaks off and takes its time, each as often as the plan says', async () => {
    const running = await chaos(
      { kind: 'slow', ms: 1, method: 'getSlot' },
      { kind: 'status', status: 500, method: 'getSlot', skip: 1, times: 1 },
      { kind: 'reset', method: 'getSlot', times: 1 },
    );
    const ask = () => rpc(running, 'getSlot').then((answer) => answer.result !== undefined);
    await expect(ask()).rejects.toThrow(/fetch failed/);
    await expect(ask()).rejects.toThrow(/JSON/);
    expect(await ask()).toBe(true);
    expect(running.faults?.report().fired).toEqual({ slow: 3, reset: 1, status: 1 });
  });

  it('draws the same faults from the same seed and others from another', async () => {
    const pattern = async (seed: string): Promise<string> => {
      const running = await manualChain({
        faults: { seed, rules: [{ kind: 'status', status: 429, chance: 0.5 }] },
      });
      let out = '';
      for (let n = 0; n < 40; n += 1) {
        out += await rpc(running, 'getSlot').then(
          () => '.',
          () => 'x',
        );
      }
      return out;
    };
    const first = await pattern('one');
    expect(first).toMatch(/x/);
    expect(await pattern('one')).toBe(first);
    expect(await pattern('two')).not.toBe(first);
  });

  it('is steered over the wire, and says what is wrong with a plan', async () => {
    const running = await manualChain({ faults: {} });
    const post = async (body: unknown) => {
      const response = await fetch(`${running.rpcUrl}/chaos`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    expect(await post({ plan: { rules: [{ kind: 'reset', method: 'getSlot' }] } })).toMatchObject({
      status: 200,
    });
    await expect(rpc(running, 'getSlot')).rejects.toThrow();
    const bad = await post({ plan: { rules: [{ kind: 'status', status: 404 }] } });
    expect(bad.status).toBe(400);
    expect(bad.text).toMatch(/rules\.0\.status/);
    const ordinary = await manualChain();
    expect((await fetch(`${ordinary.rpcUrl}/chaos`, { method: 'POST', body: '{}' })).status).not.toBe(200);
  });
});

describe('the oracles of the chaos rig', () => {
  it('are silent while every signature is committed and alone', async () => {
    const running = await chaos({ kind: 'duplicate', times: 1 });
    running.faults?.watch(async () => true);
    const one = await transfer(running, 'A', 1);
    await send(web3(running), one).catch(() => undefined);
    running.advanceSlots(200);
    await send(web3(running), await transfer(running, 'B', 1));
    expect(running.faults?.report().oracles).toMatchObject({
      sends: 2,
      signatures: 2,
      checked: 2,
      violations: [],
    });
  });

  it('report bytes that left before their row was committed', async () => {
    const running = await chaos();
    const rows = new Set<string>();
    running.faults?.watch(async (signature) => rows.has(signature));
    const [one, two] = [await transfer(running, 'A', 1), await transfer(running, 'B', 1)];
    rows.add(signatureOf(one));
    await send(web3(running), one);
    await send(web3(running), two);
    expect(running.faults?.report().oracles.violations).toMatchObject([
      { rule: 'bytes-before-commit', memo: '[1] B', signatures: [signatureOf(two)] },
    ]);
  });

  it('report a second signature of an intent while the first may still land, even when neither did', async () => {
    const running = await chaos({ kind: 'drop' });
    await send(web3(running), await transfer(running, 'A', 1));
    running.advanceSlots(150);
    await send(web3(running), await transfer(running, 'A', 2));
    expect(running.faults?.report().oracles.violations).toEqual([]);
    running.advanceSlots(100);
    await send(web3(running), await transfer(running, 'A', 3));
    expect(running.faults?.report().oracles.violations).toMatchObject([
      { rule: 'overlapping-signatures', memo: '[1] A' },
    ]);
  });

  it('report two landed signatures of one intent', async () => {
    const running = await chaos();
    await send(web3(running), await transfer(running, 'A', 1));
    running.advanceSlots(200);
    await send(web3(running), await transfer(running, 'A', 2));
    expect(running.faults?.report().oracles.violations).toMatchObject([
      { rule: 'landed-twice', memo: '[1] A' },
    ]);
  });
});
