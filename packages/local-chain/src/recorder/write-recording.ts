import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { keyOf, type Question } from './question.ts';
import { RecordingError } from './recording-error.ts';

export const FORMAT = 1;
/** Room that is kept for the last line. */
const LAST_LINE_BYTES = 100;
/** Of waiting bytes: a disk that does not keep up must not fill the memory. */
const MOST_WAITING_BYTES = 64_000_000;

/** The raw JSON of a result or an error, or a status without an answer in JSON-RPC. */
export type Answer =
  | { readonly kind: 'result' | 'error'; readonly json: string }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS: number | null };

export interface RecordingWriter {
  /** An answer equal to the last one of its question is not written again. */
  answer(question: Question, answer: Answer): void;
  /** The number of a new subscription, null when it did not fit. */
  subscription(question: Question): number | null;
  notice(subscription: number, afterMs: number, json: string): void;
  /** Counts an answer that cannot be written. */
  leaveOut(): void;
  counts(): { readonly lines: number; readonly leftOut: number };
  /** Ends the file. Rejects when the disk refused. */
  close(): Promise<void>;
}

export type WriteOptions = {
  readonly path: string;
  readonly genesis: string;
  /** ISO 8601. */
  readonly at: string;
  /** Of the lines together, before they are packed. */
  readonly maxBytes: number;
  /** Takes keys out of JSON text. */
  readonly clean: (json: string) => string;
  /** Called once, with a line for a person, when from now on nothing more is written. */
  readonly onFull: (line: string) => void;
};

/**
 * Begins a recording: packed lines of JSON, whose first names the network and whose last says that the file is whole. From the first
 * line on that does not fit nothing more is written, so that the answers of a question keep their order. Throws RecordingError for a
 * file that is there already.
 */
export async function writeRecording(options: WriteOptions): Promise<RecordingWriter> {
  const { path, clean, maxBytes } = options;
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await once(file, 'open').catch((error: unknown) => {
    throw new RecordingError(refusalOf(path, error));
  });
  const pack = createGzip();
  let failure: Error | null = null;
  const written = pipeline(pack, file).catch((error: unknown) => {
    failure = new RecordingError(refusalOf(path, error));
    stop(failure.message);
  });
  let [bytes, lines, leftOut, subscriptions, isFull] = [0, 0, 0, 0, false];
  const lastAnswers = new Map<string, string>();

  function stop(line: string): void {
    if (isFull) return;
    isFull = true;
    options.onFull(line);
  }
  const add = (line: string): boolean => {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size + LAST_LINE_BYTES > maxBytes)
      stop(`The recording is full with ${lines} lines; nothing more is written.`);
    else if (pack.writableLength > MOST_WAITING_BYTES)
      stop('The disk is too slow for this recording; nothing more is written.');
    if (isFull) {
      leftOut += 1;
      return false;
    }
    bytes += size;
    lines += 1;
    pack.write(`${line}\n`);
    return true;
  };
  const asked = ({ method, params }: Question): string =>
    `"method":"${method}","params":${clean(JSON.stringify(params))}`;

  add(JSON.stringify({ recording: FORMAT, genesis: options.genesis, at: options.at }));
  return {
    answer: (question, answer) => {
      const json =
        answer.kind === 'status'
          ? `"status":${answer.status},"retryAfterS":${answer.retryAfterS ?? 'null'}`
          : `"${answer.kind}":${clean(oneLine(answer.json))}`;
      const [key, digest] = [keyOf(question), createHash('sha256').update(json).digest('base64')];
      if (lastAnswers.get(key) === digest) return;
      if (add(`{${asked(question)},${json}}`)) lastAnswers.set(key, digest);
    },
    subscription: (question) => {
      const number = subscriptions;
      if (!add(`{${asked(question)},"subscription":${number}}`)) return null;
      subscriptions += 1;
      return number;
    },
    notice: (subscription, afterMs, json) => {
      add(`{"of":${subscription},"afterMs":${Math.round(afterMs)},"result":${clean(oneLine(json))}}`);
    },
    leaveOut: () => {
      leftOut += 1;
    },
    counts: () => ({ lines: Math.max(0, lines - 1), leftOut }),
    close: async () => {
      pack.end(`${JSON.stringify({ end: Math.max(0, lines - 1), leftOut })}\n`);
      await written;
      if (failure !== null) throw failure;
    },
  };
}

/** JSON may hold line ends between its tokens alone, never within a text. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ');
}

function refusalOf(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST') return `${path} is there already: name another file.`;
  return `${path} cannot be written: ${code === '' ? String(error) : code}.`;
}
