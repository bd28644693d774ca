import type { FaultPlanInput } from './fault-plan.ts';

export const PROVIDER_NAMES = ['public', 'free', 'paid', 'hostile'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

const NOT_SERVED = {
  kind: 'refuse',
  code: -32_010,
  message: 'excluded from account secondary indexes; this RPC method unavailable for key',
} as const;

/** No lists over the accounts of a program or a mint, windows per method and in all, and a short history. */
const PUBLIC: FaultPlanInput = {
  seed: 'public',
  rules: [
    { kind: 'limit', calls: 100, retryAfterS: 1 },
    { kind: 'limit', of: 'each', calls: 40 },
    { ...NOT_SERVED, method: 'getProgramAccounts' },
    { ...NOT_SERVED, method: 'getTokenLargestAccounts' },
    { kind: 'prune', keepsSlots: 1_000 },
  ],
};

/** The plan of a seller of nodes: calls, sends and lists of programs a second, and the way there and back. All methods are served. */
const sold = (
  seed: string,
  { calls, sends, lists, ms }: Readonly<Record<'calls' | 'sends' | 'lists' | 'ms', number>>,
): FaultPlanInput => ({
  seed,
  rules: [
    { kind: 'limit', calls, windowMs: 1_000, retryAfterS: 1 },
    { kind: 'limit', method: 'sendTransaction', calls: sends, windowMs: 1_000 },
    { kind: 'limit', method: 'getProgramAccounts', calls: lists, windowMs: 1_000 },
    { kind: 'slow', ms },
  ],
});

/** As such plans were printed in autumn 2026. */
const FREE = sold('free', { calls: 10, sends: 1, lists: 5, ms: 80 });
const PAID = sold('paid', { calls: 50, sends: 5, lists: 25, ms: 40 });

/** Behind one address: nodes that swallow sends, lag, name wrong slots, cut lists, answer in HTML, or not at all. */
const HOSTILE: FaultPlanInput = {
  seed: 'hostile',
  rules: [
    { ...NOT_SERVED, method: 'getProgramAccounts' },
    { kind: 'drop', chance: 0.3 },
    { kind: 'late', beforeExpiry: 100, chance: 0.05 },
    { kind: 'duplicate', chance: 0.1 },
    { kind: 'lose-answer', chance: 0.02 },
    { kind: 'lag', slots: 200, chance: 0.05 },
    { kind: 'wrong-slot', slots: 150, chance: 0.05 },
    { kind: 'truncate', chance: 0.1 },
    { kind: 'page', chance: 0.02 },
    { kind: 'status', status: 503, chance: 0.02 },
    { kind: 'slow', ms: 300, chance: 0.05 },
    { kind: 'prune', keepsSlots: 1_000 },
  ],
};

const PLANS: Readonly<Record<ProviderName, FaultPlanInput>> = {
  public: PUBLIC,
  free: FREE,
  paid: PAID,
  hostile: HOSTILE,
};

/** The faults of a kind of provider. Throws a RangeError for an unknown name. */
export function providerPlan(name: string): FaultPlanInput {
  for (const known of PROVIDER_NAMES) if (known === name) return PLANS[known];
  throw new RangeError(`Expected a provider of ${PROVIDER_NAMES.join(', ')}, not "${name}".`);
}
