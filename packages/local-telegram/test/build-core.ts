import type { UserFromGetMe } from '@grammyjs/types';
import type { Clock } from '../src/core/clock.ts';
import { type CoreDeps, createTelegramCore } from '../src/core/telegram-core.ts';
import type { TgError } from '../src/core/tg-error.ts';

export const ALICE = { id: 101, is_bot: false, first_name: 'Alice', username: 'alice', language_code: 'en' };
export const BOB = { id: 102, is_bot: false, first_name: 'Bob', language_code: 'es' };

/** A 1×1 PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const BOT: UserFromGetMe = {
  id: 7_000_000_001,
  is_bot: true,
  first_name: 'Tradepost',
  username: 'tradepost_local_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
};

type FakeClock = Clock & { readonly advance: (ms: number) => void };

/** Time that moves only on request; due timers run in order. */
function fakeClock(startMs = 1_800_000_000_000): FakeClock {
  let nowMs = startMs;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => nowMs,
    after: (ms, run) => {
      const timer = { at: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: (ms) => {
      const until = nowMs + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        nowMs = due.at;
        due.run();
      }
      nowMs = until;
    },
  };
}

/** A core with Alice and Bob, both of whom pressed START; their updates are already taken. */
export function buildCore(overrides: Partial<CoreDeps> = {}) {
  const clock = fakeClock();
  let counter = 0;
  const core = createTelegramCore({
    clock,
    random: (length) => {
      counter += 1;
      return String(counter).padStart(length, 'r');
    },
    bot: BOT,
    post: () => Promise.reject(new Error('no webhook was expected')),
    ...overrides,
  });
  for (const user of [ALICE, BOB]) {
    core.people.meet(user);
    core.people.start(user.id);
  }
  core.world.queue.clear();
  return { core, clock };
}

/** The description a call is refused with; fails when it is not refused. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error('the call was expected to be refused');
  const { code, description } = error as TgError;
  return `${code} ${description}`;
}
