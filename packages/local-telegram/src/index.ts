import { randomBytes, randomInt } from 'node:crypto';
import type { UserFromGetMe } from '@grammyjs/types';
import { checkOptions } from './check-options.ts';
import type { Clock } from './core/clock.ts';
import { createTelegramCore, type TelegramCore } from './core/telegram-core.ts';
import { createEventStreams } from './http/event-streams.ts';
import { listen } from './http/server.ts';
import { assertLoopback } from './loopback.ts';
import type { LocalTelegramOptions } from './options.ts';
import { PERSONAS } from './personas.ts';
import { createPostUpdate } from './post-update.ts';
import { assertLocalSettings } from './refuse.ts';
import { openStore } from './store.ts';

export { findAutoEntities } from './core/auto-entities.ts';
export type { Group } from './core/chat.ts';
export { parseHtml } from './core/html.ts';
export type { SentContent } from './core/people.ts';
export type { TelegramCore } from './core/telegram-core.ts';
export { assertLoopback, assertNotProduction, hostIsLocal } from './loopback.ts';
export type { LocalTelegramOptions } from './options.ts';
export type { PanelLink, PanelOptions } from './panel.ts';
export { createPerson, type Person, type PersonOptions } from './person.ts';
export { assertLocalSettings, type RefuseSettings } from './refuse.ts';

export type LocalTelegram = {
  /** The bot's `apiRoot`. */
  readonly botApiUrl: string;
  /** The page with the chats. */
  readonly chatUrl: string;
  readonly token: string;
  /** Telegram id of the page's first person, who plays the operator when none is configured. */
  readonly operator: bigint;
  readonly core: TelegramCore;
  /** Ends waiting polls, saves the chats and closes every connection. */
  readonly stop: () => Promise<void>;
};

const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Starts a Bot API server and the chat page on this machine. Throws, saying which setting is wrong, for an address that is
 * not loopback or anything that looks like production.
 */
export async function startLocalTelegram(options: LocalTelegramOptions = {}): Promise<LocalTelegram> {
  checkOptions(options);
  const host = options.host ?? '127.0.0.1';
  assertLoopback(host, 'The local Telegram');
  assertLocalSettings(options.refuse ?? {});
  const store = options.dir === undefined ? undefined : await openStore(options.dir, makeToken);
  const token = store?.token ?? makeToken();
  const sender = createPostUpdate();
  const core = createTelegramCore({
    clock: options.clock ?? SYSTEM_CLOCK,
    random: randomText,
    bot: describeBot(token, options.botUsername, options.botName),
    post: sender.post,
    firstUpdateId: randomInt(100_000_000, 900_000_000),
    ...(store === undefined ? {} : { touched: store.touch }),
    ...(store?.saved === undefined ? {} : { saved: store.saved }),
  });
  for (const file of store?.savedFiles ?? []) core.world.files.restore(file);
  store?.attach(core);
  for (const user of PERSONAS) if (!core.world.chats.has(user.id)) core.people.meet(user);

  const streams = createEventStreams(core);
  const panel = options.panel ?? {};
  const pageToken = randomText(32);
  const { server, port } = await listen(
    {
      core,
      token,
      pageToken,
      panel,
      streams,
      ...(options.pages === undefined ? {} : { pages: options.pages }),
    },
    host,
    options.port ?? 0,
  );
  const base = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  return {
    botApiUrl: base,
    chatUrl: `${base}/`,
    token,
    operator: BigInt(PERSONAS[0]?.id ?? 0),
    core,
    stop: async () => {
      // Saved first: stopping the webhook must not be remembered as the bot having removed it.
      await store?.close();
      core.stop();
      streams.close();
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      sender.close();
    },
  };
}

/** The shape of a real token, which foreign clients check: bot id, colon, 35 characters. */
function makeToken(): string {
  return `${randomInt(1_000_000_000, 9_999_999_999)}:${randomText(35)}`;
}

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}

function describeBot(token: string, username = 'tradepost_local_bot', name = 'Tradepost'): UserFromGetMe {
  return {
    id: Number(token.split(':')[0]),
    is_bot: true,
    first_name: name,
    username,
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
}
