import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a node between the indexer and the chain misleads it. `null` = it hands everything on. */
export type Lie =
  /** Leaves every seventh entry out of the signatures of an address. */
  | 'omits'
  /** The same for good, in whole blocks too: nobody can find what it hides. */
  | 'omits-everywhere'
  | 'reorders'
  /** Tells every signature of an address twice, and every transaction of a block. */
  | 'repeats'
  /** Tells its slot, and answers with what it knew 50 slots ago. */
  | 'lags'
  /** What is confirmed is of a fork: other hashes, the transactions of each block in another order or place. */
  | 'forks'
  /** Some transactions have a version of next year: they are refused by name, and with them every block that holds one. */
  | 'versions';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type LyingNode = {
  readonly url: string;
  tell(lie: Lie | null): void;
  /** How many answers were changed. */
  lies(): number;
  stop(): Promise<void>;
};

/** A JSON-RPC proxy on loopback before `target`. */
export async function startLyingNode(target: string): Promise<LyingNode> {
  let lie: Lie | null = null;
  let lies = 0;
  const ask = async (body: string): Promise<Json> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answer: unknown = await response.json();
    return isRecord(answer) ? answer : {};
  };
  const newest = async (): Promise<number> =>
    Number(
      (await ask('{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"finalized"}]}'))[
        'result'
      ],
    );

  const misled = async (method: string, params: readonly unknown[], result: unknown): Promise<unknown> => {
    if (lie === null) return result;
    const changed = await change[lie](method, params, result, newest);
    if (changed !== result) lies += 1;
    return changed;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const answerOf = async (): Promise<Json> => {
        const asked: unknown = JSON.parse(body);
        const { method, params } = isRecord(asked) ? asked : {};
        const answer = await ask(body);
        if (!('result' in answer)) return answer;
        const given = Array.isArray(params) ? params : [];
        if (lie === 'versions' && isUnreadable(String(method), answer['result'])) {
          lies += 1;
          return { jsonrpc: '2.0', id: answer['id'], error: { code: -32_015, message: 'version (2)' } };
        }
        return { ...answer, result: await misled(String(method), given, answer['result']) };
      };
      answerOf().then(
        (answer) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    tell: (next) => {
      lie = next;
    },
    lies: () => lies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Change = (
  method: string,
  params: readonly unknown[],
  result: unknown,
  newest: () => Promise<number>,
) => unknown;

const isHidden = (signature: unknown): boolean =>
  typeof signature === 'string' && (signature.charCodeAt(10) + signature.charCodeAt(20)) % 7 === 0;
const signatureOf = (transaction: unknown): unknown => {
  const body = isRecord(transaction) ? transaction['transaction'] : null;
  const signatures = isRecord(body) ? body['signatures'] : null;
  return Array.isArray(signatures) ? signatures[0] : null;
};
/** The transaction as one that names nothing of interest. */
const disguised = (transaction: unknown): unknown =>
  JSON.parse(JSON.stringify(transaction), (key, value: unknown) =>
    ['accountKeys', 'writable', 'readonly'].includes(key) && Array.isArray(value)
      ? value.map(() => '11111111111111111111111111111111')
      : value,
  );
/** The same list where nothing was taken out: an answer that is not changed is no lie. */
const without = (entries: readonly unknown[], hides: (entry: unknown) => boolean): readonly unknown[] => {
  const kept = entries.filter((entry) => !hides(entry));
  return kept.length === entries.length ? entries : kept;
};
const slotOf = (entry: unknown): number => Number(isRecord(entry) ? entry['slot'] : 0);

/** Of `getTransaction`, and of `getBlock` with its transactions. */
function isUnreadable(method: string, result: unknown): boolean {
  if (!isRecord(result)) return false;
  if (method === 'getTransaction') return isHidden(signatureOf(result));
  const { transactions } = result;
  return (
    method === 'getBlock' &&
    Array.isArray(transactions) &&
    transactions.some((one) => isHidden(signatureOf(one)))
  );
}

const change: Readonly<Record<Lie, Change>> = {
  versions: (_method, _params, result) => result,
  omits: (method, _, result) =>
    method === 'getSignaturesForAddress' && Array.isArray(result)
      ? without(result, (entry) => isRecord(entry) && isHidden(entry['signature']))
      : result,
  'omits-everywhere': (method, params, result, newest) => {
    if (method !== 'getBlock' || !isRecord(result)) return change.omits(method, params, result, newest);
    const { transactions } = result;
    if (!Array.isArray(transactions) || !transactions.some((one) => isHidden(signatureOf(one))))
      return result;
    // Its place stays taken: what it did is hidden, not that something happened.
    const shown = transactions.map((one: unknown) => (isHidden(signatureOf(one)) ? disguised(one) : one));
    return { ...result, transactions: shown };
  },
  reorders: (method, _, result) =>
    method === 'getSignaturesForAddress' && Array.isArray(result)
      ? result.toSorted((a: unknown, b: unknown) => slotOf(b) - slotOf(a) || (isHidden(a) ? 1 : -1))
      : result,
  repeats: (method, _, result) => {
    const twice = (all: unknown): unknown =>
      Array.isArray(all) && all.length > 0 ? all.flatMap((one: unknown) => [one, one]) : all;
    if (method === 'getSignaturesForAddress') return twice(result);
    if (method !== 'getBlock' || !isRecord(result)) return result;
    const transactions = twice(result['transactions']);
    return transactions === result['transactions'] ? result : { ...result, transactions };
  },
  lags: async (method, _, result, newest) => {
    const known = (await newest()) - 50;
    if (method === 'getBlocks' && Array.isArray(result))
      return without(result, (slot) => Number(slot) > known);
    if (method === 'getSignaturesForAddress' && Array.isArray(result))
      return without(result, (entry) => slotOf(entry) > known);
    return result;
  },
  forks: (method, params, result) => {
    const { commitment } = isRecord(params[1]) ? params[1] : {};
    if (commitment !== 'confirmed') return result;
    if (method === 'getSignaturesForAddress' && Array.isArray(result) && result.length > 0)
      return result.map((entry: unknown) => (isRecord(entry) ? { ...entry, transactionIndex: 77 } : entry));
    if (method !== 'getBlock' || !isRecord(result)) return result;
    const { transactions } = result;
    return {
      ...result,
      blockhash: `F${String(result['blockhash'])}`,
      previousBlockhash: `F${String(result['previousBlockhash'])}`,
      ...(Array.isArray(transactions) ? { transactions: transactions.toReversed() } : {}),
    };
  },
};
