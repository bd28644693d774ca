import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { type Address, MEMO_PROGRAM, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { createSignatureBooks } from '../../../src/engine/signing/store/signature-books.ts';
import { newIntent, stepJob } from '../../../src/engine/transactions/use/new-intent.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { administer, createEmptyDatabase, createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';
import { WITHOUT_PIN } from '../../support/signer.ts';
import { runOpsHere } from './run-ops.ts';

const SOL = 1_000_000_000n;
const STRANGER = Keypair.generate().publicKey.toBase58() as Address;

let url: string;
let db: PrismaDatabase;
let rig: MoneyRig;
let serial = 0;

beforeAll(async () => {
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  rig = await startMoneyRig(db, 'audit-signatures');
  await rig.fund(rig.treasury.address, SOL);
});
afterAll(async () => {
  await rig.stop();
  await db.close();
});

const ops = (args: readonly string[], of = url) =>
  runOpsHere(args, { DATABASE_URL: of, SOLANA_RPC_URL: rig.local.rpcUrl });

type Person = { readonly userId: string; readonly wallet: Wallet };

async function withdraw(who: Person) {
  serial += 1;
  const params: IntentParams = {
    kind: 'withdraw-sol',
    destination: STRANGER,
    lamports: SOL / 5n,
    everything: false,
    tier: 'normal',
  };
  const confirmed = {
    id: rig.deps.ids.ulid(),
    userId: who.userId,
    walletId: who.wallet.id,
    idemKey: `audit/${serial}`,
    params,
  };
  const confirmation = await WITHOUT_PIN.confirm(confirmed, null);
  const intent = newIntent(rig.deps, { ...confirmed, notBefore: null, confirmation });
  await db.intents.insert(intent);
  return intent;
}

/** Until it is carried out and final: its signature. */
async function carriedOut(intent: Intent): Promise<string> {
  await db.transact((stores) => stores.outbox.add([stepJob(rig.deps, intent)]));
  rig.deps.relay.nudge();
  expect(await rig.settled(intent.id)).toMatchObject({ status: 'SUCCEEDED' });
  const [attempt] = await db.intents.attempts(intent.id);
  if (attempt === undefined) throw new Error('it was never signed');
  await final(attempt.signature);
  return attempt.signature;
}

/** Until the newest transactions are final, so that history lists them. */
const final = (signature: string) =>
  until(async () => {
    const [status] = await rig.chain.statuses([signature]);
    return status?.level === 'finalized';
  }, 'the transaction to be final');

/** The database as it is now, in another one that knows of no restore. */
async function replicaOf(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'replica-')), 'copy.dump');
  const copy = await createEmptyDatabase();
  expect((await ops(['dump', path])).code).toBe(0);
  expect((await ops(['restore', path], copy)).code).toBe(0);
  await rm(dirname(path), { recursive: true });
  await administer(copy, 'DELETE FROM quarantines; DELETE FROM system_flags');
  return copy;
}

/** A copy that lacks the last commits, as a replica that was promoted: the withdrawal landed and is `CREATED` in it. */
async function lostWithdrawal(name: string) {
  const who = await rig.person(name, SOL);
  const intent = await withdraw(who);
  const replica = await replicaOf();
  const signature = await carriedOut(intent);
  return { who, intent, replica, signature };
}

/** A wallet of ours whose key this test holds, too. */
async function leaked(name: string, kept: 'stolen' | 'exported') {
  const key = Keypair.generate();
  const who = await rig.person(name, 0n);
  const walletId = rig.deps.ids.ulid();
  const material = toBase58(key.secretKey);
  const secret = await rig.vault.adopt({ userId: who.userId, walletId, material, passphrase: null });
  const wallet = { ...who.wallet, id: walletId, name: 'Second', address: secret.publicKey };
  await db.wallets.insert(PASSED, wallet, secret);
  if (kept === 'exported') {
    const details = { walletId, address: wallet.address };
    await db.auditLog.record(ownAct(who.userId, Date.now(), 'wallet-exported', details));
  }
  await rig.fund(wallet.address, SOL);
  return { key, wallet };
}

async function signOutside(
  key: Keypair,
  { memo, payer = key }: { readonly memo: string | null; readonly payer?: Keypair },
) {
  const connection = new Connection(rig.local.rpcUrl, 'confirmed');
  const transaction = new Transaction().add(
    SystemProgram.transfer({
      fromPubkey: key.publicKey,
      toPubkey: new PublicKey(STRANGER),
      lamports: 100_000_000,
    }),
  );
  if (memo !== null) {
    transaction.add(
      new TransactionInstruction({
        keys: [],
        programId: new PublicKey(MEMO_PROGRAM),
        data: Buffer.from(memo),
      }),
    );
  }
  transaction.feePayer = payer.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(...(payer === key ? [key] : [payer, key]));
  const signature = await connection.sendRawTransaction(transaction.serialize());
  await final(signature);
  return signature;
}

