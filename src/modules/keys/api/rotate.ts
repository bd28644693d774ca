import { z } from 'zod';
import { shortEmail } from '../../../core/text/email-address.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';

const response = z.object({
  mailedTo: z.string().describe('where the link went, shortened'),
});

/** A new key that replaces the calling one, by a link to the address it was granted to. */
export const keysRotate = route({
  act: 'api-key-rotate',
  method: 'POST',
  host: 'pro',
  scope: 'any',
  path: '/keys/rotate',
  operationId: 'rotateKey',
  summary: 'Ask for a new key in place of this one',
  description:
    'Mails a one-time link to the address of the key. The button behind it makes the new key and shows it once; from then on the old key works for 7 more days. Until the button is pressed nothing changes.',
  input: { in: 'query', name: 'RotateRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: { name: 'RotateResponse', schema: response, example: { mailedTo: 'm…@example.org' } },
  codes: {},
  errors: ['KEY_WITHOUT_MAIL'],
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ keyDesk }, _input, { key }): Promise<z.infer<typeof response>> => {
    if (key === undefined) throw new Error('a rotation was asked for without a key');
    const request = keyDesk === null ? 'no-mail' : await keyDesk.rotate(key.id);
    if (request === 'mailed' && key.email !== null) return { mailedTo: shortEmail(key.email) };
    if (request === 'too-often') {
      throw new ApiError({
        status: 429,
        code: 'RATE_LIMITED',
        message: 'three links went out within an hour; use one of them, or ask again later',
        retryable: true,
        headers: { 'retry-after': '3600' },
      });
    }
    const message =
      request === 'no-mail'
        ? 'this host sends no mail; ask the operator for a new key'
        : 'this key was issued by hand and has no e-mail address; ask the operator for a new one';
    throw new ApiError({ status: 400, code: 'KEY_WITHOUT_MAIL', message });
  },
});
