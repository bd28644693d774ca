import type { Words } from '../../../compose/texts/words.ts';
import { type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { GuardOverview } from '../use/guard-overview.ts';

export const NOTICE_MAIL = 'notice_mail';

type Facts = Pick<GuardOverview, 'noticeMail' | 'noticeMailFails' | 'nextNoticeMail'>;

/** The notice mail and the change of it that waits; null where there is neither. */
export function noticeMailLine(
  words: Words,
  { noticeMail: mail, noticeMailFails, nextNoticeMail: next }: Facts,
): Html | null {
  const now =
    mail !== null &&
    lines(
      words.html('security.notice_mail', { mail }),
      noticeMailFails && words.html('security.notice_mail_fails'),
    );
  if (next === null) return now === false ? null : now;
  const at = utcText(next.at);
  return lines(
    now,
    next.mail === null
      ? words.html('security.notice_mail_end', { at })
      : words.html('security.notice_mail_next', { mail: next.mail, at }),
  );
}

/** The screen of the notice mail. Without a mail server an address can only be removed. */
export function noticeMailView(words: Words, facts: Facts & { readonly hasMail: boolean }): View {
  const { noticeMail: mail, nextNoticeMail: next, hasMail } = facts;
  // The address after the waiting change, if one waits.
  const last = next === null ? mail : next.mail;
  return {
    text: lines(
      words.html('notice_mail.title'),
      noticeMailLine(words, facts) ?? words.html('notice_mail.none'),
      words.html('notice_mail.what'),
      !hasMail && words.html('notice_mail.no_server'),
    ),
    keyboard: keyboard(
      [
        hasMail &&
          nav(
            words.text(mail === null ? 'btn.notice_mail_set' : 'btn.notice_mail_change'),
            NOTICE_MAIL,
            'set',
          ),
        last !== null && nav(words.text('btn.notice_mail_remove'), NOTICE_MAIL, 'remove'),
      ],
      next !== null && [nav(words.text('btn.stop_changes'), 'security', 'stop')],
      [nav(words.text('btn.security'), 'security', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}
