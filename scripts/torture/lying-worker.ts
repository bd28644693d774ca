/**
 * A worker process that lies: it has a worker's socket of the signer and a worker's rows, and asks for signatures that no person confirmed. It
 * takes leases too: an intent that an honest worker has signed for is closed to lies, by the journal, before the signer reads the message. A message
 * with other terms gets its row and is sent: without one it puts the signer's fence up, and the first theft would be the last. Of honest
 * terms it keeps the signature. Options as JSON in the first argument; a line of JSON for each answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, type Instruction, toBase58 } from '@tradepost/solana';
import { hasCode, isAppError } from '../../src/core/errors/app-error.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { decodeInstruction } from '../../src/engine/signing/rules/decode-instruction.ts';
import type { PlanBuilder, TransactionPlan } from '../../src/engine/transactions/use/plan.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import type { Blockhash } from '../../src/platform/ports/chain.ts';
import { type Random, seededRandom } from '../../test/support/simulator/random.ts';
import { composeProcess, type ProcessOptions } from './compose.ts';
import type { LieTold } from './liars.ts';
import { THIEF } from './writer.ts';

const BETWEEN_MS = 150;
/** Each signature that is kept holds its intent up until it is dead: with more of them nothing would go on, as a liar may bring about. */
const MOST_KEPT = 8;
/** So long the honest workers keep away from an intent. The lease ends by itself, also where the liar dies. */
const LEASE_MS = 4_000;
/** An honest worker takes a new intent within a moment: so often the liar looks for one, and so many times. */
const LOOK_MS = 20;
const LOOKS = 50;
/** The weather drops one send in three. */
const SENDS = 4;
const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions & { readonly seed: number };
const { deps, query } = await composeProcess(options);
const programs = createPrograms();
const random = seededRandom(options.seed ^ 0x11a2);

/** Intents that it has a signature of. */
const held = new Set<string>();

const tell = (told: LieTold): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

const KINDS = `kind IN ('withdraw-sol', 'withdraw-token', 'buy', 'sell')`;

/** A new intent of any person, before any honest worker: its lease is the liar's. Null when none comes. */
async function freshIntent(): Promise<Intent | null> {
  for (let look = 0; look < LOOKS; look += 1) {
    const [row] = await query<{ readonly id: string }>(
      `SELECT id FROM intents WHERE status = 'CREATED' AND lease_until IS NULL AND ${KINDS} ORDER BY id DESC LIMIT 1`,
      [],
    );
    const now = deps.clock.now();
    const claim = { owner: deps.owner, now, until: now + LEASE_MS };
    const leased = row === undefined || held.has(row.id) ? null : await deps.db.intents.lease(row.id, claim);
    if (leased !== null) return leased.intent;
    await pause(LOOK_MS);
  }
  return null;
}

/** An intent of any person, open ones first; when enough signatures are held, one that has an attempt already. */
async function anyIntent(): Promise<Intent | null> {
  const isOpen = random.chance(0.7) ? `status IN ('CREATED', 'ACTIVE')` : 'true';
  const open =
    held.size < MOST_KEPT
      ? isOpen
      : `${isOpen} AND EXISTS (SELECT 1 FROM attempts WHERE intent_id = intents.id)`;
  const [row] = await query<{ readonly id: string }>(
    `SELECT id FROM intents WHERE ${open} AND ${KINDS} ORDER BY random() LIMIT 1`,
    [],
  );
  return row === undefined || held.has(row.id) ? null : deps.db.intents.find(row.id);
}

type Asked = {
  readonly intentId: string;
  readonly message: Parameters<typeof deps.compiler.assemble>[0];
  readonly blockhash: Blockhash;
  readonly coSign: TransactionPlan['coSign'];
  readonly payer: Address;
  /** Whether the message is as the person confirmed it. */
  readonly isHonest: boolean;
};

async function ask(lie: LieTold['lie'], asked: Asked): Promise<void> {
  const own = await deps.vault.sign({
    intentId: asked.intentId,
    message: asked.message.bytes,
    attempt: null,
  });
  const signature = toBase58(own);
  held.add(asked.intentId);
  tell({ lie, intentId: asked.intentId, signature });
  if (asked.isHonest) return;
  const others = asked.message.signers.filter((signer) => signer !== asked.payer);
  const given = others.length > 0 ? await asked.coSign?.(asked.message.bytes, others) : undefined;
  const bytes = deps.compiler.assemble(asked.message, new Map([...(given ?? []), [asked.payer, own]]));
  await writeRow({ intentId: asked.intentId, blockhash: asked.blockhash, signature, bytes });
  for (let sent = 0; sent < SENDS; sent += 1) {
    await deps.chain.send(bytes).catch(() => undefined);
    await pause(BETWEEN_MS);
  }
}

