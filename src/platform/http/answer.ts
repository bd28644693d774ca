import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Envelope, wrapped } from './envelope.ts';

/** A handler's answer when there is more to say than the data. */
export class Answer {
  readonly data: unknown;
  /** Seconds for which anybody may keep it. */
  readonly maxAge: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, made before; `data` is left out then. */
  readonly prepared: PreparedBody | null;

  constructor(input: {
    readonly data?: unknown;
    readonly maxAge: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly prepared?: PreparedBody;
  }) {
    this.data = input.data;
    this.maxAge = input.maxAge;
    this.headers = input.headers ?? {};
    this.prepared = input.prepared ?? null;
  }
}

/** One body in each encoding that clients take. */
export type PreparedBody = {
  readonly digest: string;
  readonly bytes: Readonly<Record<Encoding, Buffer>>;
};

export type Encoding = 'identity' | 'gzip' | 'br';

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Past it brotli takes longer than the next change. */
const BROTLI_QUALITY = 4;
const STALE_SECONDS = 30;

export async function prepareBody(envelope: Envelope, data: unknown): Promise<PreparedBody> {
  const identity = Buffer.from(JSON.stringify(wrapped(envelope, data)));
  const [gzip, br] = await Promise.all([
    gzipped(identity, { level: 5 }),
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ]);
  return { digest: digestOf(identity), bytes: { identity, gzip, br } };
}

/** Sends it with its tag, or 304 to a client that has it already. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  envelope: Envelope,
  answer: Answer,
): FastifyReply {
  const { prepared } = answer;
  const encoding = prepared === null ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const body = prepared?.bytes[encoding] ?? Buffer.from(JSON.stringify(wrapped(envelope, answer.data)));
  const digest = prepared?.digest ?? digestOf(body);
  // A strong tag names the bytes: each encoding has its own.
  const etag = `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  reply
    .headers(answer.headers)
    .header('etag', etag)
    .header('cache-control', `public, max-age=${answer.maxAge}, stale-while-revalidate=${STALE_SECONDS}`)
    .header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body);
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 27);
}

/** The best encoding that a client takes. */
export function encodingFor(accepted: string | undefined): Encoding {
  const offers = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(';'))
      .filter(([, weight = 'q=1']) => !/^\s*q=0(\.0*)?$/.test(weight))
      .map(([name = '']) => name),
  );
  if (offers.has('br')) return 'br';
  return offers.has('gzip') ? 'gzip' : 'identity';
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
