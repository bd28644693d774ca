import { setTimeout as pause } from 'node:timers/promises';

/** Asks until it is answered, with one key: also after any loss on the way, it is one request. */
export async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 300) throw error;
      await pause(200);
    }
  }
}
