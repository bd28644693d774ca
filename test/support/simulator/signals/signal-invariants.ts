import type { Address } from '@tradepost/solana';
import type { Notice } from '../../../../src/engine/notices/store-port.ts';
import { decodeSignal, type SignalNotice } from '../../../../src/modules/follows/rules/signal-notice.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { TapeEvent } from '../../../../src/platform/ports/tape-store.ts';
import type { ReaderCommit } from './signal-watching.ts';

/** Messages of one hour; a run is shorter than that. */
const PER_HOUR = 20;

/** A purchase of a run; `lamports` is null where tokens were swapped for each other. `at`: epoch milliseconds of the block. */
export type Purchase = {
  readonly leader: Address;
  readonly mint: Address;
  readonly at: number;
  readonly lamports: bigint | null;
};

/** A wish of a run, and the wallets that the person follows, each with its moment and its bar in lamports. */
export type Wish = {
  readonly wallets: number;
  readonly spanMs: number;
  readonly follows: Map<Address, { readonly since: number; readonly bar: bigint }>;
};

type Standing = Purchase & { readonly id: bigint };
type Window = Pick<SignalNotice, 'mint' | 'beganAt' | 'until'> & { readonly leaders: ReadonlySet<Address> };
type Told = { readonly said: SignalNotice; readonly userId: string; texts: number; silences: number };

/**
 * What must be true of signals in every run. Knows what the log said and the wishes, and works the windows out anew with each commit of the
 * reader: each is reported in the commit that completes it, and never again.
 */
