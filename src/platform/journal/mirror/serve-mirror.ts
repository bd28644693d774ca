import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createFrameReader, frameOf } from '../../frames.ts';
import { fromPlainJson, toPlainJson } from '../../plain-json.ts';
import type { Logger } from '../../ports/logger.ts';
import { KEPT_MS } from '../file-journal.ts';
import { flushFolder, type LogFile, openLogFile } from '../log-file.ts';
import { dropSegments, packSegment } from '../segments.ts';
import { bytesOf, chunkAt, filesIn, hashOf } from './folder-files.ts';
import { MIRROR_REQUEST, type MirrorAnswer, type MirrorRefusal, type MirrorRequest } from './messages.ts';

type Without<T> = T extends unknown ? Omit<T, 'id'> : never;
type Body = Without<MirrorAnswer>;

export type MirrorServer = {
  /** Answers another signer until its connection ends. A later connection takes the place of an earlier one. */
  readonly accept: (socket: Socket, name: string) => void;
  /** Milliseconds since the last word of a signer that said `live`; null where none did since the start. */
  readonly silentMs: () => number | null;
  /** Ends the connection and lets go of the files, when the last write is on the disk. A later connection begins anew. */
  readonly rest: () => Promise<void>;
};

/**
 * Keeps the folder of a standby as the signing process has its own: bytes are flushed before they are acknowledged. Refuses everything with
 * the word of `refusal` while this process does something else with the folder.
 */
export function createMirrorServer(options: {
  /** Of this signer, by its certificate. */
  readonly name: string;
  readonly folder: string;
  readonly refusal: () => MirrorRefusal | null;
  readonly steadyMs: () => number;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}): MirrorServer {
  const { steadyMs, log } = options;
  const writer = createWriter(options);
  let current: Socket | null = null;
  let heardAt: number | null = null;
  let work: Promise<void> = Promise.resolve();

  const hear = (isLive: boolean): void => {
    if (isLive || heardAt !== null) heardAt = steadyMs();
  };
  const serve = async (socket: Socket, request: MirrorRequest): Promise<void> => {
    const body = await answerTo(request, { ...options, writer, hear }).catch((error: unknown): Body => {
      log.warn({ err: error, op: request.op }, 'the journal of the other signer cannot be kept');
      return { refused: 'broken' };
    });
    if (!socket.destroyed) socket.write(frameOf(toPlainJson({ id: request.id, ...body })));
  };

  const rest = async (): Promise<void> => {
    current?.destroy();
    current = null;
    await work;
    writer.close();
  };
  return {
    accept: (socket, name) => {
      current?.destroy();
      current = socket;
      const reader = createFrameReader();
      socket.on('data', (chunk) => {
        const requests = reader.push(chunk)?.map(requestIn) ?? [null];
        for (const request of requests) {
          if (request === null) {
            log.warn({ name }, 'another signer sent what no signer asks');
            socket.destroy();
            return;
          }
          // One after the other: lines have an order.
          work = work.then(() => (socket === current ? serve(socket, request) : undefined));
        }
      });
    },
    silentMs: () => (heardAt === null ? null : steadyMs() - heardAt),
    rest,
  };
}

/** `hear` counts the word of a signer that keeps this one level. */
async function answerTo(
  request: MirrorRequest,
  given: {
    readonly name: string;
    readonly folder: string;
    readonly refusal: () => MirrorRefusal | null;
    readonly writer: ReturnType<typeof createWriter>;
    readonly hear: (isLive: boolean) => void;
  },
): Promise<Body> {
  const { name, folder, refusal, writer, hear } = given;
  const refused = refusal();
  if (refused !== null) return { refused };
  if (request.op === 'beat') {
    if (request.live) hear(true);
    return { done: true };
  }
  if (request.op === 'append') {
    await writer.write(request);
    hear(false);
    return { done: true };
  }
  if (request.op === 'hello') return { name, files: [...(await filesIn(folder))] };
  const bytes = await bytesOf(folder, request.file);
  if (request.op === 'hash') return { hash: hashOf(bytes, request.size) };
  return { bytes: chunkAt(bytes, request.at) };
}

function requestIn(body: Buffer): MirrorRequest | null {
  try {
    const request = MIRROR_REQUEST.safeParse(fromPlainJson(body));
    return request.success ? request.data : null;
  } catch {
    return null;
  }
}

/** One open file a book: a later segment closes the one before it, which is packed then. */
function createWriter({
  folder,
  now,
  log,
}: {
  readonly folder: string;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}) {
  const open = new Map<string, { readonly name: string; readonly file: LogFile }>();
  const fileOf = async (name: string): Promise<LogFile> => {
    const book = name.startsWith('journal') ? 'journal' : 'keybook';
    const last = open.get(book);
    if (last?.name === name) return last.file;
    last?.file.close();
    const file = openLogFile(join(folder, name));
    open.set(book, { name, file });
    await flushFolder(folder);
    if (last !== undefined && last.name < name && book === 'journal')
      void tidy(join(folder, last.name)).catch((error: unknown) =>
        log.warn({ err: error }, 'a segment was not packed'),
      );
    return file;
  };
  const tidy = async (over: string): Promise<void> => {
    await packSegment(folder, over);
    await dropSegments(folder, 'journal', now() - KEPT_MS);
  };
  return {
    write: async (given: Extract<MirrorRequest, { readonly op: 'append' }>): Promise<void> => {
      const file = await fileOf(given.file);
      if (given.at > file.size())
        throw new RangeError(`${given.file} has ${file.size()} bytes, not ${given.at}`);
      if (given.at < file.size()) file.truncate(given.at);
      file.write(given.bytes);
      await file.flush();
    },
    close: (): void => {
      for (const { file } of open.values()) file.close();
      open.clear();
    },
  };
}
