import type { Words } from '../../../compose/texts/words.ts';
import { leftAt } from '../../../core/time/age.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { leftText, utcText } from '../../../platform/telegram/ui/time.ts';
import type { OpenExport } from '../use/key-exports.ts';

/** A key file on its way: how long it still waits, or until when it may be taken, and the button that stops it. */
export function exportView(words: Words, open: OpenExport, now: number): View {
  const { wallet, isReady, readyAt, endsAt } = open;
  const names = { wallet: wallet.name, address: code(wallet.address) };
  return {
    text: isReady
      ? words.html('export.ready', { ...names, at: utcText(endsAt) })
      : words.html('export.waits', { ...names, time: leftText(leftAt(readyAt, now)), at: utcText(readyAt) }),
    keyboard: keyboard(
      [isReady && nav(words.text('btn.export_take'), 'backup', 'take')],
      [
        nav(words.text('btn.export_stop'), 'backup', 'stop'),
        !isReady && nav(words.text('btn.refresh'), 'backup', 'show'),
      ],
      [nav(words.text('btn.security'), 'security', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** After a tap on Stop; `barredUntil` null where nothing bars the next one. */
export function stoppedExportView(
  words: Words,
  facts: { readonly stopped: boolean; readonly barredUntil: number | null },
): View {
  const { stopped, barredUntil } = facts;
  const text = !stopped
    ? words.html('export.too_late')
    : barredUntil === null
      ? words.html('export.stopped_now')
      : words.html('export.stopped', { at: utcText(barredUntil) });
  return {
    text,
    keyboard: keyboard([
      nav(words.text('btn.security'), 'security', 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}