describe('the audit by signature', () => {
  it('finds a sound database sound, and walks only what changed the next time', async () => {
    const who = await rig.person('Sound', SOL);
    await carriedOut(await withdraw(who));
    const first = await ops(['audit']);
    expect(first.out).toMatch(/^0 mismatches/m);
    expect(first.code).toBe(0);
    const second = await ops(['audit']);
    expect(second.out).toMatch(/wallets looked at, 1 walked, 0 transactions compared/);
    await carriedOut(await withdraw(who));
    expect((await ops(['audit'])).out).toMatch(/wallets looked at, 2 walked, 1 transactions compared/);
    expect((await ops(['audit', '--whole'])).out).toMatch(/looked at, 2 walked, ([2-9])/);
  });

  it('says what a promoted replica does not know, each time, and reconcile books it and pays nothing again', async () => {
    const { intent, replica, signature } = await lostWithdrawal('Lost');
    for (const times of [1, 2]) {
      const { code, out } = await ops(['audit'], replica);
      expect(out, `${times}`).toMatch(new RegExp(`^wallet-unbooked +${signature}: .*${intent.id}`, 'm'));
      expect(code).toBe(1);
    }
    const { code, out } = await ops(['reconcile'], replica);
    expect(out).toMatch(new RegExp(`completed +${signature}`));
    expect(out).toContain('The quarantine is lifted.');
    expect(code).toBe(0);
    expect((await ops(['audit'], replica)).out).toMatch(/^0 mismatches/m);
  });

  it('says that a key is out when a wallet signed what this service did not, whoever paid for it', async () => {
    const { key } = await leaked('Stolen', 'stolen');
    const plain = await signOutside(key, { memo: null });
    const sponsor = Keypair.generate();
    await rig.fund(sponsor.publicKey.toBase58() as Address, SOL);
    const sponsored = await signOutside(key, { memo: null, payer: sponsor });
    const { code, out } = await ops(['audit']);
    for (const signature of [plain, sponsored]) {
      expect(out).toMatch(new RegExp(`^foreign-signature +${signature}: .*its key is out`, 'm'));
    }
    expect(code).toBe(1);
    expect((await ops(['reconcile'])).out).toMatch(/MISMATCH foreign-signature[\s\S]*not in quarantine/);
  });

  it('holds nothing against a wallet whose owner has its key, whatever the memo names', async () => {
    const { key } = await leaked('Owner', 'exported');
    const memo = rig.deps.ids.ulid();
    const signatures = [await signOutside(key, { memo: null }), await signOutside(key, { memo })];
    const { out } = await ops(['audit']);
    for (const signature of signatures) expect(out).not.toContain(signature);
    expect(out).toMatch(/2 of them by owners/);
  });

  it('says that an attempt which was judged dead stands on the chain', async () => {
    const copy = await replicaOf();
    const who = await createSignatureBooks(db.query).wallets('', 50);
    expect(who.length).toBeGreaterThan(3);
    const [row] = await administer(
      copy,
      `UPDATE attempts SET status = 'DEAD' WHERE id = (SELECT min(id) FROM attempts) RETURNING signature`,
    );
    const { out } = await ops(['audit', '--whole'], copy);
    expect(out).toMatch(new RegExp(`^landed-dead +${row?.['signature']}`, 'm'));
  });

  it('says that a promoted replica paid a second time', async () => {
    const { intent, replica, signature } = await lostWithdrawal('Twice');
    const promoted = await createPrismaDatabase({ url: replica });
    const balance = await rig.chain.balance(STRANGER);
    const step = createStepIntent(
      { ...rig.deps, db: promoted, vault: rig.signerFor(promoted) },
      { stretchMs: 5_000 },
    );
    await until(async () => {
      await step(intent.id);
      return (await promoted.intents.find(intent.id))?.status === 'SUCCEEDED';
    }, 'the replica to pay again');
    expect(await rig.chain.balance(STRANGER)).toBe(balance + SOL / 5n);
    const { code, out } = await ops(['audit'], replica);
    expect(out).toMatch(new RegExp(`^wallet-unbooked +${signature}: .*${intent.id}`, 'm'));
    expect(code).toBe(1);
    // Nothing can book a second success: an operator accepts it, and is not asked again.
    expect((await ops(['reconcile'], replica)).out).toContain(`MISMATCH unmatched ${signature}`);
    expect((await ops(['reconcile', '--accept'], replica)).code).toBe(0);
    expect((await ops(['audit'], replica)).out).not.toContain(signature);
    await promoted.close();
  });
});
