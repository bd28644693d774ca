import { wordsFor } from '../../../compose/texts/words.ts';
import { leftAt } from '../../../core/time/age.ts';
import type { NoticeToTell } from '../../../engine/notices/store-port.ts';
import type { NotifierDeps } from '../../../platform/telegram/notifier.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { freshNav, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import { sendView } from '../../../platform/telegram/ui/screen.ts';
import { leftText, utcText } from '../../../platform/telegram/ui/time.ts';
import { decodeExportNotice } from '../../guard/rules/export-notice.ts';
import { isOnItsWay } from '../../guard/rules/key-export.ts';
import { exportNow } from '../use/key-exports.ts';

/** Says nothing of a wait that is over by now: a Stop button under it would stop something else. */
export async function tellExport(
  deps: Pick<NotifierDeps, 'api' | 'db' | 'clock'>,
  { notice, user }: NoticeToTell,
): Promise<void> {
  const { exportId, event } = decodeExportNotice(notice.payload);
  const seen = await exportNow(deps, exportId);
  if (seen === null) return;
  const { found, state, wallet } = seen;
  const stoppable = event === 'asked' || event === 'half' || event === 'ready';
  if (stoppable && !isOnItsWay(state)) return;
  // A late notice says the present state.
  const said = stoppable && state.kind === 'READY' && event === 'half' ? 'ready' : event;
  const words = wordsFor(user);
  const text = words.html(`notice.export_${said}`, {
    wallet: wallet?.name ?? '',
    address: code(found.walletId === wallet?.id ? wallet.address : ''),
    at: utcText(said === 'ready' ? found.endsAt : found.readyAt),
    time: leftText(leftAt(found.readyAt, deps.clock.now())),
  });
  await sendView(deps.api, Number(user.telegramId), {
    text,
    keyboard: keyboard(
      stoppable && [
        freshNav(words.text('btn.export_stop'), 'backup', 'stop'),
        said === 'ready' && freshNav(words.text('btn.export_take'), 'backup', 'take'),
      ],
      [freshNav(words.text('btn.security'), 'security', 'open')],
    ),
  });
}
