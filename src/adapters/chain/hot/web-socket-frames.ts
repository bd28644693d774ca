/** RFC 6455 §5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const FINAL = 0x80;
const MASKED = 0x80;
const RESERVED = 0x70;
const MAX_CONTROL_BYTES = 125;
/** An account of a megabyte in base64; accounts of pools are a tenth of that at most. */
export const MAX_MESSAGE_BYTES = 1_500_000;

export type FrameEvents = {
  readonly text: (message: string) => void;
  readonly ping: (payload: Buffer) => void;
  readonly pong: (payload: Buffer) => void;
  readonly close: (code: number) => void;
  /** Nothing is told after it. */
  readonly broken: (reason: string) => void;
};

/** One frame as a client sends it: whole, and masked by these four bytes. */
export function encodeFrame(opcode: number, payload: Uint8Array, mask: Uint8Array): Buffer {
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.alloc(2 + extended + 4 + length);
  frame[0] = FINAL | opcode;
  frame[1] = MASKED | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) frame.writeUInt16BE(length, 2);
  if (extended === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const start = 2 + extended + 4;
  frame.set(mask, start - 4);
  for (let at = 0; at < length; at += 1) frame[start + at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return frame;
}

/** Reads what a server sends, in whatever pieces it arrives, and tells of whole messages in their order. */
export function createFrameReader(events: FrameEvents): (bytes: Buffer) => void {
  let waiting: Buffer[] = [];
  let held = 0;
  let needed = 2;
  let parts: Buffer[] | null = null;
  let partBytes = 0;
  let done = false;

  const broken = (reason: string): void => {
    if (done) return;
    done = true;
    waiting = [];
    parts = null;
    events.broken(reason);
  };

  /** Bytes that the frame at the front takes, or, while its head is incomplete, that must be there to know. */
  const frameSize = (front: Buffer): { readonly head: number; readonly size: number } | number => {
    const marker = (front[1] ?? 0) & 0x7f;
    const head = marker < 126 ? 2 : marker === 126 ? 4 : 10;
    if (front.length < head) return head;
    const length =
      marker < 126 ? marker : marker === 126 ? front.readUInt16BE(2) : Number(front.readBigUInt64BE(2));
    return { head, size: head + length };
  };

  const frame = (flags: number, payload: Buffer): void => {
    const opcode = flags & 0x0f;
    const isFinal = (flags & FINAL) !== 0;
    if (opcode >= OPCODE.close) {
      if (!isFinal || payload.length > MAX_CONTROL_BYTES) broken('a control frame in pieces');
      else if (opcode === OPCODE.ping) events.ping(payload);
      else if (opcode === OPCODE.pong) events.pong(payload);
      else {
        done = true;
        events.close(payload.length >= 2 ? payload.readUInt16BE(0) : 1005);
      }
      return;
    }
    if (opcode !== OPCODE.text && opcode !== OPCODE.continuation) broken('a message that is no text');
    else if ((opcode === OPCODE.continuation) !== (parts !== null)) broken('pieces of messages out of order');
    else piece(payload, isFinal);
  };

  const piece = (payload: Buffer, isFinal: boolean): void => {
    const all = [...(parts ?? []), payload];
    parts = isFinal ? null : all;
    partBytes = isFinal ? 0 : partBytes + payload.length;
    if (isFinal) events.text(Buffer.concat(all).toString('utf8'));
  };

  return (bytes) => {
    if (done) return;
    waiting.push(bytes);
    held += bytes.length;
    while (!done && held >= needed) {
      const front = waiting.length === 1 ? (waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(waiting);
      waiting = [front];
      const flags = front[0] ?? 0;
      if ((flags & RESERVED) !== 0) {
        broken('an extension that was not asked for');
        break;
      }
      if (((front[1] ?? 0) & MASKED) !== 0) {
        broken('a masked frame');
        break;
      }
      const known = frameSize(front);
      if (typeof known === 'number') {
        needed = known;
        continue;
      }
      if (partBytes + known.size - known.head > MAX_MESSAGE_BYTES) {
        broken('a message that is too long');
        break;
      }
      if (front.length < known.size) {
        needed = known.size;
        continue;
      }
      const rest = front.subarray(known.size);
      waiting = rest.length === 0 ? [] : [rest];
      held = rest.length;
      needed = 2;
      frame(flags, front.subarray(known.head, known.size));
    }
  };
}
