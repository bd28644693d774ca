import { type GameName, type GameTable, tableOf } from './tables.ts';

/**
 * One round. It is written down before its first button is shown, with the commitment to a seed; `bet` follows with the tap,
 * `result` with the seed. Each of the three is written once.
 */
export type Round = {
  readonly id: string;
  readonly userId: string;
  readonly game: GameName;
  readonly table: string;
  /** SHA-256 of `commitmentText`, 64 lower-case hexadecimal digits. */
  readonly commitment: string;
  readonly createdAt: number;
  readonly bet: RoundBet | null;
  readonly result: RoundResult | null;
};

export type RoundBet = {
  /** A number below the table's sectors: 0 heads and 1 tails, or how far the person turns the wheel. */
  readonly choice: number;
  readonly points: bigint;
  /** UTC day of the stake. */
  readonly day: number;
  readonly at: number;
};

export type RoundResult = {
  /** 64 lower-case hexadecimal digits. */
  readonly seed: string;
  readonly payout: bigint;
  readonly at: number;
};

/** The text whose hash is the commitment: rules, round and seed, so that none of them can be exchanged after the bet. */
export function commitmentText(round: Pick<Round, 'id' | 'table'>, seed: string): string {
  return `${round.table}:${round.id}:${seed}`;
}

/** The part that the seed alone decides: the face that lies up, or how far the wheel has turned. Its last byte, by the sectors. */
export function rollOf(table: GameTable, seed: string): number {
  if (!/^[0-9a-f]{64}$/.test(seed)) throw new RangeError('games: expected a seed of 64 hexadecimal digits');
  return Number.parseInt(seed.slice(-2), 16) % table.payTenths.length;
}

/**
 * The sector that pays: seed and choice move the wheel one after the other. For any seed that the house picks, each choice meets another
 * sector. For any choice each sector is met by as many seeds. So neither side can improve its chances alone, and the stated edge is exact
 * for a random choice.
 */
export function sectorOf(table: GameTable, seed: string, choice: number): number {
  const sectors = table.payTenths.length;
  if (!Number.isInteger(choice) || choice < 0 || choice >= sectors) {
    throw new RangeError(`games: expected a choice from 0 to ${sectors - 1}`);
  }
  // Backwards for the choice, so that a coin's right guess is the face that lies up.
  return (rollOf(table, seed) - choice + sectors) % sectors;
}

/** The payout of a bet under a seed. Whole points: a stake is a multiple of ten. */
export function payoutOf(table: GameTable, seed: string, bet: Pick<RoundBet, 'choice' | 'points'>): bigint {
  const tenths = table.payTenths[sectorOf(table, seed, bet.choice)] ?? 0;
  return (bet.points * BigInt(tenths)) / 10n;
}

/** Everything about a settled round that does not follow from its commitment, choice and table; empty when all of it does. */
export function roundFaults(round: Round, sha256: (text: string) => string): readonly string[] {
  const { bet, result } = round;
  const table = tableOf(round.table);
  if (table === null) return [`the table ${round.table} is not known`];
  if (bet === null || result === null) return ['the round is not settled: its seed is not revealed yet'];
  const faults: string[] = [];
  const hash = sha256(commitmentText(round, result.seed));
  if (hash !== round.commitment)
    faults.push(`the seed hashes to ${hash}, the commitment is ${round.commitment}`);
  const due = payoutOf(table, result.seed, bet);
  if (due !== result.payout) faults.push(`${result.payout} points were paid, ${due} were due`);
  return faults;
}
