import type { Bytes, Step, World } from './world.ts';
import { TICK_MS } from './world.ts';

/** What the network and time may do next. */
export function environmentSteps(world: World): readonly Step[] {
  const steps: Step[] = [];
  world.chain.forEach((bytes, index) => {
    const as = (label: string, change: Partial<Bytes>, left: Partial<World['left']> = {}): void =>
      void steps.push({
        label: `${label} attempt ${index + 1}`,
        world: {
          ...world,
          chain: world.chain.map((one) => (one === bytes ? { ...one, ...change } : one)),
          left: { ...world.left, ...left },
        },
      });
    if (bytes.fate === null && !bytes.isExpired) {
      if (bytes.inAir) {
        as('a block carries out', { fate: 'ok' });
        as('a block holds the failure of', { fate: 'err' });
      }
      as('the blockhash expires of', { isExpired: true });
    }
    if (bytes.fate === null || bytes.isFinal) return;
    as('finality comes to', { isFinal: true });
    if (world.left.forks > 0) as('a fork takes back', { fate: null }, { forks: world.left.forks - 1 });
  });
  if (world.left.ticks > 0) {
    steps.push({
      label: 'time passes',
      world: {
        ...world,
        now: world.now + TICK_MS,
        left: { ...world.left, ticks: world.left.ticks - 1 },
      },
    });
  }
  return steps;
}
