import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import type { ActDetails } from '../../../engine/audit/rules.ts';
import type { RecordedAct } from '../../../engine/audit/store/audit-log-port.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';

export const ACTS = 'acts';
export const ACTS_PAGE = 8;

export function actsView(
  words: Words,
  acts: readonly RecordedAct[],
  page: { readonly index: number; readonly more: boolean },
): View {
  return {
    text: lines(
      words.html('acts.title'),
      html``,
      ...(acts.length === 0 ? [words.html('acts.none')] : acts.map((act) => rowText(words, act))),
      html``,
      words.html('acts.hint'),
    ),
    keyboard: keyboard(
      [
        page.index > 0 && nav(words.text('btn.newer'), ACTS, `open-${page.index - 1}`),
        page.more && nav(words.text('btn.older'), ACTS, `open-${page.index + 1}`),
      ],
      [nav(words.text('btn.security'), 'security', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

function rowText(words: Words, recorded: RecordedAct): Html {
  const act = actText(words, recorded);
  return words.html('acts.row', {
    at: utcText(recorded.at),
    act: recorded.actor.startsWith('operator:') ? words.html('acts.by_operator', { act }) : act,
  });
}

const shown = (address: string): Html => code(shortAddress(address));

function actText(words: Words, recorded: RecordedAct): Html {
  if (recorded.details === null) return words.html('act.other', { name: recorded.act });
  const { act, details } = recorded;
  switch (act) {
    case 'pin-wrong':
      return wrongPinText(words, details);
    case 'second-factor-end-asked':
      return words.html('act.second-factor-end-asked', { at: utcText(details.at) });
    case 'export-asked':
      return words.html('act.export-asked', {
        address: shown(details.address),
        at: utcText(details.readyAt),
      });
    case 'wallet-renamed':
      return words.html('act.wallet-renamed', { ...details, address: shown(details.address) });
    case 'wallet-confirm-asked':
    case 'payout-wallet-asked':
    case 'personal-key-added':
      return words.html(`act.${act}`, { address: shown(details.address), at: utcText(details.at) });
    case 'cap-changed':
      return words.html(details.cap === 'spending' ? 'act.spending-cap-changed' : 'act.cap-changed', {
        cap: solText(words, BigInt(details.lamports)),
      });
    case 'notice-mail-changed':
      return details.mail === null
        ? words.html('act.notice-mail-removed', { at: utcText(details.at) })
        : words.html('act.notice-mail-changed', { mail: details.mail, at: utcText(details.at) });
    case 'withdrawal-confirmed':
      return withdrawalText(words, details);
    case 'address-added':
    case 'address-removed':
    case 'wallet-created':
    case 'wallet-imported':
    case 'wallet-deleted':
    case 'wallet-restored':
    case 'wallet-exported':
    case 'export-stopped':
    case 'personal-key-ended':
      return words.html(`act.${act}`, { address: shown(details.address) });
    case 'pin-set':
    case 'pin-changed':
    case 'pin-removed':
    case 'second-factor-set':
    case 'second-factor-removed':
    case 'recovery-codes-renewed':
    case 'frozen':
    case 'freeze-ended':
    case 'unfreeze-asked':
    case 'withdrawal-cancelled':
      return words.html(`act.${act}`);
    case 'review-resolved':
      return words.html(`act.review-${details.verdict}`);
    case 'operator-command':
      return words.html('act.other', { name: details.command });
    // Operators' acts that name no person.
    case 'api-key-issued':
    case 'key-request-granted':
    case 'key-request-refused':
    case 'api-key-claimed':
    case 'api-key-rotated':
    case 'api-key-revoked':
    case 'kek-rotated':
    case 'program-build-seen':
    case 'reconciled':
    case 'switch-paused':
    case 'switch-resumed':
    case 'signing-fenced':
    case 'signing-unfenced':
    default:
      return words.html('act.other', { name: act });
  }
}

function wrongPinText(words: Words, { lockedUntil, triesLeft }: ActDetails['pin-wrong']): Html {
  return lockedUntil === null
    ? words.html('act.pin-wrong', { left: triesLeft })
    : words.html('act.pin-locked', { until: utcText(lockedUntil) });
}

function withdrawalText(
  words: Words,
  { mint, amount, destination }: ActDetails['withdrawal-confirmed'],
): Html {
  const address = shown(destination);
  return mint === null
    ? words.html('act.withdrawal-confirmed', { amount: solText(words, BigInt(amount)), address })
    : words.html('act.withdrawal-confirmed-token', { mint: shown(mint), address });
}
