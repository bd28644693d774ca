/**
 * A worker process that lies: it has a worker's socket of the signer and a worker's rows, and asks for signatures that no person confirmed. It
 * sends what is not as it was confirmed; of honest terms it keeps the signature, for a row that nobody wrote puts the signer's fence up. Options
 * as JSON in the first argument; a line of JSON for each answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, toBase58 } from '../../src/core/address/address.ts';
import { hasCode, isAppError } from '../../src/core/errors/app-error.ts';
import type { Instruction } from '../../src/core/instruction.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { decodeInstruction } from '../../src/engine/signing/rules/decode-instruction.ts';
import type { PlanBuilder, TransactionPlan } from '../../src/engine/transactions/use/plan.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { type Random, seededRandom } from '../../test/support/simulator/random.ts';
import { composeProcess, type ProcessOptions } from './compose.ts';
import type { LieTold } from './liars.ts';
import { THIEF } from './writer.ts';

const BETWEEN_MS = 150;
/** Each signature that is kept holds its intent up until it is dead: with more of them nothing would go on, as a liar may bring about. */
const MOST_KEPT = 8;
const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions & { readonly seed: number };
const { deps, query } = await composeProcess(options);
const programs = createPrograms();
const random = seededRandom(options.seed ^ 0x11a2);

/** Intents that it has a signature of. */
const held = new Set<string>();

const tell = (told: LieTold): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

/** An intent of any person, open ones first; when enough signatures are held, one that has an attempt already. */
async function anyIntent(): Promise<Intent | null> {
  const isOpen = random.chance(0.7) ? `status IN ('CREATED', 'ACTIVE')` : 'true';
  const open =
    held.size < MOST_KEPT
      ? isOpen
      : `${isOpen} AND EXISTS (SELECT 1 FROM attempts WHERE intent_id = intents.id)`;
  const [row] = await query<{ readonly id: string }>(
    `SELECT id FROM intents WHERE ${open} AND kind IN ('withdraw-sol', 'withdraw-token', 'buy', 'sell') ORDER BY random() LIMIT 1`,
    [],
  );
  return row === undefined || held.has(row.id) ? null : deps.db.intents.find(row.id);
}

type Asked = {
  readonly intentId: string;
  readonly message: Parameters<typeof deps.compiler.assemble>[0];
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
  await deps.chain.send(
    deps.compiler.assemble(asked.message, new Map([...(given ?? []), [asked.payer, own]])),
  );
}

/** The plan of an honest worker, and its wallet. */
async function planOf(intent: Intent) {
  const wallet = await deps.db.wallets.find(intent.walletId);
  if (wallet === null) return null;
  const build = deps.plans[intent.params.kind] as PlanBuilder<never>;
  return { wallet, plan: await build(intent as never, wallet, deps.ids.ulid()) };
}

async function compile(payer: Address, memo: string, instructions: readonly Instruction[]) {
  const { blockhash } = await deps.chain.latestBlockhash();
  return deps.compiler.compile({
    payer,
    blockhash,
    instructions: [deps.programs.memo(memo), ...instructions],
  });
}

/** The payments go to the thief, or a payment to the thief stands beside them, or one is made twice. */
function changed(payer: Address, instructions: readonly Instruction[], dice: Random): readonly Instruction[] {
  const index = dice.between(0, Math.max(0, instructions.length - 1));
  const one = instructions[index];
  const extra = programs.transferSol({ from: payer, to: THIEF, lamports: 50_000_000n });
  if (one === undefined || dice.chance(0.3)) return [...instructions, extra];
  if (dice.chance(0.3) && isPayment(one)) return [...instructions, one];
  const at = dice.between(1, Math.max(1, one.accounts.length - 1));
  const accounts = one.accounts.map((meta, each) => (each === at ? { ...meta, address: THIEF } : meta));
  return instructions.map((each, place) => (place === index ? { ...one, accounts } : each));
}

/** A transfer of lamports or of units: any other instruction may stand twice without harm, and lands in no row. */
const isPayment = (one: Instruction): boolean => decodeInstruction(one).kind.startsWith('transfer');

async function act(): Promise<void> {
  const [intent, other] = [await anyIntent(), await anyIntent()];
  const made = intent === null ? null : await planOf(intent);
  if (intent === null || made === null) return;
  const { wallet, plan } = made;
  const payer = wallet.address;
  const of = async (memo: string, instructions: readonly Instruction[]): Promise<Asked> => ({
    intentId: memo,
    message: await compile(payer, memo, instructions),
    coSign: plan.coSign,
    payer,
    isHonest: false,
  });
  switch (random.between(0, 5)) {
    case 0:
      return ask('another message', { ...(await of(intent.id, plan.instructions)), isHonest: true });
    case 1:
      if (other === null || other.userId === intent.userId) return;
      return ask("another person's intent", {
        ...(await of(other.id, plan.instructions)),
        intentId: other.id,
      });
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
    const code = isAppError(error) ? error.code : 'other';
    tell({ lie: 'refused', intentId: code, signature: null });
    if (hasCode(error, 'SIGNER_UNAVAILABLE')) await pause(1_000);
  }
  await pause(BETWEEN_MS);
}
