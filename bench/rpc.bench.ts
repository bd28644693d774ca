import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPerson, type Person } from '@tradepost/local-telegram';
import { hasButton, waitForResult, waitForScreen } from '../scripts/tour/screens.ts';
import { PERSON_LIMIT } from '../src/platform/telegram/middleware/rate-limit.ts';
import { startProgram } from '../test/support/program.ts';
import type { Row } from './run.ts';

export const name = 'rpc';

const WSOL = 'So11111111111111111111111111111111111111112';
const REST_MS = 30_000;
/** After an act: finality and the settlement behind it. */
const SETTLE_MS = 8_000;
/** A person who trades: looks at tokens, trades and quotes of a day. */
const DAY = { looks: 20, trades: 6, quotes: 10 } as const;
const DAYS = 30;
const PEOPLE = [10, 100, 1_000] as const;
/** What a public node refuses, without its limits: those would hide the calls. */
const NODES = {
  'serves all': [],
  'serves no lists': ['getProgramAccounts', 'getTokenLargestAccounts'],
} as const;

type Costs = { readonly node: string; readonly restPerHour: number; readonly acts: readonly Act[] };
type Act = { readonly name: string; readonly calls: number; readonly dearest: string };
type Counts = Readonly<Record<string, number>>;

/** Calls that each act makes of a foreign node; also written to `docs/rpc-costs.md`. */
export async function run(): Promise<readonly Row[]> {
  const costs: Costs[] = [];
  for (const [node, refused] of Object.entries(NODES)) costs.push(await costsAt(node, refused));
  writeFileSync('docs/rpc-costs.md', page(costs));
  return costs.flatMap(({ node, restPerHour, acts }) => [
    { metric: `at rest, ${node}`, value: restPerHour, unit: 'calls/h' },
    ...acts.map((act) => ({
      metric: `${act.name}, ${node}`,
      value: act.calls,
      unit: 'calls',
      note: act.dearest,
    })),
  ]);
}

