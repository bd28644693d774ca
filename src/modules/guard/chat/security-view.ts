import type { Words } from '../../../compose/texts/words.ts';
import { leftAt } from '../../../core/time/age.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { durationText, leftText, utcText } from '../../../platform/telegram/ui/time.ts';
import type { OpenExport } from '../../wallets/use/key-exports.ts';
import type { GuardOverview } from '../use/guard-overview.ts';
import { frozenText } from './frozen-text.ts';
import { noticeMailLine } from './notice-mail-view.ts';

export const SECURITY = 'security';

/** The facts of the screen beside the guard: a key file on its way, and how long it still waits. */
export type SecurityFacts = GuardOverview & {
  readonly keyFile: Pick<OpenExport, 'wallet' | 'isReady' | 'readyAt'> | null;
  readonly now: number;
};

export function securityView(words: Words, facts: SecurityFacts): View {
  return {
    text: lines(
      words.html('security.title'),
      facts.frozen &&
        (facts.unfreezesAt === null
          ? frozenText(words, facts)
          : words.html('security.unlocking', { at: utcText(facts.unfreezesAt) })),
      keyFileLine(words, facts),
      words.html(facts.hasPin ? 'security.pin_set' : 'security.pin_missing'),
      facts.hasSecondFactor &&
        (facts.secondFactorEndsAt === null
          ? words.html('security.factor_on')
          : words.html('security.factor_ends', { at: utcText(facts.secondFactorEndsAt) })),
      facts.hasSecondFactor && words.html('security.recovery_left', { count: facts.recoveryCodesLeft }),
      words.html('security.cap', { cap: solText(words, facts.cap), left: solText(words, facts.capLeft) }),
      facts.nextCap !== null &&
        words.html('security.cap_next', {
          cap: solText(words, facts.nextCap.lamports),
          at: utcText(facts.nextCap.at),
        }),
      words.html('security.spend_cap', {
        cap: solText(words, facts.spendCap),
        left: solText(words, facts.spendLeft),
      }),
      facts.nextSpendCap !== null &&
        words.html('security.spend_next', {
          cap: solText(words, facts.nextSpendCap.lamports),
          at: utcText(facts.nextSpendCap.at),
        }),
      tradesLine(words, facts),
      facts.delayMs > 0
        ? words.html('security.delay', { time: durationText(facts.delayMs, words.language) })
        : words.html('security.delay_none'),
      noticeMailLine(words, facts),
      words.html('security.panic'),
    ),
    keyboard: securityButtons(words, facts),
  };
}

function keyFileLine(words: Words, { keyFile, now }: SecurityFacts): Html | null {
  if (keyFile === null) return null;
  const wallet = keyFile.wallet.name;
  return keyFile.isReady
    ? words.html('export.security_ready', { wallet })
    : words.html('export.security', { wallet, time: leftText(leftAt(keyFile.readyAt, now)) });
}

function securityButtons(words: Words, facts: SecurityFacts): NonNullable<View['keyboard']> {
  return keyboard(
    facts.keyFile !== null && [
      nav(words.text('btn.export_stop_security'), 'backup', 'stop'),
      facts.keyFile.isReady && nav(words.text('btn.export_take'), 'backup', 'take'),
    ],
    [
      nav(words.text(facts.hasPin ? 'btn.change_pin' : 'btn.set_pin'), SECURITY, 'pin'),
      facts.hasPin && nav(words.text('btn.daily_cap'), SECURITY, 'cap'),
    ],
    [
      facts.hasPin && nav(words.text('btn.spend_cap'), SECURITY, 'spend_cap'),
      (facts.unlockedUntil !== null || facts.hasGrantedOrders) &&
        nav(words.text('btn.lock_now'), SECURITY, 'lock'),
    ],
    facts.hasPin && [
      nav(
        words.text(facts.hasSecondFactor ? 'btn.change_factor' : 'btn.add_factor'),
        'second_factor',
        'open',
      ),
      facts.hasSecondFactor && nav(words.text('btn.remove_factor'), 'second_factor', 'end'),
    ],
    facts.hasSecondFactor && [nav(words.text('btn.renew_codes'), 'second_factor', 'renew')],
    [
      nav(words.text('btn.address_book'), 'address_book', 'open'),
      nav(words.text('btn.notice_mail'), 'notice_mail', 'open'),
    ],
    [nav(words.text('btn.acts'), 'acts', 'open'), nav(words.text('btn.pkeys'), 'pkeys', 'open')],
    [
      facts.frozen
        ? facts.unfreezesAt === null && nav(words.text('btn.unfreeze'), SECURITY, 'unfreeze')
        : nav(words.text('btn.freeze'), 'panic', 'now'),
    ],
    facts.stoppable && [nav(words.text('btn.stop_changes'), SECURITY, 'stop')],
    [nav(words.text('btn.settings'), 'setting', 'open'), nav(words.text('btn.home'), 'home', 'open')],
  );
}

/** Whether trades ask for the PIN now. */
function tradesLine(words: Words, { unlockedUntil, unlocksFrom }: GuardOverview): Html {
  if (unlockedUntil !== null) return words.html('security.open_until', { at: utcText(unlockedUntil) });
  return unlocksFrom === null
    ? words.html('security.trades_locked')
    : words.html('security.trades_later', { at: utcText(unlocksFrom) });
}
