import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppError } from '../../core/errors/app-error.ts';
import { MAX_PICTURE_BYTES } from '../../core/ports/pictures.ts';
import type { StoredPicture } from '../../services/metadata/store-picture.ts';
import { ApiError } from '../errors/api-error.ts';
import { fromAppError } from '../errors/from-app-error.ts';

export const PICTURE_PATH = '/images';
/** Boundaries, headers and small fields around the file. */
const FORM_BYTES = 16_384;

/**
 * `POST /images`: one picture as a form's file, answered by its link. `admit` decides who may, before a byte of the body is
 * read. The stream is cut at MAX_PICTURE_BYTES and the connection with it: nobody is read to the end just to be refused.
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
        if (Number(request.headers['content-length'] ?? 0) > MAX_PICTURE_BYTES + FORM_BYTES) throw tooLarge();
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
    return await file.toBuffer();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge();
    throw noFile(error);
  }
}

function tooLarge(): ApiError {
  return new ApiError({
    status: 413,
    code: 'PICTURE_TOO_LARGE',
    message: `the picture is too large; expected at most ${MAX_PICTURE_BYTES} bytes`,
    field: 'file',
    headers: { connection: 'close' },
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

/** What the OpenAPI document says of this path. */
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
