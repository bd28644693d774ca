import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '@grammyjs/types';
import { isRecord, type RawArgs } from '../core/args.ts';
import type { Fault } from '../core/faults.ts';
import { MAX_FILE_BYTES } from '../core/files.ts';
import type { TelegramCore } from '../core/telegram-core.ts';
import { TgError } from '../core/tg-error.ts';
import type { PanelOptions } from '../panel.ts';
import { parseJsonObject, readText } from './body.ts';
import type { EventStreams } from './event-streams.ts';
import { sendFile } from './send-file.ts';
import { simRefusal } from './sim-guard.ts';
import { pageState, personState } from './sim-state.ts';

export type SimDeps = {
  readonly core: TelegramCore;
  readonly panel: PanelOptions;
  readonly pageToken: string;
  readonly streams: EventStreams;
};

const MAX_SIM_BODY_BYTES = 64 * 1024;
/** A picture of the largest size that the server keeps, as base64. */
const MAX_PHOTO_BODY_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 8 * 1024;

/** The calls of the page and the driver of the tests: people's actions, and the switches. */
export async function serveSim(
  deps: SimDeps,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const action = path.slice('/sim/'.length);
  const header = request.headers['x-sim-token'];
  const given = typeof header === 'string' ? header : (query.get('t') ?? undefined);
  const isFile = action.startsWith('file/');
  // An <img> carries no token: file ids are unguessable, and other sites are refused by Sec-Fetch-Site.
  const refusal = simRefusal(request, deps.pageToken, isFile ? deps.pageToken : given);
  if (refusal !== undefined) return json(response, 403, { error: refusal });
  if (request.method === 'GET') return await serveRead(deps, request, response, action, query);
  if (request.method !== 'POST') return json(response, 405, { error: 'Expected GET or POST.' });
  try {
    const maxBytes = action === 'photo' ? MAX_PHOTO_BODY_BYTES : MAX_SIM_BODY_BYTES;
    const args = parseJsonObject((await readText(request, maxBytes)) || '{}');
    const run = ACTIONS[action];
    if (run === undefined) return json(response, 404, { error: `There is no action "${action}".` });
    json(response, 200, (await run(deps, args)) ?? {});
  } catch (error) {
    const status = error instanceof TgError && error.code === 413 ? 413 : 400;
    json(response, status, { error: error instanceof Error ? error.message : String(error) });
  }
}

async function serveRead(
  deps: SimDeps,
  request: IncomingMessage,
  response: ServerResponse,
  action: string,
  query: URLSearchParams,
): Promise<void> {
  if (action.startsWith('file/')) {
    const file = deps.core.world.files.get(action.slice('file/'.length));
    return file === undefined ? json(response, 404, { error: 'No such file.' }) : sendFile(response, file);
  }
  if (action === 'events') {
    const userId = query.get('u');
    return deps.streams.open(request, response, userId === null ? undefined : Number(userId));
  }
  if (action !== 'state') return json(response, 404, { error: `There is nothing called "${action}".` });
  const userId = query.get('u');
  if (userId === null) return json(response, 200, pageState(deps.core, deps.panel));
  const after = Number(query.get('after') ?? 0);
  const waitMs = Math.min(30_000, Math.max(0, Number(query.get('wait') ?? 0)));
  const state = await personState(deps.core, Number(userId), after, waitMs);
  json(response, state === undefined ? 404 : 200, state ?? { error: `There is no person ${userId} here.` });
}

type Action = (deps: SimDeps, args: RawArgs) => unknown;

const ACTIONS: Readonly<Record<string, Action>> = {
  user: ({ core }, args) => core.people.meet(readUser(args)),
  say: ({ core }, args) =>
    core.people.say(
      integer(args, 'u'),
      text(args, 'text'),
      args['replyTo'] === undefined ? undefined : integer(args, 'replyTo'),
    ),
  photo: ({ core }, args) =>
    core.people.sendPhoto(
      integer(args, 'u'),
      Buffer.from(text(args, 'base64'), 'base64'),
      args['caption'] === undefined ? '' : text(args, 'caption'),
    ),
  send: ({ core }, args) => {
    const content = args['content'];
    if (!isRecord(content)) throw new Error('Expected content: an object with the fields of a message.');
    return core.people.send(integer(args, 'u'), content);
  },
  start: ({ core }, args) =>
    core.people.start(integer(args, 'u'), args['payload'] === undefined ? undefined : text(args, 'payload')),
  tap: ({ core }, args) => ({
    queryId: core.people.tap(integer(args, 'u'), integer(args, 'messageId'), text(args, 'data')),
  }),
  block: ({ core }, args) => core.people.block(integer(args, 'u'), args['blocked'] === true),
  fault: ({ core }, args) =>
    args['clear'] === true ? core.faults.clear() : core.faults.add(readFault(args)),
  copies: ({ core }, args) => core.world.queue.setCopies(integer(args, 'copies')),
  clock: ({ core }, args) => core.skipTime(integer(args, 'skipMs')),
  reset: ({ core }) => core.reset(),
  faucet: async ({ panel }, args) => {
    if (panel.faucet === undefined) throw new Error('There is no faucet here.');
    const address = text(args, 'address').trim();
    const sol = Number(args['sol']);
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
      throw new Error('Expected a Solana address: 32 to 44 base58 characters.');
    if (!(sol > 0 && sol <= 1000)) throw new Error('Expected an amount above 0 and up to 1000 SOL.');
    return await panel.faucet(address, sol);
  },
};

function readUser(args: RawArgs): User {
  const raw = args['user'];
  if (!isRecord(raw)) throw new Error('Expected user: an object with id and first_name.');
  const id = integer(raw, 'id');
  const first_name = text(raw, 'first_name');
  if (id <= 0 || id > 2 ** 52) throw new Error('Expected a user id above 0 and below 2^52.');
  if (first_name === '' || first_name.length > 64)
    throw new Error('Expected a first name of 1 to 64 characters.');
  const optional = Object.fromEntries(
    ['last_name', 'username', 'language_code']
      .map((name) => [name, raw[name]] as const)
      .filter(([, value]) => typeof value === 'string' && value !== '' && value.length <= 64),
  );
  return { id, is_bot: false, first_name, ...optional };
}

function readFault(args: RawArgs): Fault {
  const optional = (name: 'chatId' | 'code' | 'retryAfterSeconds' | 'delayMs') =>
    args[name] === undefined ? {} : { [name]: integer(args, name) };
  return {
    method: text(args, 'method'),
    times: integer(args, 'times'),
    ...optional('chatId'),
    ...optional('code'),
    ...optional('retryAfterSeconds'),
    ...optional('delayMs'),
    ...(args['description'] === undefined ? {} : { description: text(args, 'description') }),
    ...(args['dropResponse'] === true ? { dropResponse: true } : {}),
  };
}

function integer(args: RawArgs, name: string): number {
  const value = args[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new Error(`Expected ${name}: a whole number.`);
  return value;
}

function text(args: RawArgs, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new Error(`Expected ${name}: a text.`);
  return value;
}

function json(response: ServerResponse, status: number, data: unknown): void {
  const body = Buffer.from(JSON.stringify(data));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
