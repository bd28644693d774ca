import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { COPY_DEFAULTS, type Copy, copyFacts } from '../../../../src/modules/copying/rules/copy.ts';
import type { LeaderTrade } from '../../../../src/modules/follows/rules/leader-trade.ts';
import { passFree } from '../../../../src/modules/guard/rules/pass-free.ts';
import { freezeAccount } from '../../../../src/modules/guard/use/freeze-account.ts';
import { NO_EXITS } from '../../../../src/modules/settings/rules/exit-set.ts';
import type { LandedTransaction } from '../../../../src/platform/ports/chain.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { PASSED } from '../../passed.ts';
import { TEST_CERTIFIER, testSigner } from '../../signer.ts';
import { type Cluster, type Landing, SLOT_MS } from '../cluster.ts';
import type { OrderWorld } from '../orders/sim-market.ts';
import { addPerson, walletOf } from '../people.ts';
import { seededRandom } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { createCopyInvariants } from './copy-invariants.ts';
import type { CopyWorld } from './copy-watching.ts';

const SOL = 1_000_000_000n;
/** People with copies stand behind those of orders. */
const FIRST_PERSON = 70;
const LEADERS: readonly Address[] = [201, 202].map((byte) => addressFromBytes(new Uint8Array(32).fill(byte)));
const DAY_MS = 86_400_000;
const LEADER_TRADE = [SOL / 200n, SOL / 5n, SOL] as const;

type Client = Parameters<typeof freezeAccount>[0];

