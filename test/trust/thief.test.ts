import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACT_NAMES, ruleOf } from '../../src/modules/guard/rules/acts.ts';
import { mostLost } from './most-lost.ts';
import { type Thief, thiefOf } from './thief/acts.ts';
import { type Dice, diceOf } from './thief/dice.ts';
import { NO_PERSON, PLAYS } from './thief/plays.ts';
import {
  DAY,
  HOUR,
  type Scenario,
  type Stolen,
  stolenAccount,
  type Taken,
  THIEF_RULES,
} from './thief/world.ts';

/** A ninth of them for each row; THIEF_SEEDS=2000 for the full size. */
const SEEDS = Number(process.env['THIEF_SEEDS'] ?? 540);
/** The size alone bounds the run: a busy machine is no fault. */
const PATIENCE_MS = 30 * 60_000;
const SPANS = [HOUR, DAY, 36 * HOUR, 48 * HOUR, 7 * DAY, 14 * DAY] as const;
const END = 14 * DAY;

const scenario = (
  name: string,
  hold: Scenario['hold'],
  owner: Scenario['owner'],
  isOfToday = false,
): Scenario => ({ name, hold, owner, isOfToday });

const SCENARIOS: readonly Scenario[] = [
  scenario('an account over a day old without a PIN, owner asleep', 'no-pin', 'asleep'),
  scenario('an account over a day old without a PIN, owner stopping', 'no-pin', 'stopping'),
  scenario('the PIN is not known, owner asleep', 'pin-unknown', 'asleep'),
  scenario('the PIN is not known, owner typing it', 'pin-unknown', 'typing'),
  scenario('trades are unlocked, owner asleep', 'unlocked', 'asleep'),
  scenario('the PIN is known, owner asleep', 'pin', 'asleep'),
  scenario('the PIN is known, owner stopping', 'pin', 'stopping'),
  scenario('an account of today without a PIN, owner asleep', 'no-pin', 'asleep', true),
  scenario('frozen, owner stopping', 'frozen', 'stopping'),
];

/** A thief of an account of today sets a PIN that counts at once: the table has them in the row of those who know it. */
const rowOf = ({ hold, owner, isOfToday }: Scenario, spanMs: number) =>
  mostLost(isOfToday ? 'pin' : hold, owner, spanMs, THIEF_RULES);

/** `greedy`: takes all that goes at each moment. `quiet`: the same, and nothing that carries a Stop button before `loudFrom`. */
type Style = {
  readonly kind: 'greedy' | 'quiet' | 'wild';
  readonly loudFrom: number;
  /**
   * Fees of a withdrawal take their part of what could be spent, and leave when it does. `first`: spends all at once, and then no
   * withdrawal has room. `last`: spends when all of the day's withdrawals are made. `never`: leaves room for a single large one.
   */
  readonly buys: 'first' | 'last' | 'never';
};

async function takeAll(thief: Thief, isLoud: boolean, buys: 'first' | 'last' | 'never'): Promise<void> {
  if (isLoud) {
    await thief.unfreeze();
    if (!(await thief.hasPin())) await thief.newPin();
    if (thief.knowsPin()) await thief.take();
    if (thief.knowsPin()) await thief.askExport();
    if (thief.knowsPin()) await thief.raise();
  }
  if (thief.knowsPin()) {
    await thief.unlock();
    await thief.addAddress();
  }
  if (buys === 'first') await spendAll(thief);
  if (thief.knowsPin()) await thief.withdraw();
  if (buys === 'last') await spendAll(thief);
}

async function spendAll(thief: Thief): Promise<void> {
  await thief.buy();
  await thief.sellDust();
}

/** What counts for 24 hours counts no more a millisecond later; an address waits 2 hours. */
function momentsOf(style: Style): readonly number[] {
  const days = Array.from({ length: 15 }, (_, day) => [
    day * DAY,
    day * (DAY + 1),
    day * (DAY + 1) + 2 * HOUR,
  ]);
  return [...new Set([...days.flat(), style.loudFrom])].filter((at) => at < END).toSorted((a, b) => a - b);
}

async function playGreedy(world: Stolen, thief: Thief, style: Style): Promise<void> {
  for (const at of momentsOf(style)) {
    await world.passTo(at);
    const isLast = (at - 2 * HOUR) % (DAY + 1) === 0;
    const buys = style.buys === 'last' && !isLast ? 'never' : style.buys;
    await takeAll(thief, at >= style.loudFrom, buys);
    if (world.taken.allAt !== null) return;
  }
}

