const HEADER_BYTES = 5;
const COMMAND_COMPLETE = 0x43;

/** Whether this backend message says that a transaction was committed. */
export function isCommitAck(message: Buffer): boolean {
  return (
    message[0] === COMMAND_COMPLETE &&
    message.toString('latin1', HEADER_BYTES, message.length - 1) === 'COMMIT'
  );
}

/**
 * Splits what a Postgres server sends into whole messages, across packet borders. For connections without TLS, where each
 * message is a type byte and a length that counts itself. Source of truth: the protocol's chapter "Message Formats".
 */
export function createMessageSplitter(): (chunk: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= HEADER_BYTES) {
      const size = 1 + rest.readUInt32BE(1);
      if (rest.length < size) break;
      messages.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return messages;
  };
}
