import { InputFile } from 'grammy';
import { z } from 'zod';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { PASSPHRASE_MIN } from '../../../services/backups/wallet-backups.ts';
import { ownWallet } from '../../../services/wallets/own-wallet.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { text } from '../../dialog/fields.ts';
import { errorSentence } from '../../errors.ts';
import type { Feature, TapState } from '../../feature.ts';
import { askSecret, type Question, textOf, withPin } from '../../secret/ask-pin.ts';
import { readSecret } from '../../secret/download.ts';
import type { Secret } from '../../secret/prompts.ts';
import { code, html } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';
import { payloadOf, textField } from '../../ui/payload.ts';

const BACKUP = 'backup';

/** Where an export stands; holds the passphrase's slow hash at most. */
const EXPORT = z.object({ walletId: text, wallet: text, proof: text, hash: text.exactOptional() });
type Export = z.infer<typeof EXPORT>;

/** A wallet's key out, in an encrypted file only, and in. */
export function backupFeature(deps: FeatureDeps): Feature {
  const { backups } = deps;

  async function start(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const wallet = await ownWallet(deps.db.wallets, {
      userId: turn.user.id,
      walletId: textField(state, 'walletId'),
    });
    const { hasPin } = await deps.guard.overview({ userId: turn.user.id });
    if (!hasPin) throw new AppError('PIN_REQUIRED', {});
    await askSecret(deps, ctx, pinQuestion(ctx, { walletId: wallet.id, wallet: wallet.name, proof: '' }));
  }

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
    await ctx.api.sendDocument(chatId, new InputFile(file, `${wallet.address.slice(0, 8)}.backup.json`), {
      caption: turn.words.html('backup.caption', { wallet: wallet.name }).markup,
      parse_mode: 'HTML',
    });
    await turn.screen.fresh({
      text: turn.words.html('backup.done'),
      keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
    });
  }

  const keyQuestion = ({ turn }: BotContext): Question => ({
    to: 'backup:key',
    payload: null,
    text: turn.words.html('backup.import_key'),
  });

  const startImport = (ctx: BotContext): Promise<void> => askSecret(deps, ctx, keyQuestion(ctx));

  /** A slip of the pen is asked about again, with the reason above; every other refusal is the caller's. */
  async function orAgain(ctx: BotContext, question: Question, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!hasCode(error, 'KEY_UNREADABLE') && !hasCode(error, 'BACKUP_UNREADABLE')) throw error;
      const why = errorSentence(error, ctx.turn.words);
      await askSecret(deps, ctx, { ...question, text: html`${why}\n\n${question.text}` });
    }
  }

  async function key(ctx: BotContext, secret: Secret): Promise<void> {
    const material = await readSecret(deps, ctx, secret);
    if (backups.isBackupFile(material)) {
      // The file is sealed by its passphrase: this is all that waits for it.
      await askSecret(deps, ctx, {
        to: 'backup:passphrase',
        payload: { material: material.slice(0, 4_096) },
        text: ctx.turn.words.html('backup.import_passphrase'),
      });
      return;
    }
    await orAgain(ctx, keyQuestion(ctx), () => adopt(ctx, material, null));
  }

  async function passphrase(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const material =
      typeof payload === 'object' && payload !== null && 'material' in payload ? payload.material : null;
    if (typeof material !== 'string') throw new AppError('BUTTON_STALE', {});
    const question: Question = {
      to: 'backup:passphrase',
      payload,
      text: ctx.turn.words.html('backup.import_passphrase'),
    };
    await orAgain(ctx, question, () => adopt(ctx, material, textOf(secret)));
  }

  async function adopt(ctx: BotContext, material: string, opened: string | null): Promise<void> {
    const { turn } = ctx;
    const wallet = await backups.importWallet({ userId: turn.user.id, material, passphrase: opened });
    if (turn.user.activeWalletId === null) turn.change({ activeWalletId: wallet.id });
    await turn.screen.fresh({
      text: turn.words.html('backup.imported', { wallet: wallet.name, address: code(wallet.address) }),
      keyboard: keyboard([
        nav(turn.words.text('btn.wallets_plain'), 'wallets', 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
    });
  }

  return {
    name: BACKUP,
    commands: [],
    taps: { start: { run: start }, import: { run: startImport } },
    forms: [],
    secrets: { pin, first, again, key, passphrase },
  };
}
