import { z } from 'zod';

/** Of one `append` or answer to `read`: with its tag and base64 it fits into a frame. */
export const MOST_CHUNK_BYTES = 32 * 1_024;

const id = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const size = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const bytes = z.custom<Uint8Array>(
  (given) => given instanceof Uint8Array && given.length <= MOST_CHUNK_BYTES,
);
/** A segment's name without `.gz`: the only files that are read or written for another signer. */
const file = z.string().regex(/^(journal|keybook)-\d{12}-\d{13}\.log$/);

/** What a signer asks of another one. The asker signs, or is about to. */
export const MIRROR_REQUEST = z.discriminatedUnion('op', [
  // The first one of a connection: the files of the other folder.
  z.strictObject({ id, op: z.literal('hello') }),
  // The hash of so many first bytes.
  z.strictObject({ id, op: z.literal('hash'), file, size }),
  z.strictObject({ id, op: z.literal('read'), file, at: size }),
  // The bytes from `at` on; later bytes of the file are cut away first.
  z.strictObject({ id, op: z.literal('append'), file, at: size, bytes }),
  // Nothing to write. `live`: every line is flushed at the asked one before a signature leaves.
  z.strictObject({ id, op: z.literal('beat'), live: z.boolean() }),
]);
export type MirrorRequest = z.output<typeof MIRROR_REQUEST>;

/** `size`: null for a packed segment, which is complete. */
const found = z.strictObject({ file, size: size.nullable() });
export type FoundFile = z.output<typeof found>;

/** `holder` signs, `taking` is about to, `broken` cannot do it. */
const refusal = z.enum(['holder', 'taking', 'broken']);
export type MirrorRefusal = z.output<typeof refusal>;

export const MIRROR_ANSWER = z.union([
  z.strictObject({ id, refused: refusal }),
  // `name`: of the answering signer, by its certificate.
  z.strictObject({ id, name: z.string().min(1).max(64), files: z.array(found).max(10_000) }),
  z.strictObject({ id, hash: z.string() }),
  z.strictObject({ id, bytes }),
  z.strictObject({ id, done: z.literal(true) }),
]);
export type MirrorAnswer = z.output<typeof MIRROR_ANSWER>;
