import { type Address, addressFromBytes } from '@tradepost/solana';
import type { NoticeToTell } from '../../../../src/engine/notices/store-port.ts';
import { tellSignal } from '../../../../src/modules/follows/chat/tell-signal.ts';
import { decodeSignal } from '../../../../src/modules/follows/rules/signal-notice.ts';
import { NO_HOUR } from '../../../../src/modules/follows/rules/told-hour.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { buildToken } from '../../../modules/tokens/build-token.ts';
import { fakeIds } from '../../fakes/ids.ts';
import type { FaultLevels } from '../fault-levels.ts';
import { addPerson } from '../people.ts';
import { seededRandom } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { createLeaderTrades } from './leader-trades.ts';
import { createSignalInvariants, fundersOf, type Wish } from './signal-invariants.ts';
import type { SignalWorld } from './signal-watching.ts';
import { createSimTape, marketsOf } from './sim-tape.ts';

/** People with signals come after those of copies. */
const FIRST_PERSON = 85;
const addressAt = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const LEADERS: readonly Address[] = [211, 212, 213, 214, 215, 216].map(addressAt);
const FUNDERS: readonly Address[] = [221, 222].map(addressAt);
const MINTS: readonly Address[] = [231, 232, 233].map(addressAt);
const DOLLARS = addressAt(234);
const BAR = 100_000_000n;

