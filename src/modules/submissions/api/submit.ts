import { fromBase58 } from '@tradepost/solana';
import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { CATALOGUE } from '../../../platform/http/errors/catalogue.ts';
import { route } from '../../../platform/http/route.ts';
import { tipTooSmall } from '../../trading/api/tip-options.ts';
import { recordFor } from '../rules/record.ts';
import type { WayProblem } from '../rules/send-way.ts';
import type { SubmitRefusal } from '../use/submit-transaction.ts';
import { SUBMISSION_EXAMPLE, submissionRecord } from './submission-record.ts';

const FIELD = 'transaction';
/** Of 4,096 bytes in the longer of the two encodings. */
const MOST_TEXT = 5_700;
const MOST_REFERENCE = 64;
const A_TRANSACTION = `expected a signed transaction in base64 or base58, at most ${MOST_TEXT} characters`;
const A_TOKEN = 'expected the `submitToken` of the answer that built it';
const A_SENDER = 'expected auto, or a name of GET /dex/senders';
const A_REFERENCE = `expected 1 to ${MOST_REFERENCE} visible characters`;

const submitRequest = z.strictObject({
  transaction: z
    .string({ error: A_TRANSACTION })
    .min(1, { error: A_TRANSACTION })
    .max(MOST_TEXT, { error: A_TRANSACTION })
    .describe('all bytes of the transaction, with every signature in its place'),
  encoding: z
    .enum(['base64', 'base58'], { error: 'expected "base64" or "base58"' })
    .default('base64')
    .describe('how `transaction` is written'),
  submitToken: z
    .string({ error: A_TOKEN })
    .min(1, { error: A_TOKEN })
    .max(64, { error: A_TOKEN })
    .describe(
      'of the answer that built it; without a key it is required. Good for five minutes, also where the wallet changed blockhash and budget, or added memos and guards of Lighthouse',
    )
    .optional(),
  reference: z
    .string({ error: A_REFERENCE })
    .regex(/^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/, { error: A_REFERENCE })
    .max(MOST_REFERENCE, { error: A_REFERENCE })
    .describe('your own name for it, told with the record')
    .optional(),
  sender: z
    .string({ error: A_SENDER })
    .min(1, { error: A_SENDER })
    .max(32, { error: A_SENDER })
    .default('auto')
    .describe(
      'auto: the nodes, and every sender of `GET /dex/senders` whose least tip the transaction pays; a name: that sender, and the nodes; rpc: the nodes alone',
    ),
  revertProtection: z
    .boolean({ error: 'expected true or false' })
    .default(false)
    .describe(
      'true: it goes to a protecting sender alone, each time, and never to a node: it is public only after it has landed, and never lands with an error. Its tip must be paid',
    ),
  skipSimulation: z
    .boolean({ error: 'expected true or false' })
    .default(false)
    .describe('true: it is sent without being run first, also where the chain would refuse it'),
});

type SubmitInput = z.infer<typeof submitRequest>;

/** A signed transaction, sent and followed until its end is proven. */
export const submit = route<SubmitInput>({
  act: 'reads',
  method: 'POST',
  scope: 'submit',
  allowance: { ratePerSecond: 1, burst: 5 },
  path: '/transactions',
  operationId: 'submitTransaction',
  summary: 'Submit a signed transaction and have it followed',
  description:
    'Checks the bytes and every signature, simulates, keeps the transaction, sends it, and sends it again until it is in a block or can no longer land. Its signature is the idempotency key: the same bytes again change nothing and give the same record. An answer means "kept and on its way", never "landed"; ask `GET /transactions/{signature}`. Build anew only after `failed` or `expired`. Without a key only what `POST /dex/swap` or `POST /token` built is taken, with its `submitToken`, and ten of an address are under way at once.',
  input: { in: 'body', name: 'SubmitRequest', schema: submitRequest },
  inputExample: { transaction: 'AWl4…', submitToken: 'mhq0wr5s.3oXh0n3o0lQW7pG1', reference: 'order 17' },
  output: {
    name: 'Submission',
    schema: submissionRecord,
    example: { ...SUBMISSION_EXAMPLE, status: 'sent' },
  },
  codes: {
    transaction: 'TRANSACTION_INVALID',
    submitToken: 'SUBMIT_TOKEN_INVALID',
    sender: 'SENDER_UNKNOWN',
  },
  errors: [
    'TRANSACTION_INVALID',
    'TRANSACTION_VERSION_UNSUPPORTED',
    'SIGNATURE_MISSING',
    'SIGNATURE_INVALID',
    'NONCE_NOT_SUPPORTED',
    'BLOCKHASH_UNKNOWN',
    'SIMULATION_FAILED',
    'SENDER_UNKNOWN',
    'PROTECTION_UNAVAILABLE',
    'TIP_TOO_SMALL',
    'SUBMIT_OFF',
    'SUBMIT_TOKEN_INVALID',
    'SUBMIT_TOKEN_EXPIRED',
    'TOO_MANY_UNDER_WAY',
    'BUSY',
  ],
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ submissions }, input, { key, id: caller }) => {
    const { transaction: text, encoding, submitToken, reference, skipSimulation } = input;
    const { sender, revertProtection: protects } = input;
    const account = key?.account ?? null;
    const transaction = bytesOf(text, encoding);
    if (transaction === null) throw invalid(`expected ${encoding}`);
    const result = await submissions.submit({
      transaction,
      account,
      caller,
      submitToken: submitToken ?? null,
      reference: reference ?? null,
      skipSimulation,
      way: { sender, protects },
    });
    if (result.kind === 'refused') throw refusalOf(result.refusal);
    return recordFor(account, result.submission);
  },
});