async function playWild(world: Stolen, thief: Thief, dice: Dice): Promise<void> {
  const { knowsPin: _knows, hasPin: _has, ...acts } = thief;
  const all = Object.values(acts);
  let at = 0;
  while (at < END && world.taken.allAt === null) {
    await world.passTo(at);
    if (dice.chance(0.3)) await takeAll(thief, dice.chance(0.5), dice.oneOf(['first', 'last', 'never']));
    for (let count = dice.between(1, 6); count > 0; count -= 1) await dice.oneOf(all)();
    at += dice.oneOf([1, 60_000, HOUR, 2 * HOUR, 12 * HOUR, DAY - 1, DAY, DAY + 1]);
  }
}

async function play(found: Scenario, seed: number): Promise<Taken> {
  const dice = diceOf(seed * 7_919 + 1);
  const world = await stolenAccount(found, dice);
  const thief = thiefOf(world, found, dice);
  const kind = dice.oneOf(['greedy', 'quiet', 'wild', 'wild'] as const);
  const loudFrom = kind === 'greedy' ? 0 : dice.oneOf([DAY + 1, 6 * DAY + 6, 13 * DAY + 13, END]);
  if (kind === 'wild') await playWild(world, thief, dice);
  else await playGreedy(world, thief, { kind, loudFrom, buys: dice.oneOf(['first', 'last', 'never']) });
  await world.passTo(END);
  return world.taken;
}

const lostIn = ({ parts }: Taken, spanMs: number): bigint =>
  parts.reduce((sum, { at, lamports }) => (at < spanMs ? sum + lamports : sum), 0n);

// Most of what a thief tries is refused, and a trace of each refusal would cost more than the refusal.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

describe('the acts that the thief plays', () => {
  it('are all that there are, each with a way or a reason, and no way is left out of the table', async () => {
    const world = await stolenAccount(scenario('', 'pin', 'asleep'), diceOf(1));
    const {
      knowsPin: _knows,
      hasPin: _has,
      ...ways
    } = thiefOf(world, scenario('', 'pin', 'asleep'), diceOf(1));
    const played = ACT_NAMES.flatMap((act) => (typeof PLAYS[act] === 'string' ? [] : PLAYS[act]));
    expect([...new Set(played)].toSorted()).toEqual(Object.keys(ways).toSorted());
    // Who holds the account can do what a person does, so these are left out for another reason than that.
    for (const act of ACT_NAMES) if (PLAYS[act] === NO_PERSON) expect(ruleOf(act).by, act).not.toBe('person');
  });
});

describe(`what a thief takes, over ${SEEDS} seeds and fourteen days`, () => {
  it.each(SCENARIOS.map((found, index) => [found.name, found, index] as const))(
    'is never more than the table, and all of it: %s',
    async (_, found, index) => {
      const most = SPANS.map(() => 0n);
      let firstAll = Number.POSITIVE_INFINITY;
      for (let seed = index; seed < SEEDS; seed += SCENARIOS.length) {
        const taken = await play(found, seed);
        const { allAt } = taken;
        for (const [at, span] of SPANS.entries()) {
          const limit = rowOf(found, span);
          const label = `seed ${seed}, ${span / HOUR} h`;
          const isAll = allAt !== null && allAt < span;
          if ('allFrom' in limit) {
            if (isAll) expect(allAt, label).toBeGreaterThanOrEqual(limit.allFrom);
            continue;
          }
          expect(isAll ? 'all' : 'a part', label).toBe('a part');
          const lost = lostIn(taken, span);
          if (lost > limit.lamports) expect(`${lost}`, label).toBe(`at most ${limit.lamports}`);
          if (lost > (most[at] ?? 0n)) most[at] = lost;
        }
        if (allAt !== null) firstAll = Math.min(firstAll, allAt);
      }
      const reached = SPANS.map((span, at) => {
        const limit = rowOf(found, span);
        return 'allFrom' in limit ? { allFrom: firstAll } : { lamports: most[at] };
      });
      expect(reached).toEqual(SPANS.map((span) => rowOf(found, span)));
    },
    PATIENCE_MS,
  );
});
