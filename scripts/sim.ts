/**
 * `npm run sim -- --seeds 10000 [--from N]`: the money engine on virtual time, one run per seed, even seeds until everything
 * settles, odd ones in weather that never ends. `npm run sim -- --seed N --trace` plays one again, line by line. Exits 1 with
 * the failing seeds.
 */
import { parseArgs } from 'node:util';
import { modeOfSeed, runSeeds } from '../test/support/simulator/run-seeds.ts';
import { simulate } from '../test/support/simulator/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});

function whole(text: string, option: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`--${option}: expected a whole number, got "${text}"`);
    process.exit(2);
  }
  return Number(text);
}

if (values.seed === undefined) {
  const startedAt = performance.now();
  const report = await runSeeds({
    from: whole(values.from, 'from'),
    count: whole(values.seeds, 'seeds'),
    onFailure: (seed, violations) => console.log(`seed ${seed}:\n  ${violations.join('\n  ')}`),
  });
  console.log({ ...report, seconds: Math.round((performance.now() - startedAt) / 100) / 10 });
  if (report.failures.length > 0) {
    console.log(`Play one again: npm run sim -- --seed ${report.failures[0]?.seed} --trace`);
    process.exit(1);
  }
} else {
  const seed = whole(values.seed, 'seed');
  const result = await simulate({
    seed,
    mode: modeOfSeed(seed),
    ...(values.trace ? { trace: (line: string) => console.log(line) } : {}),
  });
  console.log(result);
  process.exit(result.violations.length === 0 ? 0 : 1);
}