const OF_WHOM = { payer: 'fee payer', account: 'account', address: 'network address' } as const;

/** Null for a text that is not in the encoding. */
function bytesOf(text: string, encoding: SubmitInput['encoding']): Uint8Array | null {
  if (encoding === 'base58') return fromBase58(text);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

const invalid = (reason: string): ApiError => refusal('TRANSACTION_INVALID', reason, FIELD);

function refusalOf(told: SubmitRefusal): ApiError {
  switch (told.code) {
    case 'TRANSACTION_INVALID':
      return invalid(told.reason);
    case 'TRANSACTION_VERSION_UNSUPPORTED':
      return refusal(told.code, 'expected a transaction without version, or of version 0 or 1', FIELD);
    case 'SIGNATURE_MISSING':
      return refusal(told.code, `${told.signer} has not signed it`, FIELD);
    case 'SIGNATURE_INVALID':
      return refusal(told.code, `the signature of ${told.signer} is not of this message`, FIELD);
    case 'NONCE_NOT_SUPPORTED':
      return refusal(told.code, 'it advances a durable nonce, so that no height proves its end', FIELD);
    case 'BLOCKHASH_UNKNOWN':
      return refusal(
        told.code,
        'no node takes its blockhash: it is too old, or of another cluster; build and sign it anew',
        FIELD,
      );
    case 'SENDER_UNKNOWN':
    case 'PROTECTION_UNAVAILABLE':
    case 'TIP_TOO_SMALL':
    case 'SENDER_VERSION_UNSUPPORTED':
      return wayRefusalOf(told);
    case 'SUBMIT_OFF':
      return refusal(told.code, 'this service submits nothing for you; send it to a node yourself');
    case 'SUBMIT_TOKEN_MISSING':
      return refusal('FIELD_REQUIRED', `is required: ${A_TOKEN}`, 'submitToken');
    case 'SUBMIT_TOKEN_INVALID':
      return refusal(
        told.code,
        'it is of another transaction: between building and signing only blockhash, budget, memos and guards of Lighthouse may change',
        'submitToken',
      );
    case 'SUBMIT_TOKEN_EXPIRED':
      return refusal(told.code, 'its five minutes are over; build the transaction anew', 'submitToken');
    case 'RATE_LIMITED':
      return refusal(told.code, 'ten transactions of yours were refused by the simulation within a minute');
    case 'TOO_MANY_UNDER_WAY':
      return refusal(
        told.code,
        `${told.most} transactions of this ${OF_WHOM[told.of]} are under way; wait until some have ended`,
      );
    case 'BUSY':
      return refusal(told.code, 'too many transactions are under way here; nothing was sent, ask again');
    case 'SIMULATION_FAILED':
      return refusal(
        told.code,
        `the chain would refuse it with ${told.err}; nothing was sent`,
        FIELD,
        told.logs,
      );
  }
}

function wayRefusalOf(told: WayProblem): ApiError {
  switch (told.code) {
    case 'SENDER_UNKNOWN':
      return refusal(told.code, `no sender ${told.sender}; expected ${told.known.join(', ')}`, 'sender');
    case 'PROTECTION_UNAVAILABLE':
      return refusal(
        told.code,
        told.sender === null
          ? 'this service has no sender that protects; nothing was sent'
          : `${told.sender} does not protect; nothing was sent`,
        'revertProtection',
      );
    case 'TIP_TOO_SMALL':
      return tipTooSmall(told, FIELD);
    case 'SENDER_VERSION_UNSUPPORTED':
      return refusal(
        'TRANSACTION_VERSION_UNSUPPORTED',
        `${told.sender} takes transactions without version and of version 0`,
        FIELD,
      );
  }
}

function refusal(
  code: keyof typeof CATALOGUE,
  message: string,
  field: string | null = null,
  logs: readonly string[] = [],
): ApiError {
  const { status, retryable } = CATALOGUE[code];
  const more = logs.map((line) => ({ field: 'logs', code, message: line }));
  return new ApiError({
    status,
    code,
    message,
    field,
    retryable,
    details: field === null ? more : [{ field, code, message }, ...more],
    ...(retryable ? { headers: { 'retry-after': '1' } } : {}),
  });
}
