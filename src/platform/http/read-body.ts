import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors/api-error.ts';

/** Bytes of a body at most. */
export const BODY_LIMIT = 16 * 1_024;

export function bodyTooLarge(): ApiError {
  const message = `the body is too large; expected at most ${BODY_LIMIT} bytes`;
  return new ApiError({ status: 413, code: 'BODY_TOO_LARGE', message });
}

/** The bytes of a request's body as they came; none where it has no body. Throws BODY_TOO_LARGE, and reads no further then. */
export async function readBody(
  { headers }: Pick<FastifyRequest, 'headers'>,
  payload: AsyncIterable<unknown>,
): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT) throw bodyTooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of payload) {
    const bytes = Buffer.isBuffer(part) ? part : Buffer.from(String(part), 'utf8');
    size += bytes.length;
    if (size > BODY_LIMIT) throw bodyTooLarge();
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
