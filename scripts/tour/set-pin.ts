import type { Person } from '@tradepost/local-telegram';
import { waitForScreen } from './screens.ts';

export const PIN = '402917';

/** A person without a PIN sets one. */
export async function setPin(who: Person): Promise<void> {
  await who.say('/setting');
  await waitForScreen(who, /Settings/);
  await who.tap('Security');
  await waitForScreen(who, /PIN: not set/);
  await who.tap('Set a PIN');
  await who.waitFor(/Type a new PIN/);
  await who.say(PIN);
  await who.waitFor(/once more/);
  await who.say(PIN);
  await who.waitFor(/The PIN is set/);
}
