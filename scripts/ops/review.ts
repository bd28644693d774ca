import { setTimeout as pause } from 'node:timers/promises';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import { VERDICTS, type Verdict } from '../../src/engine/intents/rules/review.ts';
import type { WholeIntent } from '../../src/engine/intents/store/intent-store-port.ts';
import {
  type AttemptEvidence,
  evidenceOn,
  type ReviewDeps,
  type ReviewOrder,
  resolveReview,
} from '../../src/modules/operations/use/review-intent.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { oneOf } from './read-values.ts';

const REASON_MAX = 200;

/** 1 when an intent waits. */
export async function listReviews(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const waiting = await db.query<{
      readonly id: string;
      readonly receipt: string;
      readonly kind: string;
      readonly updatedAt: Date;
      readonly userId: string | null;
    }>(
      `SELECT id, receipt, kind, updated_at AS "updatedAt", user_id AS "userId" FROM intents
        WHERE status = 'NEEDS_REVIEW' ORDER BY updated_at, id`,
      [],
    );
    for (const { id, receipt, kind, updatedAt, userId } of waiting) {
      const whose = userId === null ? 'of the desk' : `of user ${userId}`;
      io.print(`${id}  ${receipt}  ${kind} ${whose}, since ${updatedAt.toISOString()}`);
    }
    if (waiting.length === 0) io.print('Nothing waits for a person.');
    return waiting.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

export async function showReview(io: Io, id: string): Promise<number> {
  return withIntent(io, id, async (deps, whole) => {
    const { intent, wallet, attempts } = whole;
    const reason = intent.outcome?.reason ?? 'endpoints did not agree, or none could prove how it ended';
    io.print(
      `${intent.kind} ${intent.receipt}, ${intent.status} since ${timeOf(intent.updatedAt)}: ${reason}`,
    );
    io.print(`wallet ${wallet.address}, made ${timeOf(intent.createdAt)}`);
    for (const one of await evidenceOn(deps, whole)) printEvidence(io, one);
    if (attempts.length === 0) io.print('Nothing was ever signed for it.');
    return 0;
  });
}

export async function endReview(
  io: Io,
  id: string,
  values: {
    readonly verdict: string | undefined;
    readonly signature: string | undefined;
    readonly reason: string | undefined;
    readonly confirm: string | undefined;
    readonly force: string | undefined;
  },
): Promise<number> {
  const verdict = oneOf('--verdict', values.verdict ?? '', VERDICTS);
  const reason = (values.reason ?? '').replaceAll(/\s+/g, ' ').trim();
  if (reason === '' || reason.length > REASON_MAX)
    throw new UsageError(`--reason: expected why, in 1 to ${REASON_MAX} characters; it stays in the trail.`);
  const signature = values.signature ?? null;
  if ((signature === null) !== (verdict === 'dead'))
    throw new UsageError(
      '--signature: expected that of the attempt with "landed" and "failed", and none with "dead".',
    );
  return withIntent(io, id, async (deps, whole) => {
    const { receipt } = whole.intent;
    if (values.confirm !== receipt)
      throw new UsageError(
        `--confirm: expected the receipt of ${id}, as "review show" prints it. Nothing was changed.`,
      );
    const phrase = forcePhrase(verdict, receipt);
    if (values.force !== undefined && values.force !== phrase)
      throw new UsageError(`--force: expected the words "${phrase}". Nothing was changed.`);
    const order = { verdict, signature, reason, forced: values.force === phrase, actor: operator() };
    return tellResult(io, deps, whole, order);
  });
}

/** Typed anew for each intent and verdict, so that no line of a shell's history decides the next one. */
function forcePhrase(verdict: Verdict, receipt: string): string {
  return `${receipt} is ${verdict} whatever the nodes say`;
}

async function tellResult(io: Io, deps: ReviewDeps, whole: WholeIntent, order: ReviewOrder): Promise<number> {
  const { receipt } = whole.intent;
  const result = await resolveReview(deps, whole, order);
  switch (result.kind) {
    case 'resolved':
      io.print(`${receipt} is ${result.status}. Its books are closed and its owner is told.`);
      return 0;
    case 'not-waiting':
      io.print(`${receipt} is ${result.status} and waits for nobody. Nothing was changed.`);
      return 1;
    case 'unknown-signature':
      io.print(`${receipt} has no attempt with this signature. Nothing was changed.`);
      return 1;
    case 'refused':
      for (const objection of result.objections) io.print(objection);
      io.print(
        `The endpoints do not bear it out. Nothing was changed. Name more or other endpoints in SOLANA_RPC_URL, or, if you know better than they, add --force "${forcePhrase(order.verdict, receipt)}"`,
      );
      return 1;
  }
}

function printEvidence(io: Io, { attempt, opinions, agreement }: AttemptEvidence): void {
  io.print(
    `attempt ${attempt.n} ${attempt.signature}: ${attempt.status} here, signed ${timeOf(attempt.signedAt)}`,
  );
  for (const { endpoint, word } of opinions) io.print(`  ${endpoint} says ${word ?? 'nothing it can prove'}`);
  if (opinions.length === 0) io.print('  no endpoint answers');
  io.print(
    agreement.kind === 'agreed'
      ? `  so it is ${agreement.word}`
      : agreement.kind === 'disputed'
        ? '  so one of them is wrong'
        : '  so nothing is certain yet',
  );
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** Runs `use` on an intent of this database. Nothing is decided while the database may be behind the chain. */
async function withIntent(
  io: Io,
  id: string,
  use: (deps: ReviewDeps, whole: WholeIntent) => Promise<number>,
): Promise<number> {
  const config = io.config();
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    if (await db.flags.isSet('quarantined'))
      throw new OpsError('The database is in quarantine: run "reconcile" first.');
    const whole = await db.intents.whole(id);
    if (whole === null) throw new OpsError(`There is no intent ${id}: see "review list".`);
    const treasury = await db.wallets.treasury();
    if (treasury === null) throw new OpsError('The database has no treasury: is it the right one?');
    const clock = systemClock();
    const deps: ReviewDeps = {
      db,
      chain: openChain(config).chain,
      clock,
      ids: randomIds(() => clock.now()),
      treasury,
      fees: feesOf(config.feeTable),
      settlements: SETTLEMENTS,
      pause: (ms) => pause(ms),
      // The outbox holds the next jobs, and the workers find them there.
      relay: { run: async () => 0, nudge: () => undefined },
      log: { info: () => undefined, warn: () => undefined },
    };
    return await use(deps, whole);
  } finally {
    await close();
  }
}
