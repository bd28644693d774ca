import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppError } from '../../../core/errors/app-error.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { fromAppError } from '../../../platform/http/errors/from-app-error.ts';
import type { RouteScope } from '../../../platform/http/route.ts';
import { MAX_PICTURE_BYTES } from '../../../platform/ports/pictures.ts';
import type { StoredPicture } from '../use/store-picture.ts';

export const PICTURE_PATH = '/images';
/** A picture is uploaded for a token. */
export const PICTURE_SCOPE: RouteScope = 'token';
/** Boundaries, headers and small fields around the file. */
const FORM_BYTES = 16_384;

/**
 * Up to so many bytes of a picture that is too large are thrown away. A connection closed under a sender's hands is reset, and many clients
 * then report a broken network instead of the answer. A phone's largest photo fits.
 */
const DISCARDED_BYTES = 32_000_000;

/**
 * `POST /images`: one picture as a form's file, answered by its link. `admit` decides on admission before a byte of the body is read. No
 * more than MAX_PICTURE_BYTES of a file are kept. Bytes behind a refusal are thrown away, up to DISCARDED_BYTES.
 */
export function servePictureUpload(
  app: FastifyInstance,
  deps: { readonly storePicture: (bytes: Uint8Array) => Promise<StoredPicture> },
  admit: (request: FastifyRequest, reply: Pick<FastifyReply, 'header'>) => Promise<void>,
): void {
  // In a scope of its own: no other route reads forms.
  void app.register(async (scope) => {
    await scope.register(multipart, {
      limits: {
        fileSize: MAX_PICTURE_BYTES,
        files: 1,
        fields: 4,
        fieldSize: 1_024,
        parts: 5,
        headerPairs: 50,
      },
    });
    scope.post(PICTURE_PATH, {
      onRequest: async (request, reply) => {
        await admit(request, reply);
        if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) throw notAForm();
        const announced = Number(request.headers['content-length'] ?? 0);
        if (announced > MAX_PICTURE_BYTES + FORM_BYTES) {
          if (announced > DISCARDED_BYTES) throw tooLarge({ isRead: false });
          await discard(request.raw);
          throw tooLarge({ isRead: true });
        }
      },
      handler: async (request) => {
        const bytes = await readFile(request);
        try {
          const { uri, ...rest } = await deps.storePicture(bytes);
          return { data: { imageUri: uri, ...rest } };
        } catch (error) {
          throw (isAppError(error) ? fromAppError(error) : null) ?? error;
        }
      },
    });
  });
}

async function readFile(request: FastifyRequest): Promise<Uint8Array> {
  try {
    const file = await request.file();
    if (file === undefined) throw noFile();
    // Reads the form to its end, and keeps nothing of a file that is too large.
    return await Promise.race([file.toBuffer(), overrun(request.raw)]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge({ isRead: true });
    throw noFile(error);
  }
}

/** Takes an announced body off the connection without keeping anything. */
async function discard(body: IncomingMessage): Promise<void> {
  body.resume();
  // A sender who hangs up before the end waits for no answer.
  await finished(body).catch(() => undefined);
}

/** Rejects when more of a body has come than anybody waits for; settles in no other way. */
function overrun(body: IncomingMessage): Promise<never> {
  let bytes = 0;
  return new Promise((_resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > DISCARDED_BYTES) reject(tooLarge({ isRead: false }));
    });
  });
}

/** `isRead`: the whole body has been taken off the connection, which may serve on. */
function tooLarge({ isRead }: { readonly isRead: boolean }): ApiError {
  return new ApiError({
    status: 413,
    code: 'PICTURE_TOO_LARGE',
    message: `the picture is too large; expected at most ${MAX_PICTURE_BYTES} bytes`,
    field: 'file',
    ...(isRead ? {} : { headers: { connection: 'close' } }),
  });
}

function notAForm(): ApiError {
  return new ApiError({
    status: 415,
    code: 'CONTENT_TYPE',
    message: 'expected content-type: multipart/form-data with one file',
    headers: { connection: 'close' },
  });
}

function noFile(cause?: unknown): ApiError {
  return new ApiError({
    status: 400,
    code: 'FILE_REQUIRED',
    message: 'expected a form with one file, a JPEG, PNG, WebP or GIF, in the field "file"',
    field: 'file',
    headers: { connection: 'close' },
    cause,
  });
}

/** This path in the OpenAPI document. */
export const PICTURE_OPERATION = {
  operationId: 'uploadPicture',
  summary: 'Stores a picture for a token',
  description: `Takes one JPEG, PNG, WebP or GIF of at most ${MAX_PICTURE_BYTES} bytes as the file of a form, encodes its pixels anew (at most 512 × 512, no camera data) and answers with the link to give as metadata.imageUri. The link is named by the picture's hash and never changes. A picture that no metadata document of this service names within a day is deleted.`,
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' } },
          required: ['file'],
        },
      },
    },
  },
  responses: {
    '200': {
      description: 'Success.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              data: {
                type: 'object',
                properties: {
                  imageUri: { type: 'string' },
                  sha256: { type: 'string' },
                  width: { type: 'integer' },
                  height: { type: 'integer' },
                },
                required: ['imageUri', 'sha256', 'width', 'height'],
              },
            },
            required: ['data'],
          },
        },
      },
    },
  },
} as const;
