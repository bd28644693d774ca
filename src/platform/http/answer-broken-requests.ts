import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger } from '../ports/logger.ts';
import { ApiError, errorBody } from './errors/api-error.ts';

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>;

const REASONS = {
  400: { code: 'VALIDATION_FAILED', text: 'Bad Request', message: 'the request is not valid HTTP' },
  408: {
    code: 'REQUEST_TIMEOUT',
    text: 'Request Timeout',
    message: 'the request did not arrive in time; send it again',
  },
  431: {
    code: 'HEADERS_TOO_LARGE',
    text: 'Request Header Fields Too Large',
    message: 'the headers are too large; expected at most 16 KiB',
  },
} as const;

/** The answer to a path that is not valid percent-encoding: the router refuses it before any hook runs. */
export function answerBrokenPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = new ApiError({
    status: 400,
    code: 'VALIDATION_FAILED',
    message: 'the path is not valid percent-encoding',
    field: 'path',
  });
  void reply
    .code(error.status)
    .headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
    .send(errorBody(error, request.id));
}

/** Answers bytes that are no request on the bare socket, in the shape of every other refusal, leaves one log line, and hangs up. */
export function answerBrokenRequests(newId: () => string, log: Pick<Logger, 'info'>): ClientErrorHandler {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = statusOf(error.code);
    const { code, text, message } = REASONS[status];
    const requestId = newId();
    log.info({ status, requestId, cause: error.code }, 'a broken request was refused');
    const retryable = status === 408;
    const body = JSON.stringify(errorBody(new ApiError({ status, code, message, retryable }), requestId));
    const head = [
      `HTTP/1.1 ${status} ${text}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'access-control-allow-origin: *',
      'connection: close',
    ].join('\r\n');
    if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
    socket.destroySoon();
  };
}

function statusOf(code: string): keyof typeof REASONS {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}
