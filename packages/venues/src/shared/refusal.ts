/** Why a pool is not offered. A refused pool is skipped, never priced by a formula that does not cover it. */
export type RefusalReason =
  /** The account belongs to another program, or is another kind of account, or is cut short. */
  | 'not-a-pool'
  /** An account that the price depends on was not among those given, or is not as it should be. */
  | 'missing-account'
  /** Switched off, not yet open, or closed for good (a launch curve that has migrated). */
  | 'not-trading'
  /** A mode that the formula does not cover: a fee kind, a curve kind, orders inside the pool. */
  | 'unmodelled'
  /** A mint whose transfers the formula cannot foresee (a hook, no transfers at all, frozen by default). */
  | 'mint'
  /** Fields that contradict each other, or reserves of zero. */
  | 'bad-state';

export type Refusal = { readonly kind: 'refusal'; readonly reason: RefusalReason; readonly detail: string };

/** `detail` names the found value and the accepted one. */
export function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refusal', reason, detail };
}

export function isRefusal<T>(value: T | Refusal): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal';
}
