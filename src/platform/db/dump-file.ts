import { open, unlink } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { DumpError } from './dump-format.ts';

/** The first bytes of every age file. */
const AGE_MAGIC = 'age-encryption.org/v1';

export type DumpWriter = {
  /** Adds text; resolves when more may come. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when all of it is on the disk. */
  readonly finish: () => Promise<void>;
  /** Removes the written part: half a dump must not look like one. */
  readonly discard: () => Promise<void>;
};

/**
 * A new file of mode 0600 for a dump. With `recipient` (`age1…`) it is gzip inside age, which only the holder of the identity
 * can read: the machine that makes backups cannot open them. Throws a DumpError when the file exists or the recipient is none.
 */
export async function createDumpFile(path: string, recipient: string | null): Promise<DumpWriter> {
  const encrypter = recipient === null ? null : encrypterTo(recipient);
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new DumpError(`${path} cannot be written: ${isThere ? 'it exists already' : String(error)}.`);
  });
  const input = new PassThrough();
  const output = file.createWriteStream({ flush: true });
  const done = writeAll(input, encrypter, output);
  // `finish` reports it; a failure before that must not end the process.
  done.catch(() => undefined);
  return {
    write: async (text) => {
      if (input.write(text)) return;
      await Promise.race([new Promise((resolve) => input.once('drain', resolve)), done]);
    },
    finish: async () => {
      input.end();
      await done;
    },
    discard: async () => {
      input.destroy();
      await done.catch(() => undefined);
      await unlink(path).catch(() => undefined);
    },
  };
}

async function writeAll(
  input: PassThrough,
  encrypter: Encrypter | null,
  output: NodeJS.WritableStream,
): Promise<void> {
  if (encrypter === null) return pipeline(input, output);
  const packed = createGzip();
  const packing = pipeline(input, packed);
  const sealed = await encrypter.encrypt(webStreamOf(packed));
  await Promise.all([packing, pipeline(nodeStreamOf(sealed), output)]);
}

// Node's types and the browser's name the same streams, but not to the compiler.
const webStreamOf = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as ReadableStream<Uint8Array>;
const nodeStreamOf = (stream: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(stream as never);

function encrypterTo(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient.trim());
  } catch {
    throw new DumpError(
      `"${recipient}" is no age recipient. Expected one like age1… (make one with "age-keygen").`,
    );
  }
  return encrypter;
}

/** The lines of a dump, plain or encrypted. Throws a DumpError for a file that cannot be read or opened with `identity`. */
export async function* dumpLines(path: string, identity: string | null): AsyncGenerator<string> {
  const isSealed = await startsWith(path, AGE_MAGIC);
  const file = await open(path, 'r').catch(unreadable(path));
  try {
    if (!isSealed) {
      for await (const line of file.readLines()) yield line;
      return;
    }
    if (identity === null)
      throw new DumpError(`${path} is encrypted. Name the file of its age identity with --identity.`);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const opened = nodeStreamOf(await decrypter.decrypt(webStreamOf(file.createReadStream())));
    const plain = createGunzip();
    // Its failure ends `plain` with the same error, and the loop below with it.
    void pipeline(opened, plain).catch(() => undefined);
    yield* linesOf(plain);
  } catch (cause) {
    if (cause instanceof DumpError) throw cause;
    throw new DumpError(`${path} cannot be opened with this identity, or it is torn.`);
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Not `readline`: its iterator ends without an error when its input fails. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${decoder.write(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function startsWith(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'r').catch(unreadable(path));
  try {
    const { buffer } = await file.read(Buffer.alloc(text.length), 0, text.length, 0);
    return buffer.toString('latin1') === text;
  } finally {
    await file.close();
  }
}

function unreadable(path: string) {
  return (cause: unknown): never => {
    throw new DumpError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  };
}
