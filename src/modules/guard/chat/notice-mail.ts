import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { shortEmail } from '../../../core/text/email-address.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payloadOf } from '../../../platform/telegram/ui/payload.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import { NOTICE_CODE_MS } from '../rules/notice-mail.ts';
import { noticeMailForm } from './notice-mail-flow.ts';
import { NOTICE_MAIL, noticeMailView } from './notice-mail-view.ts';

const ADDRESS = z.object({ address: text });
const MINUTES = NOTICE_CODE_MS / 60_000;

/** A second place for notices with Stop: an address by PIN and mailed code, after the long wait. */
export function noticeMailFeature(deps: FeatureDeps): Feature {
  const { guard } = deps;

  async function open({ turn }: BotContext): Promise<void> {
    const overview = await guard.overview({ userId: turn.user.id });
    await turn.screen.show(noticeMailView(turn.words, { ...overview, hasMail: guard.hasMail() }));
  }

  const form = noticeMailForm((ctx, { address }) => askSecret(deps, ctx, pinQuestion(ctx, address)));

  /** What can refuse it refuses it before an address is typed. */
  async function set(ctx: BotContext): Promise<void> {
    if (!guard.hasMail()) throw new AppError('NOTICE_MAIL_REFUSED', { reason: 'no-server' });
    await guard.mayAct({ userId: ctx.turn.user.id, act: 'notice-mail-ask' });
    await enterForm(ctx, form, {});
  }

  return {
    name: NOTICE_MAIL,
    commands: [],
    taps: {
      open: { act: 'reads', unlocked: true, run: open },
      set: { act: 'notice-mail-ask', run: set },
      remove: { act: 'notice-mail', run: (ctx) => askSecret(deps, ctx, removalQuestion(ctx)) },
    },
    forms: [form],
    secrets: {
      pin: { act: 'notice-mail-ask', run: (ctx, secret, payload) => takePin(deps, ctx, secret, payload) },
      code: { act: 'notice-mail', run: (ctx, secret, payload) => takeCode(deps, ctx, secret, payload) },
      remove: { act: 'notice-mail', run: (ctx, secret) => takeRemoval(deps, ctx, secret) },
    },
  };
}

const pinQuestion = ({ turn }: BotContext, address: string): Question => ({
  to: `${NOTICE_MAIL}:pin`,
  payload: { address },
  isProof: true,
  act: 'notice-mail-ask',
  text: turn.words.html('notice_mail.pin', { mail: address }),
});

const removalQuestion = ({ turn }: BotContext): Question => ({
  to: `${NOTICE_MAIL}:remove`,
  payload: null,
  isProof: true,
  act: 'notice-mail',
  text: turn.words.html('notice_mail.remove_pin'),
});

async function takePin(deps: FeatureDeps, ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
  const { turn } = ctx;
  const { address } = payloadOf(ADDRESS, payload);
  await withPin(deps, ctx, pinQuestion(ctx, address), async () => {
    await deps.guard.askNoticeMail({ userId: turn.user.id, pin: pinOf(secret), address });
    await askCode(
      deps,
      ctx,
      address,
      turn.words.html('notice_mail.code', { mail: address, minutes: MINUTES }),
    );
  });
}

async function askCode(deps: FeatureDeps, ctx: BotContext, address: string, question: Html): Promise<void> {
  const { turn } = ctx;
  await turn.screen.show({
    text: question,
    keyboard: keyboard([nav(turn.words.text('btn.cancel'), 'security', 'cancel')]),
  });
  await deps.secrets.ask(ctx, `${NOTICE_MAIL}:code`, { address }, NOTICE_CODE_MS);
}

async function takeCode(deps: FeatureDeps, ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
  const { turn } = ctx;
  const { words } = turn;
  const { address } = payloadOf(ADDRESS, payload);
  const code = pinOf(secret);
  const set = await deps.guard.confirmNoticeMail({ userId: turn.user.id, address, code });
  if (set.kind === 'wrong') {
    const { left } = set;
    const why = words.html('notice_mail.code_wrong', { mail: address, minutes: MINUTES, left });
    await askCode(deps, ctx, address, why);
    return;
  }
  const mail = shortEmail(address);
  await done(
    ctx,
    set.at > deps.clock.now()
      ? words.html('notice_mail.waits', { mail, at: utcText(set.at) })
      : words.html('notice_mail.done', { mail }),
  );
}

async function takeRemoval(deps: FeatureDeps, ctx: BotContext, secret: Secret): Promise<void> {
  const { turn } = ctx;
  const { words } = turn;
  await withPin(deps, ctx, removalQuestion(ctx), async () => {
    const { at } = await deps.guard.removeNoticeMail({ userId: turn.user.id, pin: pinOf(secret) });
    await done(
      ctx,
      at > deps.clock.now()
        ? words.html('notice_mail.removal_waits', { at: utcText(at) })
        : words.html('notice_mail.removed'),
    );
  });
}

const done = ({ turn }: BotContext, said: Html): Promise<number> =>
  turn.screen.show({
    text: said,
    keyboard: keyboard([
      nav(turn.words.text('btn.notice_mail'), NOTICE_MAIL, 'open'),
      nav(turn.words.text('btn.security'), 'security', 'open'),
    ]),
  });
