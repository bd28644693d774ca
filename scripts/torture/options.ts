import { parseArgs } from 'node:util';
import {
  EVENT_PLANTS,
  eventPlantOf,
  HOSTILE_PLANTS,
  hostilePlantOf,
  isHostilePlant,
  isSignersPlant,
  type PlantName,
  SIGNERS_PLANTS,
  signersPlantOf,
} from './plants.ts';

/** Of a run with callers of the REST API in place of people: `--calls`. */
export type CallsOptions = {
  readonly calls: number;
  readonly callers: number;
  readonly seed: number;
  /** A fault of `scripts/torture/calls/plants.ts`, which the run must find. */
  readonly plant: string | null;
  /** The file to which the run's numbers are appended as one line of JSON. */
  readonly report: string | null;
};

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
  /** A fault of `scripts/torture/plants.ts`, which the run must find. */
  readonly plant: PlantName | null;
  /** A writer of rows during the storm, and a worker that lies. With either the signer is a process of its own. */
  readonly writer: boolean;
  readonly lyingWorker: boolean;
  /** Two signers over the network, each killed and held up. */
  readonly twoSigners: boolean;
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
      plant: { type: 'string' },
      short: { type: 'boolean', default: false },
      writer: { type: 'boolean', default: false },
      'lying-worker': { type: 'boolean', default: false },
      'two-signers': { type: 'boolean', default: false },
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
  const named = values.plant ?? '';
  const plant = eventPlantOf(named) ?? hostilePlantOf(named) ?? signersPlantOf(named);
  if (values.plant !== undefined && plant === null) {
    const names = [
      ...Object.keys(EVENT_PLANTS),
      ...Object.keys(HOSTILE_PLANTS),
      ...Object.keys(SIGNERS_PLANTS),
    ];
    console.error(`--plant: expected one of ${names.join(', ')}, got "${values.plant}"`);
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
    plant,
    writer: values.writer || isHostilePlant(plant),
    lyingWorker: values['lying-worker'] || isHostilePlant(plant),
    twoSigners: values['two-signers'] || isSignersPlant(plant),
  };
}

/** A call takes half a minute, most of it finality and the end of blockhashes: more callers at once take no longer. */
const CALLS_PER_CALLER = 20;
const MOST_CALLERS = 125;
const FEWEST_CALLERS = 24;

/** Null where the command line asks for no calls. An error goes to stderr and ends the process with 2. */
export function readCallsOptions(args: readonly string[]): CallsOptions | null {
  if (!args.some((arg) => /^--calls(=|$)/.test(arg))) return null;
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string' },
      callers: { type: 'string' },
      seed: { type: 'string', default: '1' },
      plant: { type: 'string' },
      report: { type: 'string' },
    },
  });
  if (values.plant !== undefined && values.report !== undefined) {
    console.error('--report: a run with a planted fault has no place in a report');
    process.exit(2);
  }
  const number = (name: 'calls' | 'callers' | 'seed', least: number): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= least) return value;
    console.error(`--${name}: expected a whole number of at least ${least}, got "${values[name]}"`);
    process.exit(2);
  };
  const calls = number('calls', 1);
  const usual = Math.min(MOST_CALLERS, Math.max(FEWEST_CALLERS, Math.round(calls / CALLS_PER_CALLER)));
  return {
    calls,
    callers: values.callers === undefined ? usual : number('callers', 1),
    seed: number('seed', 0),
    plant: values.plant ?? null,
    report: values.report ?? null,
  };
}
