import type { Address } from '@tradepost/solana';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { type Cluster, type Landing, WINDOW } from './cluster.ts';
import { heightOfHash, type Wire } from './wire.ts';

type Sighting = { readonly signature: string; readonly lastHeight: bigint };

/** How long after its block an error is beyond doubt. */
const FINAL_MS = 13_000;

/**
 * What must be true at every moment of every run, however bad the weather. Watches the wire and the blocks as they happen
 * and the database at the end; knows nothing of how the engine works.
 */
export function createInvariants(
  db: Database,
  now: () => number,
  {
    excuses,
    hasTokens,
  }: {
    /** Whether a text is about something that a hand of the run has touched. Nothing excuses a payment that is made twice. */
    readonly excuses: (text: string) => boolean;
    /** Token transfers are the token program's: none moves lamports in their place. */
    readonly hasTokens: boolean;
  } = { excuses: () => false, hasTokens: false },
) {
  const violations: string[] = [];
  const sightings = new Map<string, Sighting[]>();
  const landed = new Map<string, Landing[]>();
  const ended = new Map<string, string>();
  const breach = (text: string): void => void violations.push(text);
  const say = (text: string): void => void (excuses(text) || breach(text));

  return {
    violations,
    landed: (): ReadonlyMap<string, readonly Landing[]> => landed,
    violate: say,
    breach,

    onWire(signature: string, wire: Wire, height: bigint): void {
      // The read is made now; only its answer comes later.
      db.intents.attempts(wire.memo).then(
        (attempts) => {
          if (!attempts.some((attempt) => attempt.signature === signature)) {
            say(`write-ahead: ${wire.memo} sent ${signature} before it was committed`);
          }
        },
        (error: unknown) => say(`write-ahead: ${String(error)}`),
      );
      const seen = sightings.get(wire.memo) ?? [];
      if (seen.some((other) => other.signature === signature)) return;
      const lastHeight = heightOfHash(wire.blockhash) + WINDOW;
      for (const other of seen) {
        const spent = landed
          .get(wire.memo)
          ?.some(
            (one) => one.signature === other.signature && one.err !== null && now() - one.at >= FINAL_MS,
          );
        if (spent === true || other.lastHeight < height || lastHeight < height) continue;
        breach(
          `overlap: ${wire.memo} sent ${signature} at ${height} while ${other.signature} lives until ${other.lastHeight}`,
        );
      }
      sightings.set(wire.memo, [...seen, { signature, lastHeight }]);
    },

    onLanded(landing: Landing): void {
      const all = [...(landed.get(landing.memo) ?? []), landing];
      landed.set(landing.memo, all);
      if (all.filter((one) => one.err === null).length > 1) breach(`paid twice: ${landing.memo}`);
    },

    onTakenBack(landing: Landing): void {
      const all = landed.get(landing.memo) ?? [];
      landed.set(
        landing.memo,
        all.filter((one) => one !== landing),
      );
    },

    /** An end is an end. */
    async checkEnds(ids: Iterable<string>): Promise<void> {
      for (const id of ids) {
        const intent = await db.intents.find(id);
        const before = ended.get(id);
        if (before !== undefined && intent?.status !== before) {
          say(`${id} ended as ${before} and became ${intent?.status ?? 'nothing'}`);
        }
        if (intent !== null && !isOpen(intent.status)) ended.set(id, intent.status);
      }
    },

    /** The database against the blocks, when nothing runs any more. */
    async checkBooks(
      ids: Iterable<string>,
      cluster: Cluster,
      inviters: readonly { id: string; wallet: Address; initial: bigint }[],
    ): Promise<void> {
      let openPayouts = 0;
      for (const id of ids) {
        const intent = await db.intents.find(id);
        if (intent === null) continue;
        const attempts = await db.intents.attempts(id);
        const all = landed.get(id) ?? [];
        const paid = all.filter((one) => one.err === null).length;
        if (intent.kind === 'payout' && (isOpen(intent.status) || intent.status === 'NEEDS_REVIEW')) {
          openPayouts += 1;
        }
        const allowed = paidTimes(intent);
        if (!allowed.includes(paid))
          say(`${id} (${intent.kind}) is ${intent.status} and was paid ${paid} times`);
        for (const one of all) {
          if (!attempts.some((attempt) => attempt.signature === one.signature)) {
            say(`${id}: ${one.signature} landed and is not in the database`);
          }
        }
        if (intent.kind === 'create-token' || intent.kind === 'launch') {
          const token = await db.createdTokens.findByIntent(id);
          const one = all.find((landing) => landing.err === null);
          const isOwed = intent.status === 'SUCCEEDED';
          if (isOwed ? token?.signature !== one?.signature || !made(cluster, token) : token !== null) {
            say(`${id} (${intent.kind}) is ${intent.status} and its token is ${token?.mint ?? 'unknown'}`);
          }
        }
        if (intent.kind === 'prepare-token') {
          const halves = await secondHalves(ids, id);
          const owed = intent.status === 'SUCCEEDED' ? 1 : 0;
          if (halves !== owed)
            say(`${id} (prepare-token) is ${intent.status} and has ${halves} second halves`);
        }
        if (intent.kind === 'withdraw-sol' || (intent.kind === 'withdraw-token' && !hasTokens)) {
          const { params } = intent;
          if (!('destination' in params)) continue;
          const amount = params.kind === 'withdraw-sol' ? params.lamports : params.amount;
          const got = cluster.balances.get(params.destination) ?? 0n;
          if (got !== amount * BigInt(paid))
            say(`${id}: the recipient holds ${got} instead of ${amount * BigInt(paid)}`);
        }
      }
      for (const [mint, times] of cluster.fills)
        if (times > 1) say(`the supply of ${mint} was made ${times} times`);
      for (const inviter of inviters) await checkRewards(inviter, cluster, openPayouts);
    },
  };

  /** How many creations fill the mint that this first half made. */
  async function secondHalves(ids: Iterable<string>, first: string): Promise<number> {
    const { userId } = (await db.intents.find(first)) ?? {};
    let halves = 0;
    for (const id of ids) {
      const intent = await db.intents.find(id);
      // Each person of a run has one request.
      if (intent?.userId === userId && intent?.params.kind === 'create-token') halves += 1;
    }
    return halves;
  }

  async function checkRewards(
    inviter: { readonly id: string; readonly wallet: Address; readonly initial: bigint },
    cluster: Cluster,
    openPayouts: number,
  ): Promise<void> {
    const totals = await db.referrals.totals(inviter.id);
    const rewards = await db.referrals.rewards(inviter.id, 1_000);
    const owed = await db.ledger.balance({ kind: 'referral-payable', owner: inviter.id });
    const inFlight = await db.ledger.balance({ kind: 'referral-in-flight', owner: inviter.id });
    const unpaid = rewards
      .filter((one) => one.status !== 'PAID')
      .reduce((sum, one) => sum + one.lamports, 0n);
    if (owed + inFlight !== unpaid)
      say(`the ledger owes ${inviter.id} ${owed + inFlight}, the rewards say ${unpaid}`);
    const received = (cluster.balances.get(inviter.wallet) ?? 0n) - inviter.initial;
    // A payout in a block that the database has not heard of yet is ahead of the books, never behind them.
    const exact = openPayouts === 0;
    if (exact ? received !== totals.paidLamports : received < totals.paidLamports) {
      say(`the inviter ${inviter.id} received ${received}, the books say ${totals.paidLamports}`);
    }
  }
}

/** The cluster knows the account that the database calls the mint, and its supply was made once. */
function made(cluster: Cluster, token: CreatedToken | null): boolean {
  if (token === null || (cluster.balances.get(token.mint) ?? 0n) === 0n) return false;
  return cluster.fills.get(token.mint) === 1;
}

function paidTimes(intent: Intent): readonly number[] {
  switch (intent.status) {
    case 'SUCCEEDED':
      return [1];
    case 'CREATED':
    case 'ACTIVE':
    case 'NEEDS_REVIEW':
      return [0, 1];
    case 'FAILED':
    case 'REJECTED':
    case 'EXPIRED':
    case 'CANCELLED':
      return [0];
  }
}
