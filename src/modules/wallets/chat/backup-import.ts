import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { text } from '../../../platform/telegram/dialog/fields.ts';
import { errorSentence } from '../../../platform/telegram/errors.ts';
import {
  askSecret,
  pinOf,
  type Question,
  textOf,
  withPin,
} from '../../../platform/telegram/secret/ask-pin.ts';
import { readSecret } from '../../../platform/telegram/secret/download.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { code, html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { payloadOf } from '../../../platform/telegram/ui/payload.ts';

/** The permit of a PIN that was right, which the question for the key carries; null for a person without one. */
const ASKED = z.object({ permit: text.nullable() });
const SEALED = ASKED.extend({ material: text });

/** A wallet's key in: after the PIN where there is one, bare or as a backup file with its passphrase. */
export function importSteps(deps: FeatureDeps) {
  const { backups, guard } = deps;

  const pinQuestion = ({ turn }: BotContext): Question => ({
    to: 'backup:import_pin',
    payload: null,
    isProof: true,
    act: 'wallet-import',
    text: turn.words.html('backup.import_pin'),
  });
  const keyQuestion = ({ turn }: BotContext, permit: string | null): Question => ({
    to: 'backup:key',
    payload: { permit },
    text: turn.words.html('backup.import_key'),
  });
  const passphraseQuestion = ({ turn }: BotContext, sealed: z.infer<typeof SEALED>): Question => ({
    to: 'backup:passphrase',
    payload: sealed,
    text: turn.words.html('backup.import_passphrase'),
  });

  async function start(ctx: BotContext): Promise<void> {
    const userId = ctx.turn.user.id;
    await backups.assertMayImport(userId);
    const { hasPin } = await guard.overview({ userId });
    await askSecret(deps, ctx, hasPin ? pinQuestion(ctx) : keyQuestion(ctx, null));
  }

  async function pin(ctx: BotContext, secret: Secret): Promise<void> {
    await withPin(deps, ctx, pinQuestion(ctx), async () => {
      const permit = await backups.permitImport({ userId: ctx.turn.user.id, pin: pinOf(secret) });
      await askSecret(deps, ctx, keyQuestion(ctx, permit));
    });
  }

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

  async function key(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const { permit } = payloadOf(ASKED, payload);
    const material = await readSecret(deps, ctx, secret);
    if (backups.isBackupFile(material)) {
      // The file is sealed by its passphrase: this is all that waits for it.
      await askSecret(deps, ctx, passphraseQuestion(ctx, { permit, material: material.slice(0, 4_096) }));
      return;
    }
    await orAgain(ctx, keyQuestion(ctx, permit), () => adopt(ctx, { permit, material }, null));
  }

  async function passphrase(ctx: BotContext, secret: Secret, payload: unknown): Promise<void> {
    const sealed = payloadOf(SEALED, payload);
    await orAgain(ctx, passphraseQuestion(ctx, sealed), () => adopt(ctx, sealed, textOf(secret)));
  }

  async function adopt(
    ctx: BotContext,
    { permit, material }: z.infer<typeof SEALED>,
    opened: string | null,
  ): Promise<void> {
    const { turn } = ctx;
    const wallet = await backups.importWallet({
      userId: turn.user.id,
      material,
      passphrase: opened,
      permit,
    });
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
    start,
    secrets: {
      import_pin: { act: 'wallet-import' as const, run: pin },
      key: { act: 'wallet-import' as const, run: key },
      passphrase: { act: 'wallet-import' as const, run: passphrase },
    },
  };
}