export function createSignalInvariants(run: {
  readonly wishes: ReadonlyMap<string, Wish>;
  readonly mints: readonly Address[];
  /** What a row of the log is to its leader; null where it is no purchase of a token. */
  readonly purchaseIn: (event: TapeEvent & { readonly kind: 'trade' }) => Purchase | null;
  readonly say: (text: string) => void;
}) {
  const { say } = run;
  const standing = new Map<string, Standing>();
  /** The end of the newest window of each person and token. */
  const told = new Map<string, number>();
  const counts = new Map<string, { told: number; held: number }>();
  const notices = new Map<string, Told>();

  function apply(event: TapeEvent): void {
    if (event.kind === 'retracted') {
      for (const [key, { id }] of standing) if (id === event.tradeId) standing.delete(key);
      return;
    }
    if (event.kind !== 'trade') return;
    const purchase = run.purchaseIn(event);
    if (purchase === null) return;
    standing.set(`${event.trade.signature} ${purchase.mint}`, { ...purchase, id: event.tradeId });
  }

  /** The purchases that count for a person and token, in the chain's order. */
  function counted({ follows }: Wish, mint: Address, after: number): readonly Standing[] {
    return [...standing.values()]
      .filter((one) => one.mint === mint && one.at > after)
      .filter(({ leader, at, lamports }) => {
        const follow = follows.get(leader);
        if (follow === undefined || at < follow.since) return false;
        return follow.bar === 0n || (lamports !== null && lamports >= follow.bar);
      })
      .toSorted((one, other) => one.at - other.at);
  }

  function windowOf(wish: Wish, mint: Address, after: number): Window | null {
    const all = counted(wish, mint, after);
    for (const { at: beganAt } of all) {
      const until = beganAt + wish.spanMs;
      const within = all.filter(({ at }) => at >= beganAt && at <= until);
      const leaders = new Set(within.map(({ leader }) => leader));
      if (leaders.size >= wish.wallets) return { mint, beganAt, until, leaders };
    }
    return null;
  }

  function dueOf(userId: string, wish: Wish): readonly Window[] {
    return run.mints.flatMap((mint) => {
      const found: Window[] = [];
      const key = `${userId} ${mint}`;
      for (;;) {
        const window = windowOf(wish, mint, told.get(key) ?? 0);
        if (window === null) return found;
        told.set(key, window.until);
        found.push(window);
      }
    });
  }

  function judge(
    userId: string,
    {
      due,
      before,
      added,
    }: {
      readonly due: readonly Window[];
      readonly before: ReadonlyMap<string, number>;
      readonly added: readonly Notice[];
    },
  ): void {
    const count = counts.get(userId) ?? { told: 0, held: 0 };
    counts.set(userId, count);
    const room = Math.min(due.length, PER_HOUR - count.told);
    count.told += room;
    count.held += due.length - room;
    const said = added.map(({ payload }) => decodeSignal(payload));
    // Which of several is held back at the end of the room is not promised.
    const untold = due.filter((window) => !said.some((one) => isSame(one, window)));
    if (untold.length > due.length - room)
      for (const { mint, leaders } of untold)
        say(`${userId} was not told that ${leaders.size} wallets bought ${mint}`);
    for (const one of said.filter((text) => !due.some((window) => isSame(text, window)))) {
      const known = before.get(`${userId} ${one.mint}`);
      const why = known !== undefined && known >= one.beganAt ? 'again' : 'falsely';
      say(`${userId} was told ${why} that ${one.leaders.length} wallets bought ${one.mint}`);
    }
    for (const { id, payload } of added)
      notices.set(id, { said: decodeSignal(payload), userId, texts: 0, silences: 0 });
  }

  return {
    onCommit({ events, notices: all }: ReaderCommit): void {
      for (const event of events) apply(event);
      const before = new Map(told);
      for (const [userId, wish] of run.wishes) {
        const added = all.filter((row) => row.kind === 'signal' && row.userId === userId);
        judge(userId, { due: dueOf(userId, wish), before, added });
      }
    },

    /** The wallets of a notice whose purchases are on the chain now; null for a notice that no commit added. */
    standingOf(noticeId: string): readonly Address[] | null {
      const known = notices.get(noticeId);
      if (known === undefined) return null;
      const { mint, beganAt, until, leaders } = known.said;
      const bought = [...standing.values()].filter(
        (one) => one.mint === mint && one.at >= beganAt && one.at <= until,
      );
      return leaders.filter((leader) => bought.some((one) => one.leader === leader));
    },

    /** A delivery came to its end; `text` is null where nothing was sent. */
    onDelivery(noticeId: string, text: string | null): void {
      const known = notices.get(noticeId);
      if (known === undefined) say(`a signal was delivered that no commit added: ${noticeId}`);
      else if (text === null) known.silences += 1;
      else known.texts += 1;
    },

    /** Notices without any delivery. */
    undelivered: (): readonly string[] =>
      [...notices].flatMap(([id, { texts, silences }]) =>
        texts + silences === 0 ? [`the signal ${id} is not delivered`] : [],
      ),

    /** The purchases that stand, by what the log said. */
    standing: standing as ReadonlyMap<string, Standing>,
    /** How many windows were told, and how many messages were sent for them. */
    sums: () => ({
      windows: [...counts.values()].reduce((sum, one) => sum + one.told + one.held, 0),
      texts: [...notices.values()].filter(({ texts }) => texts > 0).length,
      silences: [...notices.values()].filter(({ texts }) => texts === 0).length,
    }),

    async checkRows(db: Pick<Database, 'signals'>): Promise<void> {
      for (const [userId, count] of counts) {
        const row = await db.signals.find(userId);
        if (row?.hourTold !== count.told || row.hourHeld !== count.held)
          say(
            `the row of ${userId} counts ${row?.hourTold} and ${row?.hourHeld}: ${count.told} and ${count.held} are right`,
          );
      }
    },
  };
}

function isSame(said: SignalNotice, window: Window): boolean {
  return (
    said.mint === window.mint &&
    said.beganAt === window.beganAt &&
    said.until === window.until &&
    said.leaders.length === window.leaders.size &&
    said.leaders.every((leader) => window.leaders.has(leader))
  );
}

/** How many funders some wallets have: wallets and funders that a payment joins are one. `unknown`: wallets that nothing joins. */
export function fundersOf(
  wallets: readonly Address[],
  funderOf: ReadonlyMap<Address, Address>,
): { readonly funders: number; readonly unknown: number } {
  const group = new Map<Address, Address>();
  const rootOf = (one: Address): Address => {
    const next = group.get(one) ?? one;
    return next === one ? one : rootOf(next);
  };
  const joined = new Set<Address>();
  for (const wallet of wallets) {
    const funder = funderOf.get(wallet);
    if (funder === undefined) continue;
    group.set(rootOf(wallet), rootOf(funder));
    joined.add(wallet).add(funder);
  }
  const groups = new Set([...joined].map(rootOf));
  return { funders: groups.size, unknown: wallets.filter((wallet) => !joined.has(wallet)).length };
}
