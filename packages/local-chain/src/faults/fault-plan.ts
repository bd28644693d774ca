import { z } from 'zod';

const base = {
  /** A JSON-RPC method, or `*` for all. */
  method: z.string().min(1).default('*'),
  /** Probability per matching call. */
  chance: z.number().min(0).max(1).default(1),
  /** Matching calls that pass untouched first. */
  skip: z.int().min(0).default(0),
  /** Fires at most this often; absent: no end. */
  times: z.int().min(1).optional(),
};
const sendOnly = { ...base, method: z.literal('sendTransaction').default('sendTransaction') };

const ruleSchema = z.discriminatedUnion('kind', [
  /** The call has its effect; its answer never comes back. */
  z.strictObject({ kind: z.literal('lose-answer'), ...base }),
  /** The connection breaks before anything happened. */
  z.strictObject({ kind: z.literal('reset'), ...base }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.union([z.literal(429), z.literal(500), z.literal(503)]),
    ...base,
  }),
  /** The answer takes this much longer; later rules still apply. */
  z.strictObject({ kind: z.literal('slow'), ms: z.int().min(1).max(120_000), ...base }),
  /** Answered by a replica so many slots behind: old heights and hashes, no statuses, no transactions. */
  z.strictObject({ kind: z.literal('lag'), slots: z.int().min(1).default(200), ...base }),
  /** The node does not serve the method: a JSON-RPC error, and no effect. */
  z.strictObject({ kind: z.literal('refuse'), code: z.int(), message: z.string().min(1), ...base }),
  /** At most so many calls within any such window, of all methods together or of each alone; 429 for those beyond. */
  z.strictObject({
    kind: z.literal('limit'),
    calls: z.int().min(1),
    windowMs: z.int().min(1).default(10_000),
    of: z.enum(['all', 'each']).default('all'),
    /** The seconds to wait that the 429 names; absent: it names none. */
    retryAfterS: z.int().min(0).optional(),
    ...base,
  }),
  /** History before the last so many slots is gone; other rules still apply. */
  z.strictObject({ kind: z.literal('prune'), keepsSlots: z.int().min(1), ...base }),
  /** A right answer under a slot that is up to so many slots too high or too low. */
  z.strictObject({ kind: z.literal('wrong-slot'), slots: z.int().min(1).default(150), ...base }),
  /** A list without its end, and without a word about it. */
  z.strictObject({ kind: z.literal('truncate'), ...base }),
  /** A page of words where JSON was due, under the status 200. */
  z.strictObject({ kind: z.literal('page'), ...base }),
  /** Accepted with a smile and never forwarded. */
  z.strictObject({ kind: z.literal('drop'), ...sendOnly }),
  /** Accepted, and landed only so many slots before its hash expires. */
  z.strictObject({ kind: z.literal('late'), beforeExpiry: z.int().min(0).max(150).default(0), ...sendOnly }),
  /** Seen as processed for so many slots on a fork that then dies. */
  z.strictObject({ kind: z.literal('fork'), slots: z.int().min(1).default(8), ...sendOnly }),
  /** Delivered twice. */
  z.strictObject({ kind: z.literal('duplicate'), ...sendOnly }),
]);

const planSchema = z.strictObject({
  /** The same seed and the same order of calls make the same faults. */
  seed: z.string().default('chaos'),
  rules: z.array(ruleSchema).max(200).default([]),
});

export type FaultRule = z.infer<typeof ruleSchema>;
export type FaultPlan = z.infer<typeof planSchema>;
/** As a caller writes it: parts with a default may be left out. */
export type FaultPlanInput = z.input<typeof planSchema>;

/** Reads a plan. Throws a RangeError with one sentence per problem, each naming its place. */
export function readFaultPlan(value: unknown): FaultPlan {
  const parsed = planSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'plan'}: ${issue.message}`);
  throw new RangeError(`Expected { seed?, rules: [{ kind, method?, chance?, … }] }. ${problems.join('; ')}`);
}
