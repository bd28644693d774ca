/** How long a condition has been true without a break. Null = not now. */
export type HoldWindow = {
  /** Believed slots in which it was seen true. */
  readonly slots: number;
  readonly lastSlot: bigint;
  /** Epoch milliseconds of the first and the last look. */
  readonly since: number;
  readonly lastAt: number;
};

/** One look at a believed slot, or one sample of a token that is polled. */
export type Look = {
  readonly slot: bigint;
  readonly at: number;
  readonly isTrue: boolean;
  /** `followed`: every slot is seen. `reread`: read anew after a gap. `polled`: samples only. */
  readonly how: 'followed' | 'reread' | 'polled';
};

export const SLOT_MS = 400;
/** Longer without a look: nothing is known of what the price did meanwhile. */
export const BLIND_MS = 10_000;

/**
 * The window after one more look. A look that is contrary closes it. A gap in the slots starts it anew, unless the state was read
 * anew within 10 seconds and still agrees; the slots of the gap do not count. What is older than the last look changes nothing;
 * a second look at one slot counts only when it is contrary.
 */
export function observe(window: HoldWindow | null, look: Look): HoldWindow | null {
  if (window !== null && look.slot < window.lastSlot) return window;
  if (!look.isTrue) return null;
  const fresh = { slots: 1, lastSlot: look.slot, since: look.at, lastAt: look.at };
  if (window === null || look.at - window.lastAt > BLIND_MS) return fresh;
  if (look.slot === window.lastSlot) return look.how === 'polled' ? { ...window, lastAt: look.at } : window;
  const follows = look.slot === window.lastSlot + 1n || look.how !== 'followed';
  return follows ? { ...window, slots: window.slots + 1, lastSlot: look.slot, lastAt: look.at } : fresh;
}

/**
 * Whether the condition was true for `holdSlots` consecutive believed slots. A polled token is judged by time: samples at least
 * `holdSlots` slots apart, 0.4 s each, and none contrary between them.
 */
export function isHeld(window: HoldWindow | null, holdSlots: number, how: Look['how']): boolean {
  if (window === null) return false;
  if (holdSlots <= 1) return true;
  return how === 'polled' ? window.lastAt - window.since >= holdSlots * SLOT_MS : window.slots >= holdSlots;
}