async function costsAt(node: string, refused: readonly string[]): Promise<Costs> {
  const dir = await mkdtemp(join(tmpdir(), 'tradepost-bench-rpc-'));
  const program = await startProgram(dir, { LOCALNET_SLOT_MS: '200', LOCALNET_PROVIDER: 'public' });
  try {
    const { rpcUrl, chatUrl, openApiUrl } = program.run;
    const rules = refused.map((method) => ({ kind: 'refuse', method, code: -32_010, message: 'not served' }));
    await chaos(rpcUrl, { plan: { rules } });
    const who = await createPerson({
      url: chatUrl,
      pace: PERSON_LIMIT,
      user: { id: 101, first_name: 'Alice', language_code: 'en' },
    });
    await who.start();
    await waitForScreen(who, /Welcome to Tradepost/);
    await who.tap('Create Deposit Wallet');
    await waitForScreen(who, /deposit wallet is ready/);
    await pause(SETTLE_MS);
    const before = await counts(rpcUrl);
    await pause(REST_MS);
    const atRest = difference(before, await counts(rpcUrl));
    const measure = (act: string, play: () => Promise<unknown>) => measured(rpcUrl, act, play, atRest);
    const mint = await mintOf(rpcUrl);
    const quote = (): Promise<Response> =>
      fetch(`${openApiUrl}/dex/quote?fromTokenAddress=${WSOL}&toTokenAddress=${mint}&amount=100000000`);
    const acts = [
      await measure('a deposit, until it is told', () => deposit(who)),
      await measure('the first look at a token', () => look(who, mint)),
      await measure('a purchase, until it is final', () => trade(who, '🟢 0.5', 'Confirm buy', /^Bought/)),
      await measure('a sale, until it is final', () => trade(who, 'Sell 50 %', 'Confirm sell', /^Sold/)),
      await measure('a quote over REST', quote),
    ];
    return { node, restPerHour: Math.round((total(atRest) * 3_600_000) / REST_MS), acts };
  } finally {
    await program.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Calls of one act and its settlement, without those that the service makes at rest in the same time. */
async function measured(
  rpcUrl: string,
  act: string,
  play: () => Promise<unknown>,
  atRest: Counts,
): Promise<Act> {
  const before = await counts(rpcUrl);
  const startedAt = performance.now();
  await play();
  await pause(SETTLE_MS);
  const share = (performance.now() - startedAt) / REST_MS;
  const made = Object.entries(difference(before, await counts(rpcUrl)))
    .map(
      ([method, calls]) => [method, Math.max(0, Math.round(calls - (atRest[method] ?? 0) * share))] as const,
    )
    .filter(([, calls]) => calls > 0)
    .toSorted(([, a], [, b]) => b - a);
  return {
    name: act,
    calls: made.reduce((sum, [, calls]) => sum + calls, 0),
    dearest: made.map(([method, calls]) => `${calls} ${method}`).join(', '),
  };
}

async function deposit(who: Person): Promise<void> {
  await who.say('/deposit');
  await who.waitFor((text, message) => message.photo !== undefined && /Send SOL/.test(text));
  await who.tap(/play SOL/);
  await who.waitFor(/^Received/, { timeoutMs: 60_000 });
}

async function look(who: Person, mint: string): Promise<void> {
  await who.say(mint);
  await waitForScreen(who, / · cap /);
}

async function trade(who: Person, amount: string, confirm: string, done: RegExp): Promise<void> {
  await who.tap(amount);
  const asked = await waitForScreen(who, /At least/);
  await who.tap(confirm);
  await waitForResult(who, asked, done);
  await who.waitFor((text, message) => /final/.test(text) && hasButton(message, 'Receipt'), {
    timeoutMs: 60_000,
  });
}

async function mintOf(rpcUrl: string): Promise<string> {
  const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  return pools.find(({ mintB }) => mintB === WSOL)?.mintA ?? '';
}

async function chaos(rpcUrl: string, order: object): Promise<{ readonly methods: Counts }> {
  const response = await fetch(`${rpcUrl}/chaos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  return (await response.json()) as { readonly methods: Counts };
}

const counts = async (rpcUrl: string): Promise<Counts> => (await chaos(rpcUrl, {})).methods;
const total = (made: Counts): number => Object.values(made).reduce((sum, calls) => sum + calls, 0);

function difference(before: Counts, after: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after).map(([method, calls]) => [method, calls - (before[method] ?? 0)]),
  );
}

function page(costs: readonly Costs[]): string {
  const acts = costs[0]?.acts ?? [];
  const lines = acts.map(({ name: act }, index) => {
    const cells = costs.map((one) => `${one.acts[index]?.calls ?? 0}`);
    return `| ${act} | ${cells.join(' | ')} | ${costs[0]?.acts[index]?.dearest ?? ''} |`;
  });
  const months = PEOPLE.map((people) => {
    const cells = costs.map((one) => (monthly(one, people) / 1e6).toFixed(2));
    return `| ${people} | ${cells.join(' | ')} |`;
  });
  const nodes = costs.map(({ node }) => `a node that ${node}`).join(' | ');
  return `# What the service asks of a node

Written by \`npm run bench -- rpc\`: the whole service with one person, on the local chain, read as somebody else's node. An act counts until its money
is final, less what the service asks at rest in the same time. News comes over the web socket, which is not counted here.

| act | ${nodes} | calls, at the first |
|---|${'---|'.repeat(costs.length)}---|
| at rest, an hour | ${costs.map(({ restPerHour }) => restPerHour).join(' | ')} | |
${lines.join('\n')}

## A month

Millions of calls, where a person looks at ${DAY.looks} tokens, trades ${DAY.trades} times and asks ${DAY.quotes} quotes a day. Markets that people ask about add what
\`INDEX_RPC_PER_SECOND\` allows at most: 2.6 million a month for each call a second.

| people | ${nodes} |
|---|${'---|'.repeat(costs.length)}
${months.join('\n')}
`;
}

function monthly({ restPerHour, acts }: Costs, people: number): number {
  const [, look = 0, buy = 0, sale = 0, quote = 0] = acts.map(({ calls }) => calls);
  const day = DAY.looks * look + (DAY.trades / 2) * (buy + sale) + DAY.quotes * quote;
  return DAYS * (24 * restPerHour + people * day);
}
