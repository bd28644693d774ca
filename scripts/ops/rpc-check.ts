/** `npm run ops -- rpc check`: the abilities of each endpoint, and the features that people lose where one is missing. Changes nothing. */
import type { Config } from '../../src/config/index.ts';
import { isRecord } from '../../src/core/records.ts';
import { verdict } from '../../src/modules/operations/rules/check-up.ts';
import {
  type EndpointReplies,
  judgeEndpoint,
  type Reply,
} from '../../src/modules/operations/rules/endpoint-abilities.ts';
import { webSocketUrl } from '../../src/platform/chain/hot/open-hot-accounts.ts';
import { openWebSocket } from '../../src/platform/chain/hot/web-socket.ts';
import type { Io } from './command.ts';
import { printFinding, reasonOf } from './doctor-find.ts';
import { chainUrls } from './open.ts';
import { UsageError } from './ops-error.ts';

const PATIENCE_MS = 15_000;
const SOCKET_MS = 10_000;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
/** Unix time in the clock account: after slot, start of the epoch, epoch and leader schedule, eight bytes each. */
const CLOCK_TIME = 32;
const FEATURES = 'Feature111111111111111111111111111111111111';
/** The account that says whether transactions of version 1 are switched on: its first byte. */
const VERSION_ONE = 'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL';
const RAYDIUM_CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
/** No mint: a list of its holders, or of its pools, is empty, and costs a node as little as a list can. */
const NO_MINT = 'Vote111111111111111111111111111111111111111';

export type RpcCheckOptions = { readonly json: boolean };

/** Asks one address, or all of SOLANA_RPC_URL. 0 = everything is served, 1 = something goes without, 2 = not to be used. */
export async function rpcCheck(io: Io, url: string | undefined, { json }: RpcCheckOptions): Promise<number> {
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('expected an address that begins with http:// or https://');
  const config = io.config();
  const urls = url === undefined ? chainUrls(config) : [url];
  const findings = (
    await Promise.all(
      urls.map(async (one, index) => {
        const replies = await askEndpoint(one, socketOf(config, one, url === undefined ? index : null));
        return judgeEndpoint(replies, Date.now() / 1_000);
      }),
    )
  ).flat();
  const code = verdict(findings);
  if (json) io.print(JSON.stringify({ code, findings }, null, 2));
  else for (const finding of findings) printFinding(io, finding);
  return code;
}

/** The address that the configuration names for this place in the list; else the usual one beside the node's own. */
function socketOf({ wsUrls }: Config, url: string, place: number | null): string {
  return (place === null ? undefined : wsUrls?.[place]) ?? webSocketUrl(url);
}

type Ask = (method: string, params?: readonly unknown[]) => Promise<Reply>;

/** One question after the other: an endpoint with narrow limits is not to fail by being checked. */
async function askEndpoint(url: string, wsUrl: string): Promise<EndpointReplies> {
  const ask = askerOf(url);
  const slot = resultOf(await ask('getSlot', [{ commitment: 'confirmed' }]));
  return {
    host: new URL(url).host,
    genesis: await ask('getGenesisHash'),
    version: await ask('getVersion'),
    chainSeconds: timeOf(accountData(await ask('getAccountInfo', [CLOCK, { encoding: 'base64' }]))),
    programScan: await ask('getProgramAccounts', [
      RAYDIUM_CPMM,
      { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, filters: [memcmp(168, NO_MINT)] },
    ]),
    mintScan: await ask('getProgramAccounts', [
      TOKEN_PROGRAM,
      { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, filters: [memcmp(0, NO_MINT)] },
    ]),
    largest: await ask('getTokenLargestAccounts', [WRAPPED_SOL]),
    history: reach(await ask('getFirstAvailableBlock'), slot),
    addressHistory: await ask('getSignaturesForAddress', [WRAPPED_SOL, { limit: 1 }]),
    versionOne: await newestBlock(ask, slot),
    networkHasVersionOne: switchedOn(await ask('getAccountInfo', [VERSION_ONE, { encoding: 'base64' }])),
    fees: await ask('getRecentPrioritizationFees', [[]]),
    assets: await ask('getAsset', [{ id: WRAPPED_SOL }]),
    socket: await askSocket(wsUrl),
  };
}