/** The row that an honest worker writes before it sends. */
async function writeRow(of: {
  readonly intentId: string;
  readonly blockhash: Blockhash;
  readonly signature: string;
  readonly bytes: Uint8Array;
}): Promise<void> {
  const { intentId, signature } = of;
  const { blockhash, lastValidBlockHeight, slot } = of.blockhash;
  const before = await deps.db.intents.attempts(intentId);
  await deps.db.intents.update(intentId, { statuses: ['CREATED'] }, { status: 'ACTIVE' });
  await deps.db.intents.insertAttempt({
    id: deps.ids.ulid(),
    intentId,
    n: before.length + 1,
    signedTransaction: of.bytes,
    signature,
    blockhash,
    lastValidBlockHeight,
    signedSlot: slot,
    signedAt: deps.clock.now(),
    status: 'SIGNED',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms: null,
  });
}

/** The plan of an honest worker, and its wallet. */
async function planOf(intent: Intent) {
  const wallet = await deps.db.wallets.find(intent.walletId);
  if (wallet === null) return null;
  const build = deps.plans[intent.params.kind] as PlanBuilder<never>;
  return { wallet, plan: await build(intent as never, wallet, deps.ids.ulid()) };
}

async function compile(payer: Address, memo: string, instructions: readonly Instruction[]) {
  const blockhash = await deps.chain.latestBlockhash();
  const message = deps.compiler.compile({
    payer,
    blockhash: blockhash.blockhash,
    instructions: [deps.programs.memo(memo), ...instructions],
  });
  return { message, blockhash };
}

/** A payment to the thief is beside the payments, or one is made twice, or the thief is in an account's place. */
function changed(payer: Address, instructions: readonly Instruction[], dice: Random): readonly Instruction[] {
  const index = dice.between(0, Math.max(0, instructions.length - 1));
  const one = instructions[index];
  const extra = programs.transferSol({ from: payer, to: THIEF, lamports: 50_000_000n });
  if (one === undefined || dice.chance(0.4)) return [...instructions, extra];
  if (dice.chance(0.3) && isPayment(one)) return [...instructions, one];
  const at = dice.between(1, Math.max(1, one.accounts.length - 1));
  const accounts = one.accounts.map((meta, each) => (each === at ? { ...meta, address: THIEF } : meta));
  return instructions.map((each, place) => (place === index ? { ...one, accounts } : each));
}

/** A transfer of lamports or of units: any other instruction may stand twice without harm, and lands in no row. */
const isPayment = (one: Instruction): boolean => decodeInstruction(one).kind.startsWith('transfer');

async function act(): Promise<void> {
  const fresh = random.chance(0.5) ? await freshIntent() : null;
  const intent = fresh ?? (await anyIntent());
  if (intent === null) return;
  try {
    await lieAbout(intent, fresh !== null);
  } finally {
    if (fresh !== null) await deps.db.intents.release(fresh.id, fresh.leaseEpoch);
  }
}

async function lieAbout(intent: Intent, isFresh: boolean): Promise<void> {
  const made = await planOf(intent);
  if (made === null) return;
  const { wallet, plan } = made;
  const payer = wallet.address;
  const of = async (memo: string, instructions: readonly Instruction[]): Promise<Asked> => ({
    intentId: memo,
    ...(await compile(payer, memo, instructions)),
    coSign: plan.coSign,
    payer,
    isHonest: false,
  });
  switch (random.between(0, 5)) {
    case 0:
      if (isFresh && held.size >= MOST_KEPT) return;
      return ask('another message', { ...(await of(intent.id, plan.instructions)), isHonest: true });
    case 1: {
      const other = await anyIntent();
      if (other === null || other.userId === intent.userId) return;
      return ask("another person's intent", {
        ...(await of(other.id, plan.instructions)),
        intentId: other.id,
      });
    }
    case 2: {
      // A confirmed request's code over other words, as a row of its own.
      const id = deps.ids.ulid();
      const params = {
        kind: 'withdraw-sol',
        destination: THIEF,
        lamports: 70_000_000n,
        everything: false,
        tier: 'economy',
      } as const;
      await deps.db.intents.insert({
        ...intent,
        id,
        idemKey: id,
        kind: 'withdraw-sol',
        params,
        status: 'CREATED',
        notBefore: null,
        outcome: null,
        leaseOwner: null,
        leaseUntil: null,
      });
      const pays = programs.transferSol({ from: payer, to: THIEF, lamports: 70_000_000n });
      return ask('an invented intent', await of(id, [pays]));
    }
    default:
      return ask('other terms', await of(intent.id, changed(payer, plan.instructions, random)));
  }
}

for (;;) {
  try {
    await act();
  } catch (error) {
    const rule = hasCode(error, 'POLICY_DENIED') ? ` ${error.details.rule}` : '';
    const code = isAppError(error) ? error.code : 'other';
    tell({ lie: 'refused', intentId: `${code}${rule}`, signature: null });
    if (hasCode(error, 'SIGNER_UNAVAILABLE')) await pause(1_000);
  }
  await pause(BETWEEN_MS);
}
