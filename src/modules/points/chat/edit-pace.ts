import { isYoung } from '../../../core/time/age.ts';

/** Telegram lets a bot change a chat about once a second; a tap that comes sooner is answered by its toast alone. */
const LEAST_MS = 1_000;
const REMEMBERED = 10_000;

/**
 * Says whether a chat's screen may be edited now, and remembers that it was. Forgets the oldest chat when it knows too many:
 * that one is merely edited again.
 */
export function createEditPace(): (chatId: number, now: number) => boolean {
  const edited = new Map<number, number>();
  return (chatId, now) => {
    const last = edited.get(chatId);
    if (last !== undefined && now >= last && isYoung(last, LEAST_MS, now)) return false;
    edited.delete(chatId);
    edited.set(chatId, now);
    if (edited.size > REMEMBERED) {
      const [oldest] = edited.keys();
      if (oldest !== undefined) edited.delete(oldest);
    }
    return true;
  };
}
