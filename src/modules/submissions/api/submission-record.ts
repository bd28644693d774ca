import { z } from 'zod';
import { unitsText } from '../../market/api/fields.ts';
import { SUBMISSION_STATUSES } from '../rules/submission.ts';

const nothing: unknown = null;

/** A submission as callers read it. */
export const submissionRecord = z.object({
  signature: z.string().describe('first signature of the transaction, by which the chain names it'),
  status: z
    .enum(SUBMISSION_STATUSES)
    .describe(
      '`received`: kept, not sent yet; `sent`: a node took it, or may have; `processed`: one node shows it in a block; `confirmed`: most validators voted for its block; `finalized`, `failed` and `expired` are final; `disputed`: nodes contradict each other, do not build it anew',
    ),
  final: z.boolean().describe('true where the status never changes again'),
  version: z.int().describe('grows with each change: of two records the higher one is newer'),
  err: z
    .unknown()
    .describe("the chain's error; null where it worked or has not landed. Only the network fee is gone then"),
  slot: unitsText('slot of the block that holds it; null where none is known to').nullable(),
  feePayer: z.string().describe('its first signer'),
  blockhash: z.string(),
  lastValidBlockHeight: unitsText(
    'no block above this height can hold it: an upper bound; null until nodes have told enough',
  ).nullable(),
  senders: z
    .array(z.string())
    .describe(
      'where its bytes go, by the names of `GET /dex/senders`; with `revertProtection` the protecting one alone',
    ),
  sends: z.int().describe('how often the bytes went there'),
  reference: z.string().nullable().describe('your own name for it'),
  receivedAt: z.string().describe('ISO 8601, UTC'),
  changedAt: z.string().describe('ISO 8601, UTC'),
});

export const SUBMISSION_EXAMPLE: z.infer<typeof submissionRecord> = {
  signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  status: 'confirmed',
  final: false,
  version: 3,
  err: nothing,
  slot: '345678905',
  feePayer: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
  lastValidBlockHeight: '323456789',
  senders: ['rpc'],
  sends: 1,
  reference: 'order 17',
  receivedAt: '2026-01-01T00:00:00.000Z',
  changedAt: '2026-01-01T00:00:01.000Z',
};
