import { setTimeout as pause } from 'node:timers/promises';
import { insist } from './insist.ts';
import type { TortureWorld } from './world.ts';

/** Waits until no intent is open, at most so long. `open` counts those that still are, `ms` is how long it took. */
export async function waitUntilSettled(
  world: Pick<TortureWorld, 'query'>,
  timeoutMs: number,
): Promise<{ readonly open: number; readonly ms: number }> {
  const startedAt = performance.now();
  for (;;) {
    const open = await countOpen(world);
    const ms = Math.round(performance.now() - startedAt);
    if (open === 0 || ms > timeoutMs) return { open, ms };
    await pause(100);
  }
}

export async function countOpen(world: Pick<TortureWorld, 'query'>): Promise<number> {
  const [row] = await insist(() =>
    world.query(`SELECT count(*)::text AS n FROM intents WHERE status IN ('CREATED', 'ACTIVE')`),
  );
  return Number(row?.['n'] ?? 0);
}
