/** How long a condition has been true without a break. Null = not now. */
export type HoldWindow = {
  /** Believed slots in which it was seen true. */
  readonly slots: number;
  readonly firstSlot: bigint;
  readonly lastSlot: bigint;
  /** Epoch milliseconds of the first look, and of the first one at the last slot. */
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
/** Longer without a new slot: nothing is known of what the price did meanwhile. */
export const BLIND_MS = 10_000;

/**
 * The window after one more look. A look that is contrary closes it. A gap in the slots starts it anew, unless the state was read
 * anew within 10 seconds and still agrees; the slots of the gap do not count. What is older than the last look changes nothing;
 * a second look at one slot counts only when it is contrary.
 */
export function observe(window: HoldWindow | null, look: Look): HoldWindow | null {
  if (window !== null && look.slot < window.lastSlot) return window;
  if (!look.isTrue) return null;
  const { slot, at } = look;
  const fresh = { slots: 1, firstSlot: slot, lastSlot: slot, since: at, lastAt: at };
  if (window === null) return fresh;
  if (slot === window.lastSlot) return window;
  if (at - window.lastAt > BLIND_MS) return fresh;
  const follows = slot === window.lastSlot + 1n || look.how !== 'followed';
  return follows ? { ...window, slots: window.slots + 1, lastSlot: slot, lastAt: at } : fresh;
}

/**
 * Whether two looks lie as far apart as a condition must hold: in time, 0.4 s for each slot, and in slots, both ends counted. A
 * node that answers the same state for a while, or a chain that makes no blocks, would else make a wick of one slot look held.
 */
export function spansHold(
  first: Pick<Look, 'slot' | 'at'>,
  last: Pick<Look, 'slot' | 'at'>,
  holdSlots: number,
): boolean {
  return last.at - first.at >= holdSlots * SLOT_MS && last.slot - first.slot + 1n >= BigInt(holdSlots);
}

/**
 * Whether the condition was true for `holdSlots` consecutive believed slots. A polled token is judged by its samples: the first and
 * the last so far apart, and none contrary between them.
 */
export function isHeld(window: HoldWindow | null, holdSlots: number, how: Look['how']): boolean {
  if (window === null) return false;
  if (holdSlots <= 1) return true;
  if (how !== 'polled') return window.slots >= holdSlots;
  const { firstSlot, since, lastSlot, lastAt } = window;
  return spansHold({ slot: firstSlot, at: since }, { slot: lastSlot, at: lastAt }, holdSlots);
}
