import type { Random } from './random.ts';

/** Probabilities per call; latencies in virtual milliseconds. */
export type FaultLevels = {
  readonly dropSend: number;
  readonly loseAnswer: number;
  readonly landLate: number;
  readonly fork: number;
  /** A transaction that landed is taken back before it is final. */
  readonly takeBack: number;
  readonly unreachable: number;
  readonly lag: number;
  /** An answer of the death test from a node whose history began a moment ago. */
  readonly pruned: number;
  /** Of one endpoint among several, or (once per signature) of the only one: a false result, or a false "not found". */
  readonly lie: number;
  readonly priceMoves: number;
  readonly databaseFails: number;
  readonly commitAckLost: number;
  readonly jobLost: number;
  readonly jobTwice: number;
  readonly noticeRetry: number;
  readonly maxLatencyMs: number;
};

export const CALM: FaultLevels = {
  dropSend: 0,
  loseAnswer: 0,
  landLate: 0,
  fork: 0,
  takeBack: 0,
  unreachable: 0,
  lag: 0,
  pruned: 0,
  lie: 0,
  priceMoves: 0,
  databaseFails: 0,
  commitAckLost: 0,
  jobLost: 0,
  jobTwice: 0,
  noticeRetry: 0,
  maxLatencyMs: 40,
};

/** Each seed has a weather of its own: some kinds of trouble are absent, some are worse than any real network's. */
export function stormOf(random: Random): FaultLevels {
  const upTo = (most: number): number => (random.chance(0.25) ? 0 : random.next() * most);
  return {
    dropSend: upTo(0.7),
    loseAnswer: upTo(0.7),
    landLate: upTo(0.4),
    fork: upTo(0.3),
    takeBack: upTo(0.3),
    unreachable: upTo(0.25),
    lag: upTo(0.4),
    pruned: upTo(0.5),
    // Most networks are honest: where they are not, every request may end before a person.
    lie: random.chance(0.7) ? 0 : random.next() * 0.5,
    priceMoves: upTo(0.4),
    databaseFails: upTo(0.06),
    commitAckLost: upTo(0.06),
    jobLost: upTo(0.2),
    jobTwice: upTo(0.3),
    noticeRetry: upTo(0.5),
    maxLatencyMs: random.pick([40, 400, 4_000]),
  };
}
