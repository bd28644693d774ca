import { type Address, WSOL_MINT } from '@tradepost/solana';
import { expect } from 'vitest';
import type { Follow } from '../../../src/modules/follows/rules/follow.ts';
import { decodeFollowDigest, decodeFollowTrade } from '../../../src/modules/follows/rules/follow-notice.ts';
import {
  decodeSignal,
  decodeSignalDigest,
  type SignalNotice,
} from '../../../src/modules/follows/rules/signal-notice.ts';
import type { FollowWatchDeps } from '../../../src/modules/follows/use/watch-follows.ts';
import type { TapeEvent } from '../../../src/platform/ports/tape-store.ts';
import { followRow } from '../../conformance/follow-store.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

export const SOL = 1_000_000_000n;
export const [USD, PUP, KOI] = [newAddress(), newAddress(), newAddress()] as const;
const MARKETS = [
  { id: 1, baseMint: PUP, quoteMint: WSOL_MINT },
  { id: 2, baseMint: KOI, quoteMint: USD },
];

type Said = {
  readonly by: Address;
  readonly signature?: string;
  readonly marketId?: number;
  readonly quote?: bigint;
  readonly id?: bigint;
};

/** A tape in memory, and any number of readers of it. */
export async function followWorld() {
  const [db, clock, ids] = [fakeDatabase(), fakeClock(), fakeIds()];
  const log: TapeEvent[] = [];
  let asked = 0;
  const deps: FollowWatchDeps = {
    db,
    clock,
    ids,
    tape: {
      logEnd: async () => log.at(-1)?.place ?? 0n,
      logAfter: async (place, { limit }) => {
        asked += 1;
        return log.filter((event) => event.place > place).slice(0, limit);
      },
    },
    markets: { all: async () => MARKETS as never },
    feed: { listen: () => () => undefined },
    solPrice: async () => 150_000_000n,
    money: [WSOL_MINT, USD],
    nudge: () => undefined,
    onChange: () => undefined,
    log: { warn: (fields) => expect(fields).toBe('no warning') },
  };
  const trade = ({ by, signature = ids.token(), marketId = 1, quote = SOL, id }: Said): bigint => {
    const place = BigInt(log.length + 1);
    const tradeId = id ?? place;
    const at = Math.ceil(clock.now() / 1_000);
    const one = { id: tradeId, marketId, at, side: 'buy', base: 5_000n, quote, trader: by, signature };
    log.push({ kind: 'trade', place, marketId, tradeId, trade: one as never });
    return tradeId;
  };
  const retract = (tradeId: bigint): void => {
    log.push({ kind: 'retracted', place: BigInt(log.length + 1), marketId: 1, tradeId });
  };
  const follower = async (more: Partial<Follow> = {}): Promise<Follow> => {
    const { user } = await storedPerson(db);
    const follow = followRow(user.id, { createdAt: clock.now(), ...more });
    await db.follows.insert(follow);
    return follow;
  };
  const noticed = async (kinds: readonly string[]) => {
    const rows = await Promise.all(
      (await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 1_000)).map((id) => db.notices.find(id)),
    );
    return rows.flatMap((row) => (row === null || !kinds.includes(row.kind) ? [] : [row]));
  };
  /** The notices of trades, in order: kind, follow, and units of money or the count. */
  const told = async (): Promise<readonly (readonly [string, string, bigint | number | undefined])[]> => {
    const rows = await noticed(['follow-trade', 'follow-back', 'follow-digest']);
    return rows.flatMap((row): readonly (readonly [string, string, bigint | number | undefined])[] => {
      if (row.kind === 'follow-digest') {
        const { followId, count } = decodeFollowDigest(row.payload);
        return [[row.kind, followId, count] as const];
      }
      const { followId, trade: one } = decodeFollowTrade(row.payload);
      return [[row.kind, followId, one.paid?.units] as const];
    });
  };
  /** The notices of signals, in order: the person, and the window or the count. */
  const signalled = async (): Promise<readonly (readonly [string, SignalNotice | number])[]> =>
    (await noticed(['signal', 'signal-digest'])).map(({ userId, kind, payload }) => [
      userId,
      kind === 'signal' ? decodeSignal(payload) : decodeSignalDigest(payload).count,
    ]);
  return { db, clock, deps, log, trade, retract, follower, told, signalled, asked: () => asked };
}
