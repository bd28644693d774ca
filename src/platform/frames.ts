/** More than the largest request or answer is: a backup file with its fields. */
export const MOST_FRAME_BYTES = 64 * 1_024;
const LENGTH_BYTES = 4;

/** A frame: the length of its body as four bytes, big endian, and the body. Throws a RangeError for one that is too large. */
export function frameOf(body: Uint8Array): Buffer {
  if (body.length > MOST_FRAME_BYTES) throw new RangeError(`a frame has at most ${MOST_FRAME_BYTES} bytes`);
  const frame = Buffer.alloc(LENGTH_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/**
 * Takes a stream apart. `push` gives the bodies that are complete; null for a frame that says it is empty or too large: the connection is
 * then of no more use. At most one frame is kept, for any input.
 */
export function createFrameReader(): { push(chunk: Buffer): readonly Buffer[] | null } {
  let kept: Buffer = Buffer.alloc(0);
  return {
    push: (chunk) => {
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      const bodies: Buffer[] = [];
      while (kept.length >= LENGTH_BYTES) {
        const length = kept.readUInt32BE();
        if (length === 0 || length > MOST_FRAME_BYTES) return null;
        if (kept.length < LENGTH_BYTES + length) break;
        bodies.push(kept.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
        kept = kept.subarray(LENGTH_BYTES + length);
      }
      return bodies;
    },
  };
}
