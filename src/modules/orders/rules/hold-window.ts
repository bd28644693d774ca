/** How long a condition has been true without a break. Null = not now. */
export type HoldWindow = {
  /** Believed slots in which it was seen true. */
  readonly slots: number;
  /** Steps that followed the one before, and the milliseconds from look to look in them: the price in a gap is not known. */
  readonly steps: number;
  readonly stepsMs: number;
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

/**
 * One leader makes four slots in a row, however long they are: of a hold of two seconds or more, five must be seen. A shorter one takes two
 * or more, for a block that is alone says nothing of the time after it.
 */
export function leastBlocks(holdMs: number): number {
  return holdMs === 0 ? 1 : holdMs < 2_000 ? 2 : 5;
}
/** After so long without a new slot the price meanwhile is not known. */
export const BLIND_MS = 10_000;

/**
 * The window after one more look. A look that is contrary closes it. A gap in the slots starts it anew, unless the state was read
 * anew within 10 seconds and still agrees; the slots of the gap do not count. A look older than the last one changes nothing;
 * a second look at one slot counts only when it is contrary.
 */
export function observe(window: HoldWindow | null, look: Look): HoldWindow | null {
  if (window !== null && look.slot < window.lastSlot) return window;
  if (!look.isTrue) return null;
  const { slot, at } = look;
  const fresh = { slots: 1, steps: 0, stepsMs: 0, firstSlot: slot, lastSlot: slot, since: at, lastAt: at };
  if (window === null) return fresh;
  if (slot === window.lastSlot) return window;
  if (at - window.lastAt > BLIND_MS) return fresh;
  const next = { ...window, slots: window.slots + 1, lastSlot: slot, lastAt: at };
  if (slot === window.lastSlot + 1n)
    return { ...next, steps: window.steps + 1, stepsMs: window.stepsMs + at - window.lastAt };
  return look.how === 'followed' ? fresh : next;
}

/**
 * Whether two looks lie as far apart as a condition must hold: in time, and in slots, both ends counted. A node that answers the
 * same state for a while, or a chain that makes no blocks, would else make a wick of one slot look held.
 */
export function spansHold(
  first: Pick<Look, 'slot' | 'at'>,
  last: Pick<Look, 'slot' | 'at'>,
  holdMs: number,
): boolean {
  return last.at - first.at >= holdMs && last.slot - first.slot + 1n >= BigInt(leastBlocks(holdMs));
}

/**
 * Whether slots that were seen one after the other took so long. The last of them lasts as long as they do on average, for slots of any
 * length: of a hold of 2.4 s it is the sixth of 400 ms, and the twelfth of 200 ms.
 */
export function lastsHold(
  { slots, steps, stepsMs }: Pick<HoldWindow, 'slots' | 'steps' | 'stepsMs'>,
  holdMs: number,
): boolean {
  if (slots < leastBlocks(holdMs)) return false;
  return holdMs === 0 || (steps > 0 && stepsMs * (steps + 1) >= holdMs * steps);
}

/**
 * Whether the condition was true for `holdMs` without a break, in believed slots. A polled token is judged by its samples: the first and
 * the last so far apart, and none contrary between them.
 */
export function isHeld(window: HoldWindow | null, holdMs: number, how: Look['how']): boolean {
  if (window === null) return false;
  if (holdMs === 0) return true;
  if (how !== 'polled') return lastsHold(window, holdMs);
  const { firstSlot, since, lastSlot, lastAt } = window;
  return spansHold({ slot: firstSlot, at: since }, { slot: lastSlot, at: lastAt }, holdMs);
}
