import { WebSocket } from 'ws';
import { isRecord } from '../rpc/params.ts';
import { type Question, questionOf } from './question.ts';
import { rawItems, rawMembers } from './raw-json.ts';
import type { RecordingWriter } from './write-recording.ts';

const HANDSHAKE_MS = 10_000;
/** A client or a node that does not read is cut off. */
const MOST_UNSENT_BYTES = 10_000_000;
/** A client that asks for more before the node answers is cut off. */
const MOST_OPEN_QUESTIONS = 10_000;
const NO_UPSTREAM = 1014;

/** Carries one client's web socket to the node at `url` and back, and writes its subscriptions with their notices. */
export function recordSocket(client: WebSocket, url: string, writer: RecordingWriter): void {
  const node = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false });
  const waiting: string[] = [];
  const note = notebook(writer);
  const stop = (): void => {
    node.terminate();
    if (client.readyState === WebSocket.OPEN) client.close(NO_UPSTREAM, 'the node closed');
    else client.terminate();
  };
  const pass = (to: WebSocket, text: string): void => {
    if (to.bufferedAmount > MOST_UNSENT_BYTES) stop();
    else to.send(text);
  };
  client.on('close', () => node.terminate());
  for (const side of [client, node]) side.on('error', stop);
  node.on('close', stop);
  node.on('open', () => {
    for (const text of waiting.splice(0)) pass(node, text);
  });
  client.on('message', (raw: Buffer) => {
    const text = raw.toString('utf8');
    const isOverdone = waiting.length >= MOST_OPEN_QUESTIONS || !note.asked(text);
    if (isOverdone) stop();
    else if (node.readyState === WebSocket.OPEN) pass(node, text);
    else waiting.push(text);
  });
  node.on('message', (raw: Buffer) => {
    const text = raw.toString('utf8');
    note.heard(text);
    if (client.readyState === WebSocket.OPEN) pass(client, text);
  });
}

/** Writes what one socket carries. `asked` is false for too many questions without an answer. */
function notebook(writer: RecordingWriter) {
  const questions = new Map<string, Question>();
  const subscriptions = new Map<string, { readonly number: number; readonly since: number }>();

  const hear = (members: ReadonlyMap<string, string>): void => {
    const [id, result, error] = [members.get('id'), members.get('result'), members.get('error')];
    const params = members.get('params');
    if (id === undefined) {
      const notice = params?.startsWith('{') === true ? rawMembers(params) : null;
      const [of, json] = [subscriptions.get(notice?.get('subscription') ?? ''), notice?.get('result')];
      if (of !== undefined && json !== undefined)
        writer.notice(of.number, performance.now() - of.since, json);
      return;
    }
    const question = questions.get(id);
    if (question === undefined) return;
    questions.delete(id);
    if (error !== undefined) writer.answer(question, { kind: 'error', json: error });
    else if (result !== undefined) {
      const number = writer.subscription(question);
      // A node may give a number again: the newest counts.
      if (number === null) subscriptions.delete(result);
      else subscriptions.set(result, { number, since: performance.now() });
    }
  };
  return {
    asked: (text: string): boolean => {
      for (const item of itemsOf(text)) {
        const question = questionOf(parsed(item));
        const id = rawMembers(item).get('id');
        if (question?.method.endsWith('Subscribe') === true && id !== undefined) questions.set(id, question);
      }
      return questions.size <= MOST_OPEN_QUESTIONS;
    },
    heard: (text: string): void => {
      for (const item of itemsOf(text)) hear(rawMembers(item));
    },
  };
}

/** The objects of a message, a list of them or one; none for anything else. */
function itemsOf(text: string): readonly string[] {
  const content = parsed(text);
  if (Array.isArray(content)) return rawItems(text).filter((_, index) => isRecord(content[index]));
  return isRecord(content) ? [text] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
