import { type Bps, bps } from '../../../core/amounts/bps.ts';

export const GAMES = ['coin', 'wheel'] as const;
export type GameName = (typeof GAMES)[number];

/** The payouts of a game. Named by every commitment, so that the rules of a round cannot change after its bet. */
export type GameTable = {
  /** Lower-case letters, digits and `-`; never used again for other numbers. */
  readonly id: string;
  readonly game: GameName;
  /** For rounds that are opened from this moment on, epoch milliseconds. */
  readonly from: number;
  /**
   * The payout of each sector, in tenths of the stake. Their number is a power of two up to 256, so that one byte of the seed picks each of
   * them equally often.
   */
  readonly payTenths: readonly number[];
  readonly stake: { readonly min: bigint; readonly max: bigint; readonly step: bigint };
  /** Points that one person can stake at this game per UTC day. */
  readonly dailyStake: bigint;
};

const FIRST = Date.UTC(2026, 10, 1);

/** A change of a number is a new row with a later `from`. Stakes are multiples of ten: every payout is a whole number. */
export const GAME_TABLES: readonly GameTable[] = [
  {
    id: 'coin-1',
    game: 'coin',
    from: FIRST,
    payTenths: [19, 0],
    stake: { min: 10n, max: 100n, step: 10n },
    dailyStake: 500n,
  },
  {
    // One stake is the day's whole allowance: a daily wheel.
    id: 'wheel-1',
    game: 'wheel',
    from: FIRST,
    payTenths: [50, 0, 10, 4, 20, 4, 10, 0, 4, 20, 2, 10, 4, 0, 10, 4],
    stake: { min: 50n, max: 50n, step: 10n },
    dailyStake: 50n,
  },
];

/** The table of a game that is in force at `now`; its first one before all of them. Throws for a game without any. */
export function tableAt(game: GameName, now: number, tables: readonly GameTable[] = GAME_TABLES): GameTable {
  const mine = tables.filter((table) => table.game === game);
  const found = mine.findLast(({ from }) => from <= now) ?? mine[0];
  if (found === undefined) throw new RangeError(`games: no table for ${game}`);
  return found;
}

/** The table of that name; null when there was never one. */
export function tableOf(id: string, tables: readonly GameTable[] = GAME_TABLES): GameTable | null {
  return tables.find((table) => table.id === id) ?? null;
}

/** The house's average share of a stake, exactly: every sector counts the same. */
export function houseEdge({ payTenths }: GameTable): Bps {
  const paid = payTenths.reduce((sum, tenths) => sum + tenths, 0);
  return bps(10_000 - (paid * 1_000) / payTenths.length);
}

/** Whether a stake is among those that the screen offers. */
export function mayStake({ stake }: GameTable, points: bigint): boolean {
  return points >= stake.min && points <= stake.max && points % stake.step === 0n;
}