const memcmp = (offset: number, bytes: string) => ({ memcmp: { offset, bytes } });

function askerOf(url: string): Ask {
  return async (method, params = []) => {
    const startedAt = performance.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      return replyOf(text, response.status, Math.round(performance.now() - startedAt));
    } catch (error) {
      return { kind: 'failed', why: `it does not answer: ${reasonOf(error)}` };
    }
  };
}

/** Some providers wrap a refusal in a 4xx: its body gives the reason. */
function replyOf(text: string, status: number, ms: number): Reply {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    return { kind: 'failed', why: `it answers ${status} and no JSON` };
  }
  if (isRecord(body) && isRecord(body['error'])) {
    const { code, message } = body['error'];
    return { kind: 'refused', code: typeof code === 'number' ? code : status, message: String(message) };
  }
  if (isRecord(body) && 'result' in body) return { kind: 'result', result: body['result'], ms };
  return { kind: 'failed', why: `it answers ${status} and no JSON-RPC` };
}

const resultOf = (reply: Reply): unknown => (reply.kind === 'result' ? reply.result : undefined);

/** Slots between the first block that the node serves and its newest. */
function reach(first: Reply, slot: unknown): Reply {
  if (first.kind !== 'result') return first;
  const slots = Number(slot) - Number(first.result);
  if (!Number.isFinite(slots)) return { kind: 'failed', why: 'it does not tell its slots' };
  return { ...first, result: Math.max(0, slots) };
}

/** The newest slots may be empty: the first of them that has a block. */
async function newestBlock(ask: Ask, slot: unknown): Promise<Reply> {
  const from = Math.max(0, Number(slot) - 20);
  const slots = resultOf(await ask('getBlocks', [from, Number(slot), { commitment: 'confirmed' }]));
  const newest: unknown = Array.isArray(slots) ? slots.at(-1) : undefined;
  if (typeof newest !== 'number') return { kind: 'failed', why: 'it lists no blocks' };
  return ask('getBlock', [
    newest,
    {
      commitment: 'confirmed',
      encoding: 'json',
      transactionDetails: 'full',
      rewards: false,
      maxSupportedTransactionVersion: 1,
    },
  ]);
}

function accountData(reply: Reply): Buffer | null {
  const result = resultOf(reply);
  const value = isRecord(result) ? result['value'] : null;
  const data = isRecord(value) ? value['data'] : null;
  return Array.isArray(data) && typeof data[0] === 'string' ? Buffer.from(data[0], 'base64') : null;
}

function timeOf(clock: Buffer | null): number | null {
  return clock === null || clock.length < CLOCK_TIME + 8 ? null : Number(clock.readBigInt64LE(CLOCK_TIME));
}

/** Null where the node did not say. An account that is not there is a feature that is not switched on. */
function switchedOn(reply: Reply): boolean | null {
  const result = resultOf(reply);
  if (!isRecord(result)) return null;
  const { value } = result;
  return isRecord(value) && value['owner'] === FEATURES && accountData(reply)?.[0] === 1;
}

/** Waits for one slot over the web socket. */
function askSocket(url: string): Promise<Reply> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (reply: Reply): void => {
      clearTimeout(timer);
      socket.end();
      resolve(reply);
    };
    const timer = setTimeout(() => end({ kind: 'failed', why: 'no slot came in ten seconds' }), SOCKET_MS);
    const socket = openWebSocket(url, {
      opened: () =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe', params: [] })),
      text: (text) => {
        const notice: unknown = JSON.parse(text);
        const params = isRecord(notice) ? notice['params'] : null;
        if (!isRecord(params)) return;
        const hasParents = isRecord(params['result']) && typeof params['result']['parent'] === 'number';
        end({ kind: 'result', result: hasParents, ms: Math.round(performance.now() - startedAt) });
      },
      pong: () => undefined,
      closed: (why) => end({ kind: 'failed', why: `the connection closed: ${why}` }),
    });
  });
}
