import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { errorSentence } from '../../errors.ts';
import { askSecret, type Question, textOf } from '../../secret/ask-pin.ts';
import { readSecret } from '../../secret/download.ts';
import type { Secret } from '../../secret/prompts.ts';
import { code, html } from '../../ui/html.ts';
import { keyboard, nav } from '../../ui/keyboard.ts';

const keyQuestion = ({ turn }: BotContext): Question => ({
  to: 'backup:key',
  payload: null,
  text: turn.words.html('backup.import_key'),
});

/** A wallet's key in: bare, or as a backup file with its passphrase. */
export function importSteps(deps: FeatureDeps) {
  const { backups } = deps;

  const start = (ctx: BotContext): Promise<void> => askSecret(deps, ctx, keyQuestion(ctx));

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

  return { start, secrets: { key, passphrase } };
}
