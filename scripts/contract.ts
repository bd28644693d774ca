/**
 * `npm run contract`: holds both hosts to their own documents, from outside. It starts the program as `npm start` does, reads
 * `/openapi.json` of each host, and makes calls of each operation from its schemas, near to the expected and hostile. Each status, header,
 * type and field of an answer must be in the document. `-- --cases N` (200 unless set) is the number of calls of each operation, `--seed N`
 * their row, `--operation ID` one operation alone. Ends with 1 where an answer is not as documented.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { type Run, startProgram } from '../test/support/program.ts';
import { seededRandom } from '../test/support/simulator/random.ts';
import { type Contract, type Operation, readContract } from './contract/document.ts';
import { faultOf } from './contract/judge.ts';
import { type Call, createRequests, type Known } from './contract/requests.ts';
import { createRestTrader } from './tour/rest-swap.ts';
import { wholeOption } from './whole-number.ts';

const AT_ONCE = 6;
const MOST_FAULTS = 5;
/** Tokens that are bought before, so that there are trades to read. */
const TRADED = 3;
const LAMPORTS = 100_000_000_000n;
const WSOL = 'So11111111111111111111111111111111111111112';
/** Limits would hide the answers behind them. */
const NO_LIMITS = {
  API_RATE_PER_SECOND: '100000',
  API_RATE_BURST: '100000',
  API_KEY_MAX_RATE: '100000',
  ORDERBOOK_BLOCKS: 'off',
  ORDERBOOK_PER_SECOND: '100000',
  ORDERBOOK_PER_MINUTE: '1000000',
};
/** It takes the key of all other calls away. */
const LAST = 'rotateKey';

const { values } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' }, operation: { type: 'string' } },
});
const cases = wholeOption('cases', values.cases ?? '200', 1, 100_000);
const seed = wholeOption('seed', values.seed ?? '1', 0, 1_000_000_000);

const dir = mkdtempSync(join(tmpdir(), 'tradepost-contract-'));
const program = await startProgram(dir, NO_LIMITS);
let code = 1;
try {
  const key = await issueKey();
  const known = await knownOf(program.run);
  const faults = [
    ...(await hostFaults({ url: program.run.openApiUrl, headers: {} }, known)),
    ...(await hostFaults({ url: program.run.proApiUrl, headers: { 'x-api-key': key } }, known)),
  ];
  console.log(faults.length === 0 ? 'Each answer was as documented.' : `${faults.length} answers were not.`);
  code = faults.length === 0 ? 0 : 1;
} finally {
  await program.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(code);

type Asked = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The faults of one host, some of each operation at most; prints the answers of each operation. */
async function hostFaults(host: Asked, known: Known): Promise<readonly string[]> {
  const contract = readContract(await (await fetch(`${host.url}/openapi.json`)).json());
  const wanted = contract.operations
    .filter(({ id, body, method }) => (values.operation ?? id) === id && (method !== 'POST' || body !== null))
    .toSorted((a, b) => Number(a.id === LAST) - Number(b.id === LAST));
  const found: string[] = [];
  for (const operation of wanted) {
    const { statuses, faults } = await operationFaults(host, contract, operation, known);
    const told = [...statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
    console.log(`${host.url} ${operation.method} ${operation.path}  ${told.join(', ')}`);
    for (const fault of faults) console.log(`  FAULT ${fault}`);
    found.push(...faults);
  }
  return found;
}

async function operationFaults(
  host: Asked,
  contract: Contract,
  operation: Operation,
  known: Known,
): Promise<{ readonly statuses: ReadonlyMap<number, number>; readonly faults: readonly string[] }> {
  const make = createRequests(contract, known, seededRandom(seed));
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let left = cases;
  const caller = async (): Promise<void> => {
    for (; left > 0 && faults.length < MOST_FAULTS; ) {
      left -= 1;
      const call = make(operation);
      const answer = await ask(host, call);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = judged(contract, operation, call, answer);
      if (fault !== null)
        faults.push(`${call.method} ${call.path} ${call.body ?? ''}: ${fault}`.slice(0, 900));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return { statuses, faults };
}

/** A method that the path does not have is answered by 405 everywhere, which no operation names. */
function judged(
  { operations }: Contract,
  operation: Operation,
  call: Call,
  answer: Awaited<ReturnType<typeof ask>>,
): string | null {
  const { method, path } = operation;
  if (call.method === method) return faultOf(operation, answer);
  const other = operations.find((one) => one.path === path && one.method === call.method);
  if (other !== undefined) return faultOf(other, answer);
  return answer.status === 405
    ? null
    : `status ${answer.status} for a method that is not there; expected 405`;
}

async function ask(
  { url, headers }: Asked,
  call: Call,
): Promise<{
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string | null;
}> {
  const stopping = new AbortController();
  const response = await fetch(`${url}${call.path}`, {
    method: call.method,
    headers: { ...headers, ...call.headers },
    ...(call.body === null ? {} : { body: call.body }),
    signal: stopping.signal,
  });
  const named = Object.fromEntries(response.headers);
  const isStream = named['content-type']?.startsWith('text/event-stream') === true;
  const text = isStream ? null : await response.text();
  if (isStream) stopping.abort();
  return { status: response.status, headers: named, text };
}

/** A key of every scope, by the operator's command. */
async function issueKey(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './scripts/register.mjs', 'scripts/ops.ts', 'api-key', 'issue', 'contract']
      .concat(['--rate', '100000', '--burst', '100000'])
      .concat(['--scopes', 'swap,token,market,submit']),
    { env: { ...process.env, LOCAL_DIR: dir } },
  );
  const key = /^dx_\S+$/m.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`no key was issued:\n${stdout}`);
  return key;
}

/** Addresses that the local world knows. */
async function knownOf({ openApiUrl, rpcUrl }: Run): Promise<Known> {
  const { pools } = (await (await fetch(`${rpcUrl}/desk/pools`)).json()) as {
    readonly pools: readonly { readonly mintA: string; readonly mintB: string }[];
  };
  const against = pools.filter(({ mintB }) => mintB === WSOL);
  const mints = [...new Set(against.map(({ mintA }) => mintA))];
  const trader = await createRestTrader({ rpcUrl, openApiUrl }, LAMPORTS);
  for (const toTokenAddress of mints.slice(0, TRADED))
    await trader.swap({ fromTokenAddress: WSOL, toTokenAddress, amount: '1000000000', slippageBps: 500 });
  const markets = await listed<{ readonly address: string; readonly trades: number }>(
    `${openApiUrl}/markets`,
    (rows) => rows.some(isTraded),
  );
  const trades = await listed<{ readonly signature: string }>(
    `${openApiUrl}/markets/${markets.find(isTraded)?.address}/trades?limit=20`,
  );
  const venues = await listed<{ readonly name: string }>(`${openApiUrl}/dex/venues`);
  return {
    mints: [WSOL, ...mints],
    markets: markets.map(({ address }) => address),
    wallets: [trader.address],
    signatures: trades.map(({ signature }) => signature),
    venues: venues.map(({ name }) => name),
  };
}

function isTraded({ trades }: { readonly trades: number }): boolean {
  return trades > 0;
}

/** A list that a young world fills within its first seconds. */
async function listed<T>(
  url: string,
  isFull: (rows: readonly T[]) => boolean = (rows) => rows.length > 0,
): Promise<readonly T[]> {
  for (;;) {
    const { data = [] } = (await (await fetch(url)).json()) as { readonly data?: readonly T[] };
    if (isFull(data)) return data;
    await pause(500);
  }
}
