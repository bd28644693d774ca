import { AppError } from '../../../src/core/errors/app-error.ts';
import type { FollowDeps } from '../../../src/modules/submissions/use/follow-submission.ts';
import type { SubmissionWatchDeps } from '../../../src/modules/submissions/use/watch-submissions.ts';
import type { LandedTransaction, SignatureStatus } from '../../../src/platform/ports/chain.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { freshAddress } from '../../support/tape-rows.ts';

const SLOT_MS = 400;
const FINAL_AFTER = 32;
const CONFIRMED_AFTER = 2;
const LIFE = 150;
/** The honest node is at most so many blocks behind. */
const MOST_LAG = 12;
const FEE_PAYER = freshAddress();

/** What a transaction's life is, drawn before anybody asks: forks may take a landing away before the one that stays. */
type Fate = {
  readonly bornAt: number;
  /** Heights between which a fork shows it; null: none does. */
  readonly fork: readonly [from: number, until: number] | null;
  /** Where it lands for good, once sent; null: never. */
  readonly landsAt: number | null;
  readonly err: string | null;
  sent: boolean;
};

export type Hostility = {
  /** Of 1: answers that are lost. */
  readonly lost: number;
  /** Of 1: answers of the second node that are lies. */
  readonly lies: number;
  readonly random: () => number;
};

/** A chain of two nodes behind one virtual clock: one honest that lags, one that lies, and answers of both get lost. */
export function hostileWorld({ lost, lies, random }: Hostility) {
  const clock = fakeClock();
  const startedAt = clock.now();
  const fates = new Map<string, Fate>();
  const height = (): number => 1_000 + Math.floor((clock.now() - startedAt) / SLOT_MS);
  const reach = (): void => {
    if (random() < lost) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'node', cause: 'lost' });
  };
  const int = (below: number): number => Math.floor(random() * below);
  const liesNow = (node: number): boolean => node === 1 && random() < lies;

  const trueStatus = (signature: string, at: number): SignatureStatus | null => {
    const fate = fates.get(signature);
    if (fate === undefined || !fate.sent) return null;
    const { fork, landsAt, err } = fate;
    if (fork !== null && at >= fork[0] && at < fork[1])
      return {
        slot: BigInt(fork[0]),
        level: at - fork[0] >= CONFIRMED_AFTER ? 'confirmed' : 'processed',
        err: null,
      };
    if (landsAt === null || at < landsAt) return null;
    const age = at - landsAt;
    const level = age >= FINAL_AFTER ? 'finalized' : age >= CONFIRMED_AFTER ? 'confirmed' : 'processed';
    return { slot: BigInt(landsAt), level, err };
  };
  const lie = (): SignatureStatus | null =>
    [
      null,
      { slot: BigInt(height()), level: 'finalized' as const, err: null },
      { slot: BigInt(height()), level: 'finalized' as const, err: '{"InstructionError":[0,"Custom"]}' },
      { slot: BigInt(height()), level: 'processed' as const, err: null },
    ][int(4)] ?? null;
  const recordOf = (signature: string, { err, slot }: SignatureStatus): LandedTransaction => ({
    signature,
    slot,
    blockTime: null,
    err,
    feeLamports: 5_000n,
    logs: [],
    balances: [{ address: FEE_PAYER, before: 2n, after: 1n }],
    tokenBalances: [],
    signatureCount: 1,
  });
  const seenBy = (node: number): number => height() - (node === 0 ? int(MOST_LAG) : 0);

  const chain: SubmissionWatchDeps['chain'] = {
    statuses: async (signatures) => {
      reach();
      const node = int(2);
      const at = seenBy(node);
      return signatures.map((signature) => (liesNow(node) ? lie() : trueStatus(signature, at)));
    },
    send: async (bytes) => {
      reach();
      const fate = fates.get(Buffer.from(bytes).toString());
      if (fate !== undefined) fate.sent = true;
      return { kind: 'accepted' };
    },
    latestBlockhash: async () => {
      reach();
      const lied = random() < 0.5 && random() < lies ? 10_000 : 0;
      return {
        blockhash: 'h',
        lastValidBlockHeight: BigInt(height() + LIFE + lied),
        slot: BigInt(height()),
        livesMs: 60_000,
      };
    },
    probe: async (signature, round) => {
      reach();
      const node = round % 2;
      const at = seenBy(node);
      const lied = liesNow(node);
      return {
        endpoint: `node ${node}`,
        endpoints: 2,
        finalizedHeight: BigInt(at - FINAL_AFTER + (lied ? 10_000 : 0)),
        finalizedSlot: BigInt(at - FINAL_AFTER),
        status: lied ? lie() : trueStatus(signature, at),
        statusSlot: BigInt(at),
        firstAvailableBlock: 0n,
      };
    },
    testimony: async (signature, round) => {
      reach();
      const node = round % 2;
      const status = liesNow(node) ? lie() : trueStatus(signature, seenBy(node));
      const transaction = status === null || random() < 0.2 ? null : recordOf(signature, status);
      return { endpoint: `node ${node}`, endpoints: 2, status, transaction };
    },
  };
  const blockhashes: FollowDeps['blockhashes'] = {
    known: async () => ({ isKnown: true, slot: BigInt(height()) }),
    height: async (round, minSlot) => {
      reach();
      const node = round % 2;
      const at = liesNow(node) ? int(500) : Math.max(seenBy(node), Number(minSlot));
      return { endpoint: `node ${node}`, endpoints: 2, height: BigInt(at) };
    },
  };

  return {
    clock,
    chain,
    blockhashes,
    feePayer: FEE_PAYER,
    height,
    /** A transaction with a blockhash of now and a fate of its own. */
    bear: (signature: string): Fate => {
      const bornAt = height();
      const from = bornAt + 1 + int(60);
      const fork: Fate['fork'] = random() < 0.3 ? [from, from + 1 + int(20)] : null;
      const earliest = fork === null ? bornAt + 1 : fork[1];
      const landsAt = random() < 0.6 ? earliest + int(bornAt + LIFE - earliest + 1) : null;
      const err = random() < 0.3 ? '{"InstructionError":[2,"Custom"]}' : null;
      const fate: Fate = { bornAt, fork, landsAt, err, sent: false };
      fates.set(signature, fate);
      return fate;
    },
    /** How it ended for good: what a final word must say. */
    truthOf: (signature: string): 'finalized' | 'failed' | 'expired' => {
      const fate = fates.get(signature);
      if (fate === undefined || !fate.sent || fate.landsAt === null) return 'expired';
      return fate.err === null ? 'finalized' : 'failed';
    },
  };
}
