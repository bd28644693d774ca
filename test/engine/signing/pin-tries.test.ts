import { expect, it } from 'vitest';
import type { WritableEntry } from '../../../src/engine/signing/rules/line.ts';
import { createPinTries } from '../../../src/engine/signing/use/pin-tries.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const HOUR = 3_600_000;

/** Tries of one person, as they are written and as a restarted signer takes them in. */
function tries() {
  const clock = fakeClock();
  const lines: { readonly at: number; readonly entry: WritableEntry }[] = [];
  const open = () => {
    const made = createPinTries({
      clock,
      write: async (entry) => void lines.push({ at: clock.now(), entry }),
    });
    for (const line of lines) made.apply(line);
    return made;
  };
  return { clock, open };
}

it('lets twenty wrong tries through within an hour, also over a restart', async () => {
  const { clock, open } = tries();
  const [first, from] = [open(), clock.now()];
  for (let n = 0; n < 20; n += 1) await first.take('alice');
  const locked = { code: 'PIN_LOCKED', details: { until: from + HOUR } };
  await expect(first.take('alice')).rejects.toMatchObject(locked);
  await expect(open().take('alice')).rejects.toMatchObject(locked);
  await expect(open().take('bob')).resolves.toBeUndefined();
  clock.advance(HOUR);
  await expect(open().take('alice')).resolves.toBeUndefined();
});

it('forgets the wrong ones after a right one, also over a restart', async () => {
  const { open } = tries();
  const first = open();
  for (let n = 0; n < 20; n += 1) await first.take('alice');
  await first.wasRight('alice');
  await expect(first.take('alice')).resolves.toBeUndefined();
  const again = open();
  for (let n = 0; n < 19; n += 1) await again.take('alice');
  await expect(again.take('alice')).rejects.toMatchObject({ code: 'PIN_LOCKED' });
});
