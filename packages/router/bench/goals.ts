import { generateMarket } from './generate.ts';
import { bytesPerPool } from './memory.ts';
import { below, type QualityRun, type Sample, sampleMarket } from './quality.ts';
import { percentile, runOrders } from './run-orders.ts';

/** Without goals a row is there to be known. */
type Row = {
  readonly what: string;
  readonly measured: readonly number[];
  readonly goals?: readonly number[];
};

/** Figures are shown to three places; less than half of the last is none. */
const HALF_SHOWN = 0.000_5;

/** Prints the table of goals as Markdown: the measure, its seeds, and the design's goal. */
export function printGoals(run: QualityRun): void {
  console.log(
    `Seeds ${run.seeds.join(', ')}; ${run.orders} orders per market size; at most ${run.maxPools} pools and ${run.maxHops} hops.\n`,
  );
  console.log('| what | pools | measured | goal | met |\n|---|---|---|---|---|');
  // Memory first: the garbage of the other rows would be collected in the middle of it.
  const seed = run.seeds[0] ?? 1;
  const kinds = [
    { kind: 'cp', name: 'constant-product pool', goal: 2_048 },
    { kind: 'clmm', name: 'concentrated pool', goal: 65_536 },
    { kind: 'dlmm', name: 'pool of bins', goal: 65_536 },
  ] as const;
  for (const { kind, name, goal } of kinds) {
    const measured = [Math.round(bytesPerPool(kind, seed))];
    print({ what: `bytes per ${name} in the router`, measured, goals: [goal] }, '');
  }
  for (const pools of run.poolCounts) {
    for (const row of timeRows(run, pools)) print(row, String(pools));
    for (const row of qualityRows(run, pools)) print(row, String(pools));
  }
}

function print({ what, measured, goals }: Row, pools: string): void {
  const isMet = (goals ?? []).every((goal, index) => (measured[index] ?? 0) < goal + HALF_SHOWN);
  const shown = (values: readonly number[]): string =>
    values.map((value) => String(+value.toFixed(3))).join(' / ');
  const judged = goals === undefined ? '– | –' : `${shown(goals)} | ${isMet ? 'yes' : '**no**'}`;
  console.log(`| ${what} | ${pools} | ${shown(measured)} | ${judged} |`);
}

/** CPU time counts the threads of the collector and the compiler; per order the least of three passes leaves them out. */
function timeRows(run: QualityRun, pools: number): readonly Row[] {
  const orders = Math.ceil(run.orders / run.seeds.length);
  const timings = run.seeds.map((seed) => runOrders(generateMarket({ seed, pools, orders }), run));
  const clock = timings.flatMap(({ ms }) => ms);
  const once = timings.flatMap(({ cpuMs }) => cpuMs.once);
  const least = timings.flatMap(({ cpuMs }) => cpuMs.least);
  const goals = pools >= 10_000 ? [2, 10] : [0.5, 5];
  const both = (values: readonly number[]) => [percentile(values, 0.5), percentile(values, 0.99)];
  return [
    { what: 'ms p50 / p99 by the clock, one pass', measured: both(clock), goals },
    { what: 'CPU ms p50 / p99, one pass', measured: both(once), goals },
    { what: 'CPU ms p50 / p99, least of three passes', measured: both(least), goals },
  ];
}

function qualityRows(run: QualityRun, pools: number): readonly Row[] {
  const clean = run.seeds.flatMap((seed) => sampleMarket({ ...run, staleShare: 0 }, seed, pools));
  const stale = run.seeds.flatMap((seed) => sampleMarket({ ...run, staleShare: 0.01 }, seed, pools));
  const toBound = ({ out, hopBound }: Sample): number => below(out, hopBound);
  const toAnyHops = ({ out, bound }: Sample): number => below(out, bound);
  const toReference = ({ out, reference }: Sample): number => below(out, reference);
  const toKnown = (s: Sample): number => below(s.out, Math.max(s.reference, s.steps, s.bestPath, s.out));
  const between = (low: number, high: number) =>
    clean.filter(({ depthFrac }) => depthFrac >= low && depthFrac < high);
  const parts = (samples: readonly Sample[], bps: (sample: Sample) => number, ...at: number[]) =>
    at.map((part) => percentile(samples.map(bps), part));
  const small = between(0, 0.001);
  const middling = between(0.001, 0.01);
  const large = between(0.01, 1);
  const meanLoss = large.reduce((sum, sample) => sum + toReference(sample), 0) / large.length;
  const gainTo = (limit: (sample: Sample) => number): number =>
    percentile(
      clean.map((sample) => below(sample.bestPath, limit(sample))),
      0.9,
    );
  const possible = gainTo(({ hopBound }) => hopBound).toFixed(1);
  return [
    {
      what: 'claims that are not exact, or routes that break a rule',
      measured: [[...clean, ...stale].filter(({ exact }) => !exact).length],
      goals: [0],
    },
    {
      what: 'bps below the bound of these pools and hops, all sizes, p50',
      measured: parts(clean, toBound, 0.5),
      goals: [0.05],
    },
    {
      what: 'bps below that bound, < 0.1 % of depth, p90 / p99',
      measured: parts(small, toBound, 0.9, 0.99),
      goals: [2, 6],
    },
    {
      what: 'bps below that bound, 0.1-1 %, p90 / p99',
      measured: parts(middling, toBound, 0.9, 0.99),
      goals: [4, 15],
    },
    {
      what: 'bps below a bound that counts longer routes too, < 0.1 % of depth, p90 / p99',
      measured: parts(small, toAnyHops, 0.9, 0.99),
    },
    {
      what: 'bps below a bound that counts longer routes too, 0.1-1 %, p90 / p99',
      measured: parts(middling, toAnyHops, 0.9, 0.99),
    },
    { what: 'bps below the reference, 1-5 %, p99', measured: parts(large, toReference, 0.99), goals: [0.5] },
    { what: 'bps below the reference, 1-5 %, mean', measured: [meanLoss], goals: [0] },
    { what: 'bps below the reference, worst order', measured: parts(clean, toReference, 1), goals: [5] },
    {
      what: 'bps below the best path or 5 % steps, worst order',
      measured: parts(clean, (s) => below(s.out, Math.max(s.bestPath, s.steps)), 1),
      goals: [0.1],
    },
    {
      what: `gain over the best path in bps, p90 (negative: more is better; the bound allows ${possible})`,
      measured: [-gainTo(({ out }) => out)],
      goals: [-50],
    },
    {
      what: '1 % stale pools, bps below the best known, p90 / p99',
      measured: parts(stale, toKnown, 0.9, 0.99),
      goals: [5, 30],
    },
  ];
}