/** Copies of a run: leaders who trade, some of it on a dead fork, and people whose mandates follow them. */
export function createCopyStory(run: {
  readonly seed: number;
  readonly timeline: Timeline;
  readonly cluster: Cluster;
  readonly db: Database;
  readonly market: OrderWorld;
  /** Units of each token that are a wallet's own. */
  readonly endow: (wallet: Address, units: bigint) => void;
  readonly landed: () => ReadonlyMap<string, readonly Landing[]>;
  readonly violate: (text: string) => void;
  readonly count: number;
}) {
  const { timeline, cluster, db, market } = run;
  const random = seededRandom(run.seed ^ 0xc0f1);
  const trades = new Map<string, LeaderTrade>();
  const records = new Map<string, LandedTransaction>();
  const held = new Map<string, bigint>();
  const copyIds: string[] = [];
  let isOver = false;
  let serial = 0;
  const invariants = createCopyInvariants({ db, timeline, trades, landed: run.landed, say: run.violate });

  /** A leader buys, or sells a part of what it holds; then the trade is recorded, and perhaps a fork takes it back. */
  async function leads(): Promise<void> {
    const leader = random.pick(LEADERS);
    const mint = random.pick([...market.paths.keys()].slice(0, 2));
    const key = `${leader}:${mint}`;
    const before = held.get(key) ?? 0n;
    const price = market.paths.get(mint)?.priceAt(market.slot()) ?? 1;
    const sells = before > 0n && random.chance(0.4);
    const lamports = random.pick(LEADER_TRADE);
    const units = sells
      ? (before * BigInt(random.pick([2, 5, 10]))) / 10n
      : BigInt(Math.round(Number(lamports) / price));
    serial += 1;
    const trade: LeaderTrade = {
      leader,
      signature: `leader${run.seed}x${serial}`,
      mint,
      side: sells ? 'sell' : 'buy',
      tradeId: BigInt(serial),
      at: timeline.now(),
      units,
      paid: random.chance(0.1)
        ? null
        : { mint: WSOL_MINT, units: sells ? BigInt(Math.round(Number(units) * price)) : lamports },
      takenBack: false,
    };
    const after = sells ? before - units : before + units;
    held.set(key, after);
    trades.set(trade.signature, trade);
    records.set(trade.signature, recordOf(trade, { before, after, slot: market.slot() }));
    await db.follows.record([trade]);
    if (!random.chance(0.2)) return;
    timeline.after(random.between(1, 30) * SLOT_MS, () => {
      held.set(key, (held.get(key) ?? 0n) - (after - before));
      trades.set(trade.signature, { ...trade, takenBack: true });
      void db.follows.takeBack([trade.tradeId]);
    });
  }

  async function switchOn(index: number): Promise<void> {
    const person = FIRST_PERSON + index;
    const userId = await addPerson(db, { index: person, inviterId: null });
    cluster.balances.set(walletOf(person), 30n * SOL);
    // Tokens of the person's own, which no copy may sell.
    run.endow(walletOf(person), SOL);
    const total = random.pick([SOL / 2n, 2n * SOL]);
    const copy: Copy = {
      id: `copy-${index}`,
      userId,
      walletId: `wallet-${userId}`,
      followId: `follow-${index}`,
      leader: random.pick(LEADERS),
      status: 'ON',
      reason: null,
      rules: {
        ...COPY_DEFAULTS,
        size: random.chance(0.5) ? { kind: 'fixed', lamports: SOL / 10n } : { kind: 'share', percent: 50 },
        tradeLamports: SOL / 4n,
        dayLamports: random.chance(0.5) ? SOL / 2n : total,
        totalLamports: total,
        each: random.chance(0.7),
        exits: random.chance(0.5)
          ? NO_EXITS
          : { takes: [{ atBps: 1_000, shareBps: 5_000 }], stopBps: 2_000, trailBps: null },
      },
      lockEpoch: 0,
      until: timeline.now() + DAY_MS,
      certificate: null,
      since: timeline.now(),
      version: 1,
      createdAt: timeline.now(),
    };
    // What the PIN would have been asked for.
    await db.copies.insert(PASSED, { ...copy, certificate: TEST_CERTIFIER.copy(copyFacts(copy)) });
    copyIds.push(copy.id);
  }

  const insists = (work: () => Promise<unknown>): void => {
    work().catch(() => timeline.after(random.between(200, 3_000), () => insists(work)));
  };

  /** Some pause by a tap, and some freeze everything. */
  function interrupts(index: number, client: () => Client): void {
    const userId = `person-${FIRST_PERSON + index}`;
    if (random.chance(0.2))
      timeline.after(random.between(10_000, 60_000), () =>
        insists(() => freezeAccount(client(), { userId })),
      );
    if (random.chance(0.2))
      timeline.after(random.between(10_000, 60_000), () =>
        insists(() => client().db.copies.pauseAll(passFree('panic', userId), userId, 'panic')),
      );
  }

  return {
    world: {
      ...market,
      onFault: (err) =>
        run.violate(`a copy failed by a bug: ${err instanceof Error ? (err.stack ?? '') : String(err)}`),
      leaderRecord: (signature: string) => records.get(signature) ?? null,
      signer: testSigner({ db, clock: timeline.clock }),
    } satisfies CopyWorld,
    async place(client: () => Client): Promise<void> {
      for (let index = 0; index < run.count; index += 1) {
        await switchOn(index);
        interrupts(index, client);
      }
      const next = (): void => {
        if (isOver) return;
        void leads();
        timeline.after(random.between(500, 8_000), next);
      };
      timeline.after(random.between(500, 8_000), next);
    },
    onIntent: (intent: Intent) => invariants.onIntent(intent),
    /** Leaders rest from now on. */
    settle(): void {
      isOver = true;
    },
    stuck: () => invariants.stuck(copyIds),
    checkBooks: (intents: readonly Intent[]) => invariants.checkBooks(copyIds, intents),
  };
}

function recordOf(
  { signature, leader, mint }: LeaderTrade,
  { before, after, slot }: { readonly before: bigint; readonly after: bigint; readonly slot: bigint },
): LandedTransaction {
  return {
    signature,
    slot,
    blockTime: null,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [],
    tokenBalances: [{ account: leader, owner: leader, mint, before, after }],
    signatureCount: 1,
  };
}
