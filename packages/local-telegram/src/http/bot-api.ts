import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome, TelegramCore } from '../core/telegram-core.ts';
import { TgError } from '../core/tg-error.ts';
import { readBody } from './body.ts';
import { sendFile } from './send-file.ts';

type Deps = { readonly core: TelegramCore; readonly token: string };

const PREFIX = '/bot';
const FILE_PREFIX = '/file/bot';

export function isBotApiPath(path: string): boolean {
  return path.startsWith(PREFIX) || path.startsWith(FILE_PREFIX);
}

/** `/bot<token>/<method>` and `/file/bot<token>/<path>`; the envelope and statuses are those of api.telegram.org. */
export async function serveBotApi(
  { core, token }: Deps,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams | undefined,
): Promise<void> {
  if (path.startsWith(FILE_PREFIX)) {
    const [given, rest] = split(path.slice(FILE_PREFIX.length));
    const file = core.world.files.byPath(decodeURIComponent(rest));
    if (!isSame(given, token)) return answer(response, refusal(401, 'Unauthorized'));
    if (file === undefined) return answer(response, refusal(404, 'Not Found'));
    return sendFile(response, file);
  }
  const [given, rest] = split(path.slice(PREFIX.length));
  // Telegram's test servers have `/test` before the method; there is one environment here.
  const method = rest.startsWith('test/') ? rest.slice('test/'.length) : rest;
  if (!isSame(given, token)) return answer(response, refusal(401, 'Unauthorized'));
  if (request.method !== 'GET' && request.method !== 'POST')
    return answer(response, refusal(404, 'Not Found'));
  const abort = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  try {
    const { args, uploads } = await readBody(request, query);
    answer(response, await core.invoke(method, args, uploads, abort.signal));
  } catch (error) {
    if (!(error instanceof TgError)) throw error;
    answer(response, refusal(error.code, error.description));
  }
}

function split(path: string): readonly [string, string] {
  const slash = path.indexOf('/');
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

function isSame(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

function refusal(code: number, description: string): Outcome {
  return { ok: false, code, description, parameters: undefined };
}

function answer(response: ServerResponse, outcome: Outcome): void {
  if (outcome.ok && outcome.drop) {
    response.destroy();
    return;
  }
  const status = outcome.ok ? 200 : outcome.code;
  const body = outcome.ok
    ? { ok: true, result: outcome.result }
    : {
        ok: false,
        error_code: outcome.code,
        description: outcome.description,
        ...(outcome.parameters === undefined ? {} : { parameters: outcome.parameters }),
      };
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}
