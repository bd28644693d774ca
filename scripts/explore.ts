/**
 * `npm run explore [-- --most N] [--plant FAULT]`: every interleaving of two workers on the product's own reducer and commit rules. The
 * worlds have two attempts, two crashes anywhere, two forks, and an endpoint that lies once. Time leaps three times, which outlives leases
 * and requests. Prints the number of states of each world and exits 1 with the shortest way to a violation. `--most` bounds the states of
 * each world; `--plant` puts one of the faults of `planted.ts` into the engine, to see that it is found. The last world has an order, an honest
 * worker and one that lies to the signer; its faults are those of `lying-worker-planted.ts`.
 */
import { parseArgs } from 'node:util';
import { addressFromBytes } from '@tradepost/solana';
import type { IntentParams } from '../src/engine/intents/kinds/params.ts';
import { type Exploration, explore } from '../test/support/explorer/explore.ts';
import { exploreLies } from '../test/support/explorer/lying-worker.ts';
import { LIES_PLANTED } from '../test/support/explorer/lying-worker-planted.ts';
import { PLANTED } from '../test/support/explorer/planted.ts';
import { wholeOption } from './whole-number.ts';

const { values } = parseArgs({ options: { most: { type: 'string' }, plant: { type: 'string' } } });
const most = values.most === undefined ? null : wholeOption('most', values.most, 1, 999_999_999);
const fault = values.plant === undefined ? undefined : PLANTED[values.plant];
const lie = values.plant === undefined ? undefined : LIES_PLANTED[values.plant];
if (values.plant !== undefined && fault === undefined && lie === undefined) {
  const names = [...Object.keys(PLANTED), ...Object.keys(LIES_PLANTED)];
  console.error(`--plant: there is no "${values.plant}". There are:\n  ${names.join('\n  ')}`);
  process.exit(2);
}

const mint = addressFromBytes(new Uint8Array(32).fill(4));
const terms = {
  amountIn: 500n,
  quotedOut: 1_000n,
  minOut: 950n,
  platformFeeLamports: 5n,
  priceImpactBps: 10,
  slippageBps: 500,
  route: [],
};
const trade: IntentParams = { kind: 'buy', mint, lamportsIn: 500n, terms, tier: 'normal' };
const payout: IntentParams = {
  kind: 'payout',
  items: [{ inviterId: 'ann', recipient: mint, lamports: 3_000_000n }],
};
const everything = { crashes: 2, forks: 2, lies: 1, ticks: 3 };
const WORLDS: readonly (readonly [string, Exploration])[] = [
  ['a trade, two nodes, one a liar', { params: trade, endpoints: 2, budget: everything }],
  ['a payout, two nodes, one a liar', { params: payout, endpoints: 2, budget: everything }],
  ['a trade, one node, wrong once', { params: trade, endpoints: 1, budget: everything }],
  ['a payout, one node, wrong once', { params: payout, endpoints: 1, budget: everything }],
];

let states = 0;
for (const [name, world] of lie === undefined ? WORLDS : []) {
  const startedAt = performance.now();
  let told = startedAt;
  const found = explore({
    ...world,
    ...(most === null ? {} : { mostStates: most }),
    ...(fault === undefined ? {} : { engine: fault.engine }),
    onDepth: (count, frontier) => {
      if (performance.now() - told < 10_000) return;
      told = performance.now();
      console.log(`  … ${count} states, ${frontier} to go on from`);
    },
  });
  states += found.states;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const share = found.isWhole ? 'all' : 'the first';
  console.log(`${name}: ${share} ${found.states} states, ${found.transitions} steps, ${seconds} s`);
  console.log(`  ends ${JSON.stringify(found.ends)}`);
  if (found.violation === null) continue;
  console.log(`VIOLATION ${found.violation.what}\n  ${found.violation.path.join('\n  ')}`);
  process.exit(1);
}
if (fault === undefined) states += lies();
console.log(`${states} states, no violation`);

/** The number of states of an order beside a worker that lies. A violation ends the process with 1. */
function lies(): number {
  const startedAt = performance.now();
  const found = exploreLies({
    budget: { calls: 3, writes: 1, forks: 1, deaths: 1 },
    ...(most === null ? {} : { mostStates: most }),
    ...(lie === undefined ? {} : { signer: lie.signer }),
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const share = found.isWhole ? 'all' : 'the first';
  const { given, refused } = found.answers;
  console.log(`an order, one worker a liar: ${share} ${found.states} states, ${seconds} s`);
  console.log(`  answers to the liar: ${given} given, ${refused} refused`);
  if (found.violation === null) return found.states;
  console.log(`VIOLATION ${found.violation.what}\n  ${found.violation.path.join('\n  ')}`);
  process.exit(1);
}
