import { type ApiError, errorBody } from './errors/api-error.ts';

/**
 * How answers are wrapped. `data`: `{data}` and `{error}`. `v1`: `{success, data}` and `{success, error}`, as old clients expect.
 * `bare`: the data alone, and a refusal as charting libraries read it.
 */
export type Envelope = 'data' | 'v1' | 'bare';

export function wrapped(envelope: Envelope, data: unknown): unknown {
  switch (envelope) {
    case 'data':
      return { data };
    case 'v1':
      return { success: true, data };
    case 'bare':
      return data;
  }
}

/** Status and body of a refusal. A charting library asks again for ever on any status but 200, so a lasting fault is one. */
export function wrappedError(
  envelope: Envelope,
  error: ApiError,
  requestId: string,
): { readonly status: number; readonly body: unknown } {
  const { status } = error;
  const body = errorBody(error, requestId);
  if (envelope === 'v1') return { status, body: { success: false, ...body } };
  if (envelope === 'bare' && (status === 400 || status === 404))
    return { status: 200, body: { s: 'error', errmsg: error.message } };
  return { status, body };
}

/** Of a path that no route serves. */
export function envelopeOf(path: string): Envelope {
  return path.startsWith('/v1/') ? 'v1' : 'data';
}
