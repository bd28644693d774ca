import type { FaultPlanInput } from './fault-plan.ts';

export const PROVIDER_NAMES = ['public', 'hostile'] as const;
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

/** The faults of a kind of provider. Throws a RangeError for an unknown name. */
export function providerPlan(name: string): FaultPlanInput {
  if (name === 'public') return PUBLIC;
  if (name === 'hostile') return HOSTILE;
  throw new RangeError(`Expected a provider of ${PROVIDER_NAMES.join(', ')}, not "${name}".`);
}
