import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { end, readJsonPost, startHttpServer, urlsOf } from '../http-server.ts';
import { failure, success } from '../rpc/dispatch.ts';
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from '../rpc/rpc-error.ts';
import { keyOf, type Question, questionOf } from './question.ts';
import { rawItems, rawMembers } from './raw-json.ts';
import { type Notice, type Recording, readRecording } from './read-recording.ts';
import { RecordingError } from './recording-error.ts';
import type { Answer } from './write-recording.ts';

/** Of the answer to a question that the recording does not hold. No node uses it. */
export const NOT_RECORDED = -32_098;
const SHOWN_PARAMS = 200;

export type ReplayerOptions = {
  /** A file of `startRecorder`. */
  readonly file: string;
  /** The network that it must be of; absent: any. */
  readonly genesis?: string;
  readonly host?: string;
  /** 0, or absent: any. */
  readonly port?: number;
  readonly wsPort?: number | null;
  /** Hears of each question that the recording does not hold. */
  readonly log?: (line: string) => void;
};

export interface RunningReplayer {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly genesisHash: string;
  /** ISO 8601: when the recording was begun. */
  readonly recordedAt: string;
  stop(): Promise<void>;
}

/**
 * Answers as the recorded node did, on loopback and without one: by method and params, the answers of a question in their order, then the
 * last again. A question that the file does not hold gets the error -32098, which names it. Notices of a subscription come after the recorded
 * times. Rejects with RecordingError for a file that is no whole recording, or is of another network than `genesis`.
 */
export async function startReplayer(options: ReplayerOptions): Promise<RunningReplayer> {
  const { file, genesis, host = '127.0.0.1', log = () => undefined } = options;
  const recording = readRecording(file);
  if (genesis !== undefined && genesis !== recording.genesis)
    throw new RecordingError(`${file} is of the network ${recording.genesis}, not of ${genesis}.`);
  const find = answersOf(recording, log);
  const server = await startHttpServer({
    what: 'The replayer',
    host,
    port: options.port ?? 0,
    wsPort: options.wsPort,
    onRequest: (request, response) => replay(request, response, find),
    onSocket: (socket) => replaySocket(socket, recording, find),
    log,
  });
  return {
    ...urlsOf(host, server.port),
    genesisHash: recording.genesis,
    recordedAt: recording.at,
    stop: () => server.stop(),
  };
}

type Find = (question: Question) => Answer;

/** The next answer of a question, or the error that it is not recorded. */
function answersOf(recording: Recording, log: (line: string) => void): Find {
  const served = new Map<string, number>();
  const methods = new Map<string, number>();
  for (const key of recording.answers.keys()) {
    const method = key.slice(0, key.indexOf(' '));
    methods.set(method, (methods.get(method) ?? 0) + 1);
  }
  return (question) => {
    const key = keyOf(question);
    const answers = recording.answers.get(key) ?? [];
    const at = served.get(key) ?? 0;
    served.set(key, at + 1);
    const answer = answers[at] ?? answers.at(-1);
    if (answer !== undefined) return answer;
    if (question.method === 'getGenesisHash')
      return { kind: 'result', json: JSON.stringify(recording.genesis) };
    const others = methods.get(question.method) ?? 0;
    const hint = recording.leftOut > 0 ? ` It had no room for ${recording.leftOut} answers.` : '';
    const message = `The recording does not hold ${key.slice(0, SHOWN_PARAMS)}, but ${others} other questions of ${question.method}.${hint}`;
    log(message);
    return { kind: 'error', json: JSON.stringify({ code: NOT_RECORDED, message }) };
  };
}

