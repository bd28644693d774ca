import { GrammyError, type Middleware } from 'grammy';
import { parseStartPayload } from '../../core/referrals/start-payload.ts';
import { displayName } from '../../core/tokens/display-name.ts';
import { type StartedUser, startUser } from '../../services/users/start-user.ts';
import type { BotContext, Turn } from '../context.ts';
import type { FeatureDeps } from '../deps.ts';
import { wordsFor } from '../locales/words.ts';
import { parseCallback } from '../ui/callback.ts';
import { createScreen } from '../ui/screen.ts';

/** Continues in a feature as if its button had been tapped. */
export type Go = (ctx: BotContext, feature: string, action: string, payload: unknown) => Promise<void>;

/** A message that waited for longer was sent to a bot that was away. Telegram keeps what people send for a day. */
const LATE_MS = 60_000;

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
  /** Whether Telegram refused the answer, for the tap was too old. */
  let answered: Promise<boolean> | null = null;
  const answer = async (text: string): Promise<boolean> => {
    try {
      await ctx.answerCallbackQuery(text === '' ? {} : { text: text.slice(0, 200) });
      return false;
    } catch (error) {
      // An answer that comes too late, or twice after a redelivery, is no reason to fail.
      deps.log.info({ err: error }, 'a tap could not be answered');
      return error instanceof GrammyError && error.description.includes('query is too old');
    }
  };
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
    toast: async (text) => {
      if (ctx.callbackQuery === undefined || answered !== null) return;
      answered = answer(text);
      await answered;
    },
    isLate: async () => {
      if (ctx.callbackQuery === undefined)
        return deps.clock.now() - (ctx.message?.date ?? 0) * 1_000 > LATE_MS;
      answered ??= answer('');
      return answered;
    },
    go: (feature, action, payload) => go(ctx, feature, action, payload ?? null),
  };
}
