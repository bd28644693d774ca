import type { IncomingMessage, ServerResponse } from 'node:http';
import { end, readJsonPost, startHttpServer, urlsOf } from '../http-server.ts';
import { failure } from '../rpc/dispatch.ts';
import { isRecord } from '../rpc/params.ts';
import { PARSE_ERROR, RpcError } from '../rpc/rpc-error.ts';
import { askNode, type NodeAnswer } from './ask-node.ts';
import { type Question, questionOf } from './question.ts';
import { rawItems, rawMembers } from './raw-json.ts';
import { recordSocket } from './record-sockets.ts';
import { RecordingError } from './recording-error.ts';
import { withoutSecrets } from './without-secrets.ts';
import { type Answer, type RecordingWriter, writeRecording } from './write-recording.ts';

export const MAX_RECORDING_BYTES = 64_000_000;

export type RecorderOptions = {
  /** The node's HTTP(S) address. It may hold keys: no part of it is written or logged but its host. */
  readonly to: string;
  /** The node's web-socket address; absent: `to` as `ws:` or `wss:`. */
  readonly wsTo?: string;
  /** The file that is made. One that is there already is an error. */
  readonly out: string;
  /** Of the file before it is packed; absent: 64 MB. */
  readonly maxBytes?: number;
  readonly host?: string;
  /** 0, or absent: any. */
  readonly port?: number;
  readonly wsPort?: number | null;
  readonly log?: (line: string) => void;
};

export interface RunningRecorder {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly genesisHash: string;
  /** Lines that the file holds, and answers that it had no room for. */
  counts(): { readonly lines: number; readonly leftOut: number };
  /** Frees the ports and ends the file, once. Rejects with RecordingError when the disk refused. */
  stop(): Promise<void>;
}

/**
 * Serves the node at `to` on loopback and writes its answers to a file, for `startReplayer`. Headers, user, password, path and query
 * never reach the file, and are taken out of answers that repeat them. Rejects with RecordingError when the node does not name its network or
 * the file cannot be made.
 */
export async function startRecorder(options: RecorderOptions): Promise<RunningRecorder> {
  const { to, out, host = '127.0.0.1', log = () => undefined } = options;
  const wsTo = options.wsTo ?? to.replace(/^http/, 'ws');
  const genesis = await genesisOf(to);
  const writer = await writeRecording({
    path: out,
    genesis,
    at: new Date().toISOString(),
    maxBytes: options.maxBytes ?? MAX_RECORDING_BYTES,
    clean: withoutSecrets([to, wsTo]),
    onFull: log,
  });
  const server = await startHttpServer({
    what: 'The recorder',
    host,
    port: options.port ?? 0,
    wsPort: options.wsPort,
    onRequest: (request, response) => record(request, response, { to, writer, log }),
    onSocket: (socket) => recordSocket(socket, wsTo, writer),
    log,
  }).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  let stopped: Promise<void> | null = null;
  return {
    ...urlsOf(host, server.port),
    genesisHash: genesis,
    counts: () => writer.counts(),
    stop: () => {
      stopped ??= server.stop().then(() => writer.close());
      return stopped;
    },
  };
}

async function genesisOf(url: string): Promise<string> {
  const answer = await askNode(url, '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash"}');
  const content: unknown = answer?.isJson === true ? JSON.parse(answer.text) : null;
  const genesis = isRecord(content) ? content['result'] : null;
  if (typeof genesis === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(genesis)) return genesis;
  const { host } = new URL(url);
  throw new RecordingError(
    answer === null
      ? `No node answers at ${host}.`
      : `${host} does not name its network (getGenesisHash, status ${answer.status}).`,
  );
}

async function record(
  request: IncomingMessage,
  response: ServerResponse,
  deps: { readonly to: string; readonly writer: RecordingWriter; readonly log: (line: string) => void },
): Promise<void> {
  const body = await readJsonPost(request, response);
  if (body === null) return;
  let asked: unknown;
  try {
    asked = JSON.parse(body);
  } catch {
    const error = new RpcError(PARSE_ERROR, 'Parse error: the body is not JSON');
    return end(response, 200, 'application/json', failure(null, error));
  }
  const answer = await askNode(deps.to, body);
  if (answer === null) {
    deps.log('The node did not answer a call; it is not in the recording.');
    return end(response, 502, 'text/plain', 'The node did not answer.\n');
  }
  note(questionsOf(body, asked), answer, deps.writer);
  if (answer.retryAfter !== null) response.setHeader('retry-after', answer.retryAfter);
  end(response, answer.status, answer.type, answer.text);
}

/** The calls of a request or of a list of them, each with its id as text; null for an item that is no call. Notifications have none. */
function questionsOf(
  body: string,
  asked: unknown,
): readonly { readonly id: string; readonly question: Question }[] {
  const items = Array.isArray(asked) ? rawItems(body) : isRecord(asked) ? [body] : [];
  return items.flatMap((item) => {
    const content: unknown = JSON.parse(item);
    const [question, id] = [questionOf(content), isRecord(content) ? rawMembers(item).get('id') : undefined];
    return question === null || id === undefined ? [] : [{ id, question }];
  });
}

/** Writes each question with its answer. In a list they find each other by the id; two of one id are left out. */
function note(questions: ReturnType<typeof questionsOf>, answer: NodeAnswer, writer: RecordingWriter): void {
  const answers = answer.isJson ? answersOf(answer.text) : null;
  for (const { id, question } of questions) {
    const isAlone = questions.length === 1;
    const isNamedOnce = questions.filter((other) => other.id === id).length === 1;
    const found = answers === null ? statusOf(answer) : isAlone ? answers.first : answers.byId.get(id);
    // A refusal of the whole list bears no id.
    const used = found ?? (answers?.isList === false ? answers.first : undefined);
    if (used === undefined || !isNamedOnce) writer.leaveOut();
    else writer.answer(question, used);
  }
}

function answersOf(text: string) {
  const items = text.trimStart().startsWith('[')
    ? rawItems(text).filter((item) => item.startsWith('{'))
    : null;
  const byId = new Map<string, Answer>();
  let first: Answer | undefined;
  for (const item of items ?? [text]) {
    const members = rawMembers(item);
    const kind = members.has('result') ? 'result' : 'error';
    const [id, json] = [members.get('id'), members.get(kind)];
    if (json === undefined) continue;
    first ??= { kind, json };
    if (id !== undefined) byId.set(id, { kind, json });
  }
  return { byId, first, isList: items !== null };
}

function statusOf({ status, retryAfter }: NodeAnswer): Answer {
  const seconds = retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
  return { kind: 'status', status, retryAfterS: seconds };
}
