import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { keyOf, type Question, questionOf } from './question.ts';
import { rawMembers } from './raw-json.ts';
import { RecordingError } from './recording-error.ts';
import { type Answer, FORMAT } from './write-recording.ts';

/** Of the lines together: a packed file of few bytes can hold more than the memory does. */
const MOST_BYTES = 1_000_000_000;

const headLine = z.object({ recording: z.number(), genesis: z.string().min(32).max(44), at: z.string() });
const endLine = z.strictObject({ end: z.int().min(0), leftOut: z.int().min(0) });
const questionLine = z.object({ method: z.string(), params: z.unknown() });
const subscriptionLine = questionLine.extend({ subscription: z.int().min(0) });
const statusLine = questionLine.extend({
  status: z.int().min(200).max(599),
  retryAfterS: z.int().min(0).nullable(),
});
const noticeLine = z.object({
  of: z.int().min(0),
  afterMs: z.int().min(0).max(2_147_483_647),
  result: z.unknown(),
});

/** The raw JSON of a notice, and when it came after its subscription. */
export type Notice = { readonly afterMs: number; readonly json: string };

export type Recording = {
  readonly genesis: string;
  /** ISO 8601: when it was begun. */
  readonly at: string;
  /** By `keyOf` the question, in the order in which they came. None is empty. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
  readonly subscriptions: ReadonlyMap<string, readonly (readonly Notice[])[]>;
  /** Answers that the file had no room for. */
  readonly leftOut: number;
};

/** Reads a whole recording. Throws RecordingError for a file that is none, that is cut or changed, or that is of two networks. */
export function readRecording(path: string): Recording {
  const lines = unpacked(path).split('\n');
  const head = headLine.safeParse(parsed(lines[0] ?? ''));
  if (!head.success) throw new RecordingError(`${path} is not a recording.`);
  const { recording: format, genesis, at } = head.data;
  if (format !== FORMAT)
    throw new RecordingError(`${path} is a recording of format ${format}; this program reads ${FORMAT}.`);
  const end = endLine.safeParse(parsed(lines.at(-2) ?? ''));
  if (!end.success || lines.at(-1) !== '' || end.data.end !== lines.length - 3)
    throw new RecordingError(`${path} is cut: its last line is missing. Record it again.`);

  const answers = new Map<string, Answer[]>();
  const subscriptions = new Map<string, (readonly Notice[])[]>();
  const notices: Notice[][] = [];
  for (const [index, line] of lines.slice(1, -2).entries()) {
    const wrong = (): RecordingError =>
      new RecordingError(`${path} is not a recording from line ${index + 2} on.`);
    const read = readLine(line);
    if (read === null) throw wrong();
    if (read.kind === 'notice') {
      const list = notices[read.of];
      if (list === undefined) throw wrong();
      list.push(read.notice);
    } else if (read.kind === 'subscription') {
      if (read.number !== notices.length) throw wrong();
      const list: Notice[] = [];
      notices.push(list);
      put(subscriptions, keyOf(read.question), list);
    } else {
      if (namesOther(read, genesis))
        throw new RecordingError(
          `${path} holds answers of two networks: line ${index + 2} names another genesis.`,
        );
      put(answers, keyOf(read.question), read.answer);
    }
  }
  return { genesis, at, answers, subscriptions, leftOut: end.data.leftOut };
}

type Line =
  | { readonly kind: 'answer'; readonly question: Question; readonly answer: Answer }
  | { readonly kind: 'subscription'; readonly question: Question; readonly number: number }
  | { readonly kind: 'notice'; readonly of: number; readonly notice: Notice };

/** Null for a line that no recorder writes. */
function readLine(line: string): Line | null {
  const content = parsed(line);
  const notice = noticeLine.safeParse(content);
  if (notice.success) {
    const json = rawMembers(line).get('result');
    const { of, afterMs } = notice.data;
    return json === undefined ? null : { kind: 'notice', of, notice: { afterMs, json } };
  }
  const question = questionLine.safeParse(content).success ? questionOf(content) : null;
  if (question === null) return null;
  const subscription = subscriptionLine.safeParse(content);
  if (subscription.success) return { kind: 'subscription', question, number: subscription.data.subscription };
  const status = statusLine.safeParse(content);
  if (status.success) {
    const { status: code, retryAfterS } = status.data;
    return { kind: 'answer', question, answer: { kind: 'status', status: code, retryAfterS } };
  }
  const members = rawMembers(line);
  for (const kind of ['result', 'error'] as const) {
    const json = members.get(kind);
    if (json !== undefined) return { kind: 'answer', question, answer: { kind, json } };
  }
  return null;
}

function namesOther({ question, answer }: Line & { readonly kind: 'answer' }, genesis: string): boolean {
  return (
    question.method === 'getGenesisHash' &&
    answer.kind === 'result' &&
    answer.json !== JSON.stringify(genesis)
  );
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

function unpacked(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new RecordingError(`${path} cannot be read: ${code}.`);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new RecordingError(`${path} is not a recording.`);
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'Z_BUF_ERROR')
      throw new RecordingError(`${path} is cut: its end is missing. Record it again.`);
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new RecordingError(`${path} holds more than ${MOST_BYTES} bytes.`);
    throw new RecordingError(
      `${path} is damaged: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Undefined, which no line is, for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
