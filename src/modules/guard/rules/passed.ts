import type { Act } from './acts.ts';

declare const brand: unique symbol;

/**
 * Proof that an act passed the gate a moment ago. Stores and the signer take it for each call with the act's effect, so that no way to
 * the effect leads around the gate. Its makers are `pass-free.ts` beside it and `modules/guard/use/pass-gate.ts`.
 */
export type Passed<A extends Act> = {
  readonly act: A;
  /** Null for acts of the service and of operators. */
  readonly userId: string | null;
  readonly [brand]: A;
};
