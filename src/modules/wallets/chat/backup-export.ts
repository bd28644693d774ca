import { InputFile } from 'grammy';
import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import { errorSentence } from '../../../platform/telegram/errors.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import {
  askSecret,
  pinOf,
  type Question,
  textOf,
  withPin,
} from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payloadOf, textField } from '../../../platform/telegram/ui/payload.ts';
import { PASSPHRASE_MIN } from '../rules/passphrase.ts';
import type { OpenExport } from '../use/key-exports.ts';
import { exportView, stoppedExportView } from './backup-export-view.ts';
import { proofAndPassphrase } from './backup-proof-and-passphrase.ts';

/** A key that is asked for. */
const ASKED = z.object({ walletId: text, wallet: text });
type Asked = z.infer<typeof ASKED>;

/** A file that is taken; holds the passphrase's slow hash at most. */
const TAKEN = z.object({ exportId: text, wallet: text, hash: text.exactOptional() });
type Taken = z.infer<typeof TAKEN>;

/** A wallet's key out: asked for with the PIN, then after its wait taken with PIN and passphrase. */
export function exportSteps(deps: FeatureDeps) {
  const { backups, guard } = deps;

  const pinQuestion = async ({ turn }: BotContext, asked: Asked): Promise<Question> => {
    const { longDelayMs } = await guard.overview({ userId: turn.user.id });
    return {
      to: 'backup:pin',
      payload: asked,
      isProof: true,
      act: 'export-ask',
      text: turn.words.html(longDelayMs > 0 ? 'backup.pin' : 'backup.pin_now', { wallet: asked.wallet }),
    };
  };
  const passphraseQuestion = ({ turn }: BotContext, { exportId, wallet }: Taken): Question => ({
    to: 'backup:first',
    payload: { exportId, wallet },
    text: turn.words.html('backup.choose_passphrase', { wallet, min: PASSPHRASE_MIN }),
  });
  const bothQuestion = ({ turn }: BotContext, taken: Taken, hasSecondFactor: boolean): Question => ({
    to: 'backup:both',
    payload: taken,
    text: turn.words.html(hasSecondFactor ? 'backup.both_code' : 'backup.both'),
  });

  const opened = ({ turn }: BotContext): Promise<OpenExport | null> =>
    backups.openExport({ userId: turn.user.id });

  /** The state of an export on its way; the tap from a notice or from Security. */
  async function show(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const open = await opened(ctx);
    await turn.screen.show(
      open === null
        ? {
            text: turn.words.html('export.none'),
            keyboard: keyboard([
              nav(turn.words.text('btn.security'), 'security', 'open'),
              nav(turn.words.text('btn.home'), 'home', 'open'),
            ]),
          }
        : exportView(turn.words, open, deps.clock.now()),
    );
  }

  async function start(ctx: BotContext, state: TapState | null): Promise<void> {
    if ((await opened(ctx)) !== null) return show(ctx);
    // A refusal of a key file comes here, before the person typed anything.
    const wallet = await backups.assertMayAskKey({
      userId: ctx.turn.user.id,
      walletId: textField(state, 'walletId'),
    });
    await askSecret(deps, ctx, await pinQuestion(ctx, { walletId: wallet.id, wallet: wallet.name }));
  }

  async function pin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const asked = payloadOf(ASKED, payload);
    const userId = ctx.turn.user.id;
    await withPin(deps, ctx, await pinQuestion(ctx, asked), async () => {
      await backups.askExport({ userId, walletId: asked.walletId, pin: pinOf(secret) });
      await show(ctx);
    });
  }

  async function take(ctx: BotContext): Promise<void> {
    const open = await opened(ctx);
    if (open === null) throw new AppError('EXPORT_WAITS', { why: 'over' });
    if (!open.isReady) return show(ctx);
    await askSecret(deps, ctx, passphraseQuestion(ctx, { exportId: open.id, wallet: open.wallet.name }));
  }

  async function first(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const taken = payloadOf(TAKEN, payload);
    const passphrase = textOf(secret);
    try {
      backups.assertPassphrase(passphrase);
    } catch (error) {
      if (!hasCode(error, 'PASSPHRASE_UNSUITABLE')) throw error;
      const question = passphraseQuestion(ctx, taken);
      await askSecret(deps, ctx, {
        ...question,
        text: html`${errorSentence(error, turn.words)}\n\n${question.text}`,
      });
      return;
    }
    const hash = await backups.hashPassphrase(turn.user.id, passphrase);
    const { hasSecondFactor } = await guard.overview({ userId: turn.user.id });
    await askSecret(deps, ctx, bothQuestion(ctx, { ...taken, hash }, hasSecondFactor));
  }

  /** PIN and passphrase in one message, so that neither waits anywhere for the other. */
  async function both(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn, chatId } = ctx;
    const userId = turn.user.id;
    const taken = payloadOf(TAKEN, payload);
    const { hasSecondFactor } = await guard.overview({ userId });
    const again = bothQuestion(ctx, taken, hasSecondFactor);
    await withPin(deps, ctx, again, async () => {
      const read = proofAndPassphrase(textOf(secret), hasSecondFactor);
      if (read === null) {
        const why = turn.words.html('backup.both_shape');
        await askSecret(deps, ctx, { ...again, text: html`${why}\n\n${again.text}` });
        return;
      }
      const { pin: proof, passphrase } = read;
      if (!(await backups.samePassphrase(userId, taken.hash ?? '', passphrase))) {
        const why = turn.words.html('backup.differs', { min: PASSPHRASE_MIN });
        await askSecret(deps, ctx, { ...passphraseQuestion(ctx, taken), text: why });
        return;
      }
      const open = await opened(ctx);
      if (chatId === undefined || open === null) throw new AppError('EXPORT_WAITS', { why: 'over' });
      const file = await backups.takeExport({ userId, exportId: taken.exportId, pin: proof, passphrase });
      await sendFile(ctx, chatId, open, file);
    });
  }

  /** No PIN, no question, and also while everything is frozen: the person may be in a hurry. */
  async function stop({ turn }: BotContext): Promise<void> {
    const userId = turn.user.id;
    const { stopped } = await backups.stopExport({ userId });
    const { longDelayMs } = await guard.overview({ userId });
    const barredUntil = longDelayMs > 0 ? deps.clock.now() + longDelayMs : null;
    await turn.screen.show(stoppedExportView(turn.words, { stopped, barredUntil }));
  }

  return {
    taps: { start, show, take, stop },
    secrets: {
      pin: { act: 'export-ask' as const, run: pin },
      first: { act: 'export-take' as const, run: first },
      both: { act: 'export-take' as const, run: both },
    },
  };
}

async function sendFile(
  ctx: BotContext,
  chatId: number,
  { wallet }: Pick<OpenExport, 'wallet'>,
  file: Uint8Array,
): Promise<void> {
  const { turn } = ctx;
  await ctx.api.sendDocument(chatId, new InputFile(file, `${wallet.address.slice(0, 8)}.backup.json`), {
    caption: turn.words.html('backup.caption', { wallet: wallet.name }).markup,
    parse_mode: 'HTML',
  });
  await turn.screen.fresh({
    text: turn.words.html('backup.done'),
    keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
  });
}
