import { setTimeout as pause } from 'node:timers/promises';
import { insist } from './insist.ts';
import type { TortureWorld } from './world.ts';

/**
 * Waits until no intent is open, or until none has ended for so long: a slow machine is waited for, a stuck intent is not. `open`
 * counts those that still are, `ms` is how long it took.
 */
export async function waitUntilSettled(
  world: Pick<TortureWorld, 'query' | 'victims'>,
  stuckAfterMs: number,
): Promise<{ readonly open: number; readonly ms: number }> {
  const startedAt = performance.now();
  let least = Number.POSITIVE_INFINITY;
  let movedAt = startedAt;
  for (;;) {
    const open = await countOpen(world);
    const now = performance.now();
    if (open < least) {
      least = open;
      movedAt = now;
    }
    if (open === 0 || now - movedAt > stuckAfterMs) return { open, ms: Math.round(now - startedAt) };
    await pause(100);
  }
}

/** Of everybody whose rows no writer changes. */
export async function countOpen(world: Pick<TortureWorld, 'query' | 'victims'>): Promise<number> {
  const victims = world.victims.map((id) => `'${id}'`).join(', ');
  const others = victims === '' ? '' : ` AND (user_id IS NULL OR user_id NOT IN (${victims}))`;
  const [row] = await insist(() =>
    world.query(`SELECT count(*)::text AS n FROM intents WHERE status IN ('CREATED', 'ACTIVE')${others}`),
  );
  return Number(row?.['n'] ?? 0);
}
