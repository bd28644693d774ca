import { parseArgs } from 'node:util';

export type TortureOptions = {
  readonly short: boolean;
  /** How long the storm is to take. It goes on, up to three times that, until intents and kills are reached. */
  readonly seconds: number;
  readonly seed: number;
  readonly intents: number;
  readonly kills: number;
  readonly workers: number;
  readonly redisUrl: string | null;
  /** The longest that may pass from the end of the storm until every intent has ended (goal G2). */
  readonly settleWithinMs: number;
  /** The longest that may pass until work goes on after a loss in fair weather (goal G6). */
  readonly recoverWithinMs: number;
};

const SHORT_SECONDS = 25;

/** Reads the command line; what is wrong with it is said on stderr and ends the process with 2. */
export function readTortureOptions(args: readonly string[]): TortureOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      intents: { type: 'string' },
      kills: { type: 'string' },
      workers: { type: 'string' },
      redis: { type: 'string' },
      'settle-within': { type: 'string' },
      short: { type: 'boolean', default: false },
    },
  });
  const number = (
    name: 'minutes' | 'seed' | 'intents' | 'kills' | 'workers' | 'settle-within',
    least: number,
  ) => {
    const value = Number(values[name]);
    if (Number.isFinite(value) && value >= least) return value;
    console.error(`--${name}: expected a number of at least ${least}, got "${values[name]}"`);
    process.exit(2);
  };
  const { short } = values;
  const seconds = short ? SHORT_SECONDS : 60 * number('minutes', 0.1);
  const redisUrl = values.redis ?? process.env['REDIS_URL'] ?? '';
  if (redisUrl !== '' && !/^rediss?:\/\//.test(redisUrl)) {
    console.error(`--redis: expected redis://host:port, got "${redisUrl}"`);
    process.exit(2);
  }
  return {
    short,
    seconds,
    seed: number('seed', 0),
    intents: values.intents === undefined ? Math.round(seconds * 4) : number('intents', 1),
    kills: values.kills === undefined ? Math.round(seconds / 5) : number('kills', 0),
    workers: values.workers === undefined ? (short ? 3 : 4) : number('workers', 1),
    redisUrl: redisUrl === '' ? null : redisUrl,
    // A short run is for any machine, a busy one too: there it proves that the end comes, not when.
    settleWithinMs:
      1_000 * (values['settle-within'] === undefined ? (short ? 60 : 20) : number('settle-within', 1)),
    recoverWithinMs: short ? 60_000 : 15_000,
  };
}
