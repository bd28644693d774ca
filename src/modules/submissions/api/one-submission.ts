import { fromBase58 } from '@tradepost/solana';
import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import { recordFor } from '../rules/record.ts';
import { SUBMISSION_EXAMPLE, submissionRecord } from './submission-record.ts';

const SIGNATURE_BYTES = 64;
const MOST_WAIT_MS = 8_000;
const A_SIGNATURE = 'expected a base58 signature of 64 bytes';
const A_WAIT = `expected a whole number from 0 to ${MOST_WAIT_MS}`;

const query = z.strictObject({
  signature: z
    .string({ error: A_SIGNATURE })
    .max(88, { error: A_SIGNATURE })
    .refine((text) => fromBase58(text)?.length === SIGNATURE_BYTES, { error: A_SIGNATURE })
    .describe('first signature of the transaction'),
  waitFor: z
    .enum(['confirmed', 'final'], { error: 'expected "confirmed" or "final"' })
    .describe('the answer waits until the status is this or better, at most `timeoutMs`')
    .optional(),
  timeoutMs: z
    .string({ error: A_WAIT })
    .regex(/^\d{1,4}$/, { error: A_WAIT })
    .transform(Number)
    .refine((wait) => wait <= MOST_WAIT_MS, { error: A_WAIT })
    .describe(`milliseconds, at most ${MOST_WAIT_MS}; the record as it is then`)
    .default(MOST_WAIT_MS),
});

/** Where a submitted transaction is. */
export const oneSubmission = route<z.infer<typeof query>>({
  act: 'reads',
  method: 'GET',
  scope: 'submit',
  allowance: { ratePerSecond: 2, burst: 10 },
  path: '/transactions/:signature',
  pathFields: ['signature'],
  operationId: 'showTransaction',
  summary: 'Where a submitted transaction is',
  description:
    'The record of a transaction that was submitted here. `final: true` is proven by two nodes, or by the only one twice, and never changes. A signature that is unknown here may still have landed: this service knows what was submitted to it, for 30 days after the end. `reference` is told to its own account; that of a submission without a key to all who ask without one.',
  input: { in: 'query', name: 'TransactionRequest', schema: query },
  inputExample: { signature: SUBMISSION_EXAMPLE.signature, waitFor: 'confirmed' },
  output: { name: 'Submission', schema: submissionRecord, example: SUBMISSION_EXAMPLE },
  codes: { signature: 'SIGNATURE_MALFORMED' },
  errors: ['TRANSACTION_UNKNOWN'],
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ submissions }, { signature, waitFor, timeoutMs }, { key }) => {
    const until = waitFor === undefined ? null : { level: waitFor, timeoutMs };
    const found = await submissions.find(signature, until);
    if (found !== null) return recordFor(key?.account ?? null, found);
    throw new ApiError({
      status: 404,
      code: 'TRANSACTION_UNKNOWN',
      message: 'this signature is unknown to this service, which says nothing about the chain',
      field: 'signature',
    });
  },
});
