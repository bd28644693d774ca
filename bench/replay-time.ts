import { COPY_DEFAULTS } from '../src/modules/copying/rules/copy.ts';
import { type ReplayInput, type ReplayTrade, replay } from '../src/modules/copying/rules/replay.ts';
import { NO_EXITS } from '../src/modules/settings/rules/exit-set.ts';
import { freshAddress } from '../test/support/tape-rows.ts';
import type { Row } from './run.ts';

const SOL = 1_000_000_000n;
const TRADES = 2_000;
const MINTS = 20;
/** Minutes of a week. */
const PRICES = 10_080;
const MINUTE_MS = 60_000;
const ROUNDS = 9;

/** The slowest replay of 2,000 trades in twenty tokens with a price for each minute of a week, the first one among them. */
export function replayTime(): Row {
  const input = week();
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    const told = replay(input);
    if (told.priced !== TRADES || told.yoursBps === null) throw new Error('the replay left trades out');
    return performance.now() - startedAt;
  });
  return {
    metric: `replay of ${TRADES.toLocaleString('en')} trades, slowest of ${ROUNDS}`,
    value: Math.max(...times),
    unit: 'ms',
    note: 'goal <= 300',
  };
}

function week(): ReplayInput {
  const random = randomFrom(11);
  const mints = Array.from({ length: MINTS }, () => freshAddress());
  const spanMs = PRICES * MINUTE_MS;
  const trades = Array.from(
    { length: TRADES },
    (_, n): ReplayTrade => ({
      mint: mints[random(MINTS)] ?? mints[0] ?? freshAddress(),
      side: random(3) === 0 ? 'sell' : 'buy',
      at: Math.floor((n * spanMs) / TRADES),
      units: BigInt(1_000_000 + random(900_000)),
      lamports: SOL,
    }),
  );
  const prices = () =>
    Array.from({ length: PRICES }, (_, n) => ({
      at: n * MINUTE_MS,
      lamports: SOL + BigInt(random(1_000_000_000)),
      units: 1_000_000n,
    }));
  return {
    trades,
    tape: new Map(mints.map((mint) => [mint, prices()])),
    depth: new Map(mints.map((mint) => [mint, 1_000n * SOL])),
    rules: {
      ...COPY_DEFAULTS,
      dayLamports: 10_000n * SOL,
      totalLamports: 10_000n * SOL,
      each: true,
      exits: NO_EXITS,
    },
    delayMs: 800,
    feeBps: 100n,
    networkLamports: 5_000n,
    from: 0,
    to: spanMs,
  };
}

/** Always the same numbers below a bound. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
