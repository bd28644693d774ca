import { parseArgs } from 'node:util';

export type TortureOptions = {
  readonly short: boolean;
  /** How long the storm is to take. It goes on until intents and kills are reached, however slow the machine. */
  readonly seconds: number;
  readonly seed: number;
  readonly intents: number;
  readonly orders: number;
  readonly kills: number;
  readonly workers: number;
  readonly redisUrl: string | null;
};

const SHORT_SECONDS = 25;

/** Reads the command line; an error goes to stderr and ends the process with 2. */
export function readTortureOptions(args: readonly string[]): TortureOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      intents: { type: 'string' },
      orders: { type: 'string' },
      kills: { type: 'string' },
      workers: { type: 'string' },
      redis: { type: 'string' },
      short: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'minutes' | 'seed' | 'intents' | 'orders' | 'kills' | 'workers', least: number) => {
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
  const intents = values.intents === undefined ? Math.round(seconds * 4) : number('intents', 1);
  return {
    short,
    seconds,
    seed: number('seed', 0),
    intents,
    orders: values.orders === undefined ? Math.round(intents / 3) : number('orders', 0),
    kills: values.kills === undefined ? Math.round(seconds / 5) : number('kills', 0),
    workers: values.workers === undefined ? (short ? 3 : 4) : number('workers', 1),
    redisUrl: redisUrl === '' ? null : redisUrl,
  };
}
