/**
 * `npm run sim -- --seeds 10000 [--from N] [--copies N] [--signals N]`: the money engine on virtual time, one run per seed, even seeds until
 * everything settles, odd ones in weather that never ends. `--writer` and `--lying-worker`: the real signer, and hands that are against it.
 * `npm run sim -- --seed N --trace` plays one again, line by line. Exits 1 with the failing seeds.
 */
import { parseArgs } from 'node:util';
import { hostileCase, modeOfSeed, runSeeds } from '../test/support/simulator/run-seeds.ts';
import { simulate } from '../test/support/simulator/simulate.ts';
import { wholeOption } from './whole-number.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    copies: { type: 'string', default: '0' },
    signals: { type: 'string', default: '0' },
    writer: { type: 'boolean', default: false },
    'lying-worker': { type: 'boolean', default: false },
  },
});

/** People who copy followed wallets, beside everything else that is asked for. */
const copies = wholeOption('copies', values.copies, 0, 10);
/** People who wait for several of the wallets that they follow. */
const signals = wholeOption('signals', values.signals, 0, 10);
const hands = { writer: values.writer, liar: values['lying-worker'] };
const hostile = hands.writer || hands.liar ? hands : undefined;
/** Seeds are 32 bits. */
const MOST_SEED = 4_294_967_295;

if (values.seed === undefined) {
  const startedAt = performance.now();
  const report = await runSeeds({
    from: wholeOption('from', values.from, 0, MOST_SEED),
    count: wholeOption('seeds', values.seeds, 1, 999_999_999),
    copies,
    signals,
    ...(hostile === undefined ? {} : { hostile }),
    onFailure: (seed, violations) => console.log(`seed ${seed}:\n  ${violations.join('\n  ')}`),
  });
  console.log({ ...report, seconds: Math.round((performance.now() - startedAt) / 100) / 10 });
  if (report.failures.length > 0) {
    console.log(`Play one again: npm run sim -- --seed ${report.failures[0]?.seed} --trace`);
    process.exit(1);
  }
} else {
  const seed = wholeOption('seed', values.seed, 0, MOST_SEED);
  const result = await simulate({
    seed,
    mode: modeOfSeed(seed),
    copies,
    signals,
    ...hostileCase(hostile),
    ...(values.trace ? { trace: (line: string) => console.log(line) } : {}),
  });
  console.log(result);
  process.exit(result.violations.length === 0 ? 0 : 1);
}
