import type { Middleware } from 'grammy';
import { parseStartPayload } from '../../core/referrals/start-payload.ts';
import { displayName } from '../../core/tokens/display-name.ts';
import { type StartedUser, startUser } from '../../services/users/start-user.ts';
import type { BotContext, Turn } from '../context.ts';
import type { FeatureDeps } from '../deps.ts';
import { wordsFor } from '../locales/words.ts';
import { parseCallback } from '../ui/callback.ts';
import { createScreen } from '../ui/screen.ts';
import { answering } from './answering.ts';

/** Continues in a feature as if its button had been tapped. */
export type Go = (ctx: BotContext, feature: string, action: string, payload: unknown) => Promise<void>;

/** Who is here: loads or creates the person and gives the handlers their `turn`. */
export function person(deps: FeatureDeps, go: Go): Middleware<BotContext> {
  return async (ctx, next) => {
    const { from, chatId } = ctx;
    if (from === undefined || chatId === undefined) return;
    const text = ctx.message?.text ?? '';
    const payload = /^\/start(?:@\w+)?\s+(\S{1,64})$/.exec(text)?.[1] ?? '';
    const link = parseStartPayload(payload);
    const started = await startUser(deps, {
      telegramId: BigInt(from.id),
      firstName: displayName(from.first_name) ?? '',
      language: from.language_code?.slice(0, 16) ?? null,
      inviteCode: link.inviteCode,
      campaignTag: link.tag,
      buttonId: parseCallback(ctx.callbackQuery?.data ?? '')?.id ?? null,
    });
    ctx.turn = createTurn(deps, ctx, chatId, started, go);
    await next();
  };
}

function createTurn(deps: FeatureDeps, ctx: BotContext, chatId: number, started: StartedUser, go: Go): Turn {
  let { user, wallet } = started;
  let words = wordsFor(user);
  const tapped = ctx.callbackQuery?.message;
  const fresh = parseCallback(ctx.callbackQuery?.data ?? '')?.fresh === true;
  const screen = createScreen({
    api: ctx.api,
    chatId,
    tapped:
      tapped === undefined || fresh
        ? null
        : { id: tapped.message_id, photo: 'photo' in tapped && tapped.photo !== undefined },
    remembered: user.screenMessageId,
    remember: async (screenMessageId) => {
      user = { ...user, screenMessageId };
      await deps.db.users.update(user.id, { screenMessageId });
    },
  });
  return {
    get user() {
      return user;
    },
    get wallet() {
      return wallet;
    },
    button: started.button,
    get words() {
      return words;
    },
    screen,
    arrived: started.created ? { attachedCode: started.attachedCode } : null,
    leftDialogue: false,
    failure: null,
    back: null,
    change: (patch) => {
      user = { ...user, ...patch };
      wallet = null;
      words = wordsFor(user);
    },
    ...answering(deps, ctx),
    go: (feature, action, payload) => go(ctx, feature, action, payload ?? null),
  };
}