/** Signals of a run: wallets that buy and sell, some of it on a dead fork or late, and people who wait for several of them. */
export function createSignalStory(run: {
  readonly seed: number;
  readonly timeline: Timeline;
  readonly levels: () => FaultLevels;
  readonly db: Database;
  readonly violate: (text: string) => void;
  readonly count: number;
}) {
  const { timeline, db, violate } = run;
  const random = seededRandom(run.seed ^ 0x516a);
  const tape = createSimTape();
  const markets = marketsOf([...MINTS, DOLLARS]);
  const wishes = new Map<string, Wish>();
  /** Wallets that had no follower for a while: what became of their trades then was not read. */
  const unread = new Set<Address>();
  const funderOf = new Map<Address, Address>();
  const leaderTrades = createLeaderTrades({
    seed: run.seed,
    timeline,
    random,
    tape,
    leaders: LEADERS,
    markets,
  });
  const invariants = createSignalInvariants({
    wishes,
    mints: MINTS,
    purchaseIn: ({ trade }) => leaderTrades.purchaseOf(trade, DOLLARS),
    say: violate,
  });

  async function follow(userId: string, leader: Address): Promise<void> {
    const [since, bar] = [timeline.now(), random.chance(0.3) ? BAR : 0n];
    await db.follows.insert({
      id: `follow-${userId}-${LEADERS.indexOf(leader)}`,
      userId,
      leader,
      label: `w${LEADERS.indexOf(leader)}`,
      minLamports: bar,
      notices: random.chance(0.2),
      ...NO_HOUR,
      createdAt: since,
    });
    wishes.get(userId)?.follows.set(leader, { since, bar });
  }

  /** A wallet is followed no more, and some seconds later again. */
  function changesItsMind(userId: string, leader: Address): void {
    timeline.after(random.between(5_000, 40_000), () => {
      void db.follows.remove(`follow-${userId}-${LEADERS.indexOf(leader)}`);
      wishes.get(userId)?.follows.delete(leader);
      if (![...wishes.values()].some(({ follows }) => follows.has(leader))) unread.add(leader);
    });
    timeline.after(random.between(40_001, 60_000), () => void follow(userId, leader));
  }

  async function wishFor(index: number): Promise<void> {
    const userId = await addPerson(db, { index: FIRST_PERSON + index, inviterId: null });
    const [wallets, spanMs] = [random.between(2, 4), random.pick([4_000, 10_000, 25_000])];
    await db.signals.save({ userId, wallets, spanMs, ...NO_HOUR });
    wishes.set(userId, { wallets, spanMs, follows: new Map() });
    for (const leader of LEADERS) {
      if (random.chance(0.2)) continue;
      await follow(userId, leader);
      if (random.chance(0.2)) changesItsMind(userId, leader);
    }
  }

  /** Funders as the search for them writes them down: of most wallets one, some of them another wallet. */
  async function findFunders(): Promise<void> {
    await db.follows.beginFunders();
    for (const [index, leader] of LEADERS.entries()) {
      if (random.chance(0.3)) continue;
      const funder = random.pick([...FUNDERS, ...LEADERS.slice(index + 1)]);
      const before = { leader, funder: null, ended: null, tries: 0, retryAt: null };
      if (await db.follows.moveFunder(before, { ...before, funder, ended: 'found' }))
        funderOf.set(leader, funder);
    }
  }

  /** The real words of a notice, against the rows of this moment. */
  async function tell(told: NoticeToTell): Promise<void> {
    const leaders = invariants.standingOf(told.notice.id);
    let text: string | null = null;
    await tellSignal(
      {
        api: {
          sendMessage: async (_chat: number, words: string) => {
            text = words;
            return { message_id: 1 };
          },
        } as unknown as Parameters<typeof tellSignal>[0]['api'],
        db,
        chain: { token: async (mint) => buildToken({ mint }) },
        states: { issue: async () => fakeIds(run.seed).token() } as unknown as Parameters<
          typeof tellSignal
        >[0]['states'],
      },
      told,
    );
    const wanted = wishes.get(told.user.id)?.wallets ?? 0;
    if (decodeSignal(told.notice.payload).leaders.some((leader) => unread.has(leader)))
      return invariants.onDelivery(told.notice.id, text);
    const isDue = leaders !== null && leaders.length >= wanted;
    if (isDue !== (text !== null))
      violate(`${told.user.id} heard ${text}: ${leaders?.length} of ${wanted} stand`);
    if (isDue && text !== null && !saysOf(text, leaders, funderOf))
      violate(`${told.user.id} heard other numbers than ${leaders.length} wallets: ${String(text)}`);
    invariants.onDelivery(told.notice.id, text);
  }

  return {
    world: {
      timeline,
      random,
      levels: run.levels,
      db,
      tape,
      markets,
      dollars: DOLLARS,
      onFault: (err) =>
        violate(`a signal failed by a bug: ${err instanceof Error ? (err.stack ?? '') : String(err)}`),
      onCommit: (...seen) => invariants.onCommit(...seen),
    } satisfies SignalWorld,
    async place(): Promise<void> {
      for (let index = 0; index < run.count; index += 1) await wishFor(index);
      await findFunders();
      leaderTrades.begin();
    },
    tell,
    /** Leaders rest from now on. */
    settle: () => leaderTrades.end(),
    async stuck(): Promise<readonly string[]> {
      const behind = leaderTrades.isOver() && (await db.follows.place()) === tape.end();
      return [...(behind ? [] : ['the reader is behind the tape']), ...invariants.undelivered()];
    },
    async checkBooks({ isSettled }: { readonly isSettled: boolean }): Promise<void> {
      await invariants.checkRows(db);
      if (isSettled) await checkTrades();
    },
    sums: () => invariants.sums(),
  };

  /** Whether it is followed now, and was then. */
  function isFollowedAt(leader: Address, at: number): boolean {
    return [...wishes.values()].some(({ follows }) => (follows.get(leader)?.since ?? at + 1) <= at);
  }

  /** The stored trades of followed wallets against the chain. */
  async function checkTrades(): Promise<void> {
    for (const leader of LEADERS) {
      const rows = await db.follows.trades(leader, 0, 1_000_000);
      for (const { signature, side, mint, at, units, takenBack } of rows) {
        const truth = leaderTrades.truthOf(signature, mint);
        const isTrue = truth !== null && truth.side === side && truth.at === at && truth.units === units;
        if (takenBack ? truth !== null && isFollowedAt(leader, truth.at) : !isTrue)
          violate(
            `${signature} of ${mint} is not as the chain has it: ${takenBack ? 'taken back' : at} ${units}`,
          );
      }
    }
    for (const purchase of invariants.standing.values()) {
      const rows = await db.follows.purchases([purchase.leader], [purchase.mint], {
        since: purchase.at,
        until: purchase.at,
      });
      if (isFollowedAt(purchase.leader, purchase.at) && !rows.some(({ takenBack }) => !takenBack))
        violate(`a purchase of ${purchase.leader} in ${purchase.mint} is not written down`);
    }
  }
}

/** Whether a message names so many wallets and their funders. */
function saysOf(text: string, leaders: readonly Address[], funderOf: ReadonlyMap<Address, Address>): boolean {
  const { funders, unknown } = fundersOf(leaders, funderOf);
  const [, said] = /(\d+) of your wallets/.exec(text) ?? [];
  const unknownSaid = funders > 0 && unknown > 0 ? `, ${unknown} unknown` : '';
  const noun = funders === 1 ? '1 funder' : `${funders} funders`;
  const expected = funders === 0 ? 'funders unknown' : `${noun}${unknownSaid}`;
  return said === String(leaders.length) && text.includes(`${leaders.length} wallets, ${expected}`);
}
