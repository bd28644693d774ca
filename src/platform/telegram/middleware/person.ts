import type { Middleware } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { wordsFor } from '../../../compose/texts/words.ts';
import { parseStartPayload } from '../../../modules/referrals/rules/start-payload.ts';
import { type StartedUser, startUser } from '../../../modules/settings/use/start-user.ts';
import { displayName } from '../../../modules/tokens/rules/display-name.ts';
import type { BotContext, Turn } from '../context.ts';
import { authored } from '../reading/authored.ts';
import { commandOf } from '../reading/command-of.ts';
import { parseCallback } from '../ui/callback.ts';
import { createScreen } from '../ui/screen.ts';
import { answering } from './answering.ts';

/** Continues in a feature as if its button had been tapped. */
export type Go = (ctx: BotContext, feature: string, action: string, payload: unknown) => Promise<void>;

/** Loads or creates the person of an update and gives the handlers their `turn`. */
export function person(deps: FeatureDeps, go: Go): Middleware<BotContext> {
  return async (ctx, next) => {
    const { from, chatId } = ctx;
    if (from === undefined || chatId === undefined) return;
    const command = commandOf(ctx.message);
    // A start that was forwarded brings no inviter: the person opened no link.
    const isOwn = command?.name === 'start' && ctx.message !== undefined && authored(ctx.message);
    const link = parseStartPayload(isOwn ? command.rest : '');
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
