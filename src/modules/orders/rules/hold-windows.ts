import { type HoldWindow, isHeld, type Look, observe } from './hold-window.ts';

/** The open windows of many orders. An order whose condition is false at a look has none. */
export type HoldWindows = {
  /** One look at which exactly `ids` are true. Returns those that are held. */
  observe(
    ids: readonly string[],
    look: Omit<Look, 'isTrue'>,
    holdMs: (id: string) => number,
  ): readonly string[];
  close(id: string): void;
  clear(): void;
  areOpen(): boolean;
};

export function createHoldWindows(): HoldWindows {
  let open = new Map<string, HoldWindow>();
  let lastSlot: bigint | null = null;
  return {
    observe(ids, look, holdMs) {
      // An older state came late: it says nothing of now.
      if (lastSlot !== null && look.slot < lastSlot) return [];
      lastSlot = look.slot;
      const next = new Map<string, HoldWindow>();
      const held: string[] = [];
      for (const id of ids) {
        const window = observe(open.get(id) ?? null, { ...look, isTrue: true });
        if (window === null) continue;
        next.set(id, window);
        if (isHeld(window, holdMs(id), look.how)) held.push(id);
      }
      open = next;
      return held;
    },
    close: (id) => void open.delete(id),
    clear: () => {
      open.clear();
      lastSlot = null;
    },
    areOpen: () => open.size > 0,
  };
}
