import { InputFile } from 'grammy';
import { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import { PASSPHRASE_MIN } from '../../../services/backups/wallet-backups.ts';
import { ownWallet } from '../../../services/wallets/own-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { text } from '../../dialog/fields.ts';
import { errorSentence } from '../../errors.ts';
import type { TapState } from '../../feature.ts';
import { askSecret, textOf, withPin } from '../../secret/ask-pin.ts';
import type { Secret } from '../../secret/prompts.ts';
import { html } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { payloadOf, textField } from '../../ui/payload.ts';

/** How far an export has come; holds the passphrase's slow hash at most. */
const EXPORT = z.object({ walletId: text, wallet: text, proof: text, hash: text.exactOptional() });
type Export = z.infer<typeof EXPORT>;

const pinQuestion = ({ turn }: BotContext, request: Export) => ({
  to: 'backup:pin',
  payload: request,
  isProof: true as const,
  text: turn.words.html('backup.pin', { wallet: request.wallet }),
});

const passphraseQuestion = ({ turn }: BotContext, request: Export) => ({
  to: 'backup:first',
  payload: request,
  text: turn.words.html('backup.choose_passphrase', { wallet: request.wallet, min: PASSPHRASE_MIN }),
});

/** A wallet's key out: the PIN, a passphrase twice, and then an encrypted file. */
export function exportSteps(deps: FeatureDeps) {
  const { backups } = deps;

  async function pin(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const request = payloadOf(EXPORT, payload);
    await withPin(deps, ctx, pinQuestion(ctx, request), async () => {
      const { proof } = await backups.authorizeExport({
        userId: ctx.turn.user.id,
        walletId: request.walletId,
        pin: textOf(secret),
      });
      await askSecret(deps, ctx, passphraseQuestion(ctx, { ...request, proof }));
    });
  }

  async function first(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn } = ctx;
    const request = payloadOf(EXPORT, payload);
    const passphrase = textOf(secret);
    try {
      backups.assertPassphrase(passphrase);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const question = passphraseQuestion(ctx, request);
      const why = errorSentence(error, turn.words);
      await askSecret(deps, ctx, { ...question, text: html`${why}\n\n${question.text}` });
      return;
    }
    const hash = await backups.hashPassphrase(turn.user.id, passphrase);
    await askSecret(deps, ctx, {
      to: 'backup:again',
      payload: { ...request, hash },
      text: turn.words.html('backup.again'),
    });
  }

  async function again(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { turn, chatId } = ctx;
    const { hash = '', ...request } = payloadOf(EXPORT, payload);
    const passphrase = textOf(secret);
    if (chatId === undefined) return;
    if (!(await backups.samePassphrase(turn.user.id, hash, passphrase))) {
      const text = turn.words.html('backup.differs', { min: PASSPHRASE_MIN });
      await askSecret(deps, ctx, { ...passphraseQuestion(ctx, request), text });
      return;
    }
    const { wallet, file } = await backups.exportWallet({ ...request, userId: turn.user.id, passphrase });
    await sendFile(ctx, chatId, wallet, file);
  }

  return {
    start: (ctx: BotContext, state: TapState | null) => start(deps, ctx, state),
    secrets: { pin, first, again },
  };
}

async function start(deps: FeatureDeps, ctx: BotContext, state: TapState | null): Promise<void> {
  const { turn } = ctx;
  const wallet = await ownWallet(deps.db.wallets, {
    userId: turn.user.id,
    walletId: textField(state, 'walletId'),
  });
  const { hasPin } = await deps.guard.overview({ userId: turn.user.id });
  if (!hasPin) throw new AppError('PIN_REQUIRED', {});
  await askSecret(deps, ctx, pinQuestion(ctx, { walletId: wallet.id, wallet: wallet.name, proof: '' }));
}

async function sendFile(ctx: BotContext, chatId: number, wallet: Wallet, file: Uint8Array): Promise<void> {
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
