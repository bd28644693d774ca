import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { RawArgs, Upload } from '../core/args.ts';
import { MAX_FILE_BYTES } from '../core/files.ts';
import { badRequest, TgError } from '../core/tg-error.ts';

/** Text bodies may have 4 MB; a multipart body one more file of 10 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type Body = { readonly args: RawArgs; readonly uploads: ReadonlyMap<string, Upload> };

const NO_UPLOADS: ReadonlyMap<string, Upload> = new Map();

/** Parameters from the query and from a JSON, form or multipart body. Throws TgError 400 or 413. */
export async function readBody(request: IncomingMessage, query: URLSearchParams | undefined): Promise<Body> {
  const fromQuery = query === undefined ? {} : Object.fromEntries(query);
  if (request.method === 'GET') return { args: fromQuery, uploads: NO_UPLOADS };
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    const { args, uploads } = await readMultipart(request);
    return { args: { ...fromQuery, ...args }, uploads };
  }
  const text = await readText(request, MAX_BODY_BYTES);
  if (text === '') return { args: fromQuery, uploads: NO_UPLOADS };
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { args: { ...fromQuery, ...Object.fromEntries(new URLSearchParams(text)) }, uploads: NO_UPLOADS };
  }
  return { args: { ...fromQuery, ...parseJsonObject(text) }, uploads: NO_UPLOADS };
}

/** The whole body as text; more than `limit` bytes throws a 413. */
export function readText(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > limit) reject(new TgError(413, 'Request Entity Too Large'));
      else resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new TgError(400, 'Bad Request: connection closed'));
    });
  });
}

export function parseJsonObject(text: string): RawArgs {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as RawArgs;
  } catch {
    throw badRequest("can't parse request JSON body");
  }
  throw badRequest('expected a JSON object as request body');
}

function readMultipart(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve, reject) => {
    const args: Record<string, string> = {};
    const uploads = new Map<string, Upload>();
    let isTooBig = false;
    let parser: ReturnType<typeof busboy>;
    try {
      parser = busboy({
        headers: request.headers,
        limits: { fileSize: MAX_FILE_BYTES + 1, files: 10, fields: 100, fieldSize: MAX_BODY_BYTES },
      });
    } catch {
      reject(badRequest("can't parse multipart request body"));
      return;
    }
    parser.on('field', (name, value) => {
      args[name] = value;
    });
    parser.on('file', (name, stream, info) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => {
        isTooBig = true;
      });
      stream.on('end', () =>
        uploads.set(name, { bytes: Buffer.concat(chunks), filename: info.filename ?? name }),
      );
    });
    parser.on('error', () => reject(badRequest("can't parse multipart request body")));
    parser.on('close', () => {
      if (isTooBig) reject(badRequest('file is too big'));
      else resolve({ args, uploads });
    });
    request.pipe(parser);
  });
}