async function replay(request: IncomingMessage, response: ServerResponse, find: Find): Promise<void> {
  const body = await readJsonPost(request, response);
  if (body === null) return;
  const asked = parsed(body);
  const items = Array.isArray(asked) ? rawItems(body) : [body];
  const texts: string[] = [];
  for (const [index, item] of items.entries()) {
    const answer = answerTo(Array.isArray(asked) ? asked[index] : asked, item, find);
    if (answer === null) continue;
    if (typeof answer !== 'string') return endStatus(response, answer);
    texts.push(answer);
  }
  if (Array.isArray(asked) && asked.length === 0)
    texts.push(failure(null, new RpcError(INVALID_REQUEST, 'Invalid request: empty batch')));
  if (texts.length === 0) return end(response, 204, 'text/plain', '');
  const isList = Array.isArray(asked) && asked.length > 0;
  end(response, 200, 'application/json', isList ? `[${texts.join(',')}]` : (texts[0] ?? ''));
}

/** The answer in JSON-RPC, or the status that came in its place; null for a notification. */
function answerTo(
  content: unknown,
  text: string,
  find: Find,
): string | (Answer & { readonly kind: 'status' }) | null {
  if (content === undefined)
    return failure(null, new RpcError(PARSE_ERROR, 'Parse error: the body is not JSON'));
  const question = questionOf(content);
  if (question === null)
    return failure(
      null,
      new RpcError(INVALID_REQUEST, 'Invalid request: expected { jsonrpc, id, method, params }'),
    );
  const id = rawMembers(text).get('id');
  if (id === undefined) return null;
  const answer = find(question);
  return answer.kind === 'status' ? answer : `{"jsonrpc":"2.0","${answer.kind}":${answer.json},"id":${id}}`;
}

function endStatus(
  response: ServerResponse,
  { status, retryAfterS }: Answer & { readonly kind: 'status' },
): void {
  if (retryAfterS !== null) response.setHeader('retry-after', retryAfterS);
  // Of 200 only the pages that were no JSON are written as a status.
  if (status === 200) end(response, 200, 'text/html', '<h1>This was no JSON when it was recorded</h1>\n');
  else end(response, status, 'text/plain', `The node answered with status ${status} when it was recorded.\n`);
}

function replaySocket(socket: WebSocket, recording: Recording, find: Find): void {
  const timers = new Map<number, NodeJS.Timeout>();
  const opened = new Map<string, number>();
  let next = 1;
  const stop = (id: number): boolean => {
    clearTimeout(timers.get(id));
    return timers.delete(id);
  };
  const play = (id: number, method: string, notices: readonly Notice[], at = 0): void => {
    const [notice, before] = [notices[at], notices[at - 1]];
    if (notice === undefined) return;
    const wait = Math.max(0, notice.afterMs - (before?.afterMs ?? 0));
    const tell = (): void => {
      const name = method.replace(/Subscribe$/, 'Notification');
      socket.send(
        `{"jsonrpc":"2.0","method":"${name}","params":{"result":${notice.json},"subscription":${id}}}`,
      );
      play(id, method, notices, at + 1);
    };
    timers.set(id, setTimeout(tell, wait));
  };
  const answer = (content: unknown, text: string): void => {
    const question = questionOf(content);
    const id = question === null ? undefined : rawMembers(text).get('id');
    if (question === null || id === undefined) return;
    const { method, params } = question;
    if (method.endsWith('Unsubscribe')) {
      const [subscription] = Array.isArray(params) ? (params as readonly unknown[]) : [];
      const ended = typeof subscription === 'number' && stop(subscription);
      socket.send(success(JSON.parse(id), ended));
      return;
    }
    const key = keyOf(question);
    const streams = recording.subscriptions.get(key);
    if (streams === undefined) {
      const found = answerTo(content, text, find);
      if (typeof found === 'string') socket.send(found);
      return;
    }
    const at = opened.get(key) ?? 0;
    opened.set(key, at + 1);
    const number = next;
    next += 1;
    socket.send(`{"jsonrpc":"2.0","result":${number},"id":${id}}`);
    play(number, method, streams[at] ?? streams.at(-1) ?? []);
  };
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    for (const id of timers.keys()) stop(id);
  });
  socket.on('message', (raw: Buffer) => {
    const text = raw.toString('utf8');
    const content = parsed(text);
    if (!Array.isArray(content)) answer(content, text);
    else for (const [index, item] of rawItems(text).entries()) answer(content[index], item);
  });
}

/** Undefined, which no JSON is, for a text that is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
