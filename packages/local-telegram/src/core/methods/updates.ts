import { badRequest, TgError, tooManyRequests } from '../tg-error.ts';
import type { AllowedKind } from '../update-queue.ts';
import type { World } from '../world.ts';
import type { Handler } from './handler.ts';

export const getUpdates: Handler<'getUpdates'> = async (world, args, { signal }) => {
  if (world.webhook.settings() !== undefined) {
    throw new TgError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  readAllowed(world, args.json('allowed_updates'));
  const updates = await world.queue.poll({
    offset: args.integer('offset') ?? 0,
    limit: args.integer('limit') ?? 100,
    timeoutSeconds: Math.min(50, Math.max(0, args.integer('timeout') ?? 0)),
    ...(signal === undefined ? {} : { signal }),
  });
  return [...updates];
};

const lastSet = new WeakMap<World, number>();

/**
 * Only loopback addresses are delivered to: the server must not reach out, even if a bot asks for it. Plain http is allowed there, which
 * Telegram would refuse.
 */
export const setWebhook: Handler<'setWebhook'> = (world, args) => {
  const url = args.text('url') ?? '';
  const secretToken = args.text('secret_token') ?? '';
  if (secretToken.length > 256) throw badRequest('secret token is too long');
  if (!/^[A-Za-z0-9_-]*$/.test(secretToken)) throw badRequest('secret token contains unallowed characters');
  const now = world.clock.now();
  if (now - (lastSet.get(world) ?? Number.NEGATIVE_INFINITY) < 1000) throw tooManyRequests(1);
  if (url !== '') assertLoopbackUrl(url);
  lastSet.set(world, now);
  readAllowed(world, args.json('allowed_updates'));
  if (args.flag('drop_pending_updates')) world.queue.clear();
  const maxConnections = Math.min(100, Math.max(1, args.integer('max_connections') ?? 40));
  world.webhook.set(url === '' ? undefined : { url, secretToken, maxConnections });
  world.touch(0);
  return true;
};

export const deleteWebhook: Handler<'deleteWebhook'> = (world, args) => {
  if (args.flag('drop_pending_updates')) world.queue.clear();
  if (world.webhook.settings() !== undefined) world.webhook.set(undefined);
  world.touch(0);
  return true;
};

export const getWebhookInfo: Handler<'getWebhookInfo'> = (world) => {
  const settings = world.webhook.settings();
  const error = world.webhook.lastError();
  return {
    url: settings?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: world.queue.size(),
    ...(settings === undefined ? {} : { max_connections: settings.maxConnections }),
    ...(error === undefined
      ? {}
      : { last_error_date: Math.floor(error.at / 1000), last_error_message: error.message }),
    ...(world.queue.allowed().length === 0 ? {} : { allowed_updates: [...world.queue.allowed()] }),
  };
};

function readAllowed(world: World, raw: unknown): void {
  if (raw === undefined) return;
  if (!Array.isArray(raw) || !raw.every((kind: unknown): kind is AllowedKind => typeof kind === 'string')) {
    throw badRequest("can't parse allowed updates: expected an Array of strings");
  }
  const before = world.queue.allowed();
  if (raw.length !== before.length || raw.some((kind) => !before.includes(kind))) world.queue.setAllowed(raw);
}

function assertLoopbackUrl(url: string): void {
  if (!URL.canParse(url)) throw badRequest('invalid webhook URL specified');
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw badRequest('invalid webhook URL specified');
  if (hostname !== '127.0.0.1' && hostname !== '[::1]' && hostname !== 'localhost') {
    throw badRequest('bad webhook: the local server delivers to 127.0.0.1, [::1] and localhost only');
  }
}
