import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, code, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, carriesOut, freshNav, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay } from '../../../platform/telegram/ui/time.ts';
import type { KeyNotice } from '../rules/key-notice.ts';
import {
  KEY_DAYS,
  KEY_LIMITS,
  type KeyTerms,
  type PersonalKey,
  RIGHTS,
  type Right,
} from '../rules/personal-key.ts';
import type { Draft } from './draft.ts';

export const PERSONAL_KEYS = 'pkeys';
const NAME = 10;

/** The keys that may be used now. */
export function keysView(
  words: Words,
  facts: { readonly keys: readonly PersonalKey[]; readonly isOn: boolean; readonly stateId: string },
): View {
  const { keys, isOn, stateId } = facts;
  return {
    text: lines(
      words.html('pkey.title', { count: keys.length, max: KEY_LIMITS.perPerson }),
      words.html(isOn ? 'pkey.about' : 'pkey.off'),
      ...keys.map((key, n) =>
        words.html('pkey.row', {
          n: n + 1,
          key: code(shortAddress(key.publicKey)),
          ...capsOf(words, key.terms),
          until: utcDay(key.until).slice(5),
          // Its requests name it as their keyid.
          id: code(key.id),
        }),
      ),
    ),
    keyboard: keyboard(
      isOn &&
        keys.length < KEY_LIMITS.perPerson && [
          act(words.text('btn.pkey_add'), PERSONAL_KEYS, 'add', stateId),
        ],
      keys.map((_key, n) =>
        act(words.text('btn.pkey_end', { n: n + 1 }), PERSONAL_KEYS, `end-${n}`, stateId),
      ),
      [nav(words.text('btn.security'), 'security', 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

const rightRows: readonly (readonly Right[])[] = [
  ['read', 'trade'],
  ['place', 'orders'],
];

/** A key as it would be added. */
export function keyFormView(
  words: Words,
  facts: {
    readonly draft: Draft;
    readonly wallet: string;
    readonly host: string;
    readonly stateId: string;
  },
): View {
  const { draft, stateId } = facts;
  const { terms } = draft;
  const on = (label: string, action: string) => act(label, PERSONAL_KEYS, action, stateId);
  return {
    text: lines(
      words.html('pkey.form_title', {
        key: code(shortAddress(draft.publicKey)),
        wallet: fitted(facts.wallet, NAME),
      }),
      words.html('pkey.form_rights', { rights: rightsText(words, terms) }),
      words.html('pkey.form_caps', capsOf(words, terms)),
      words.html('pkey.form_tokens', { tokens: listText(words, terms.tokens) }),
      words.html('pkey.form_ips', { ips: listText(words, terms.ips) }),
      words.html('pkey.form_ends', { days: draft.days }),
      words.html('pkey.form_host', { host: code(facts.host) }),
      words.html('pkey.form_never'),
    ),
    keyboard: keyboard(
      ...rightRows.map((row) =>
        row.map((right) =>
          on(
            ticked(words.text(`btn.pkey_${right}`), terms.rights.includes(right)),
            `right-${RIGHTS.indexOf(right)}`,
          ),
        ),
      ),
      [
        act(words.text('btn.pkey_type_order'), PERSONAL_KEYS, 'type_order', stateId),
        act(words.text('btn.pkey_type_day'), PERSONAL_KEYS, 'type_day', stateId),
      ],
      [
        act(words.text('btn.pkey_type_tokens'), PERSONAL_KEYS, 'type_tokens', stateId),
        act(words.text('btn.pkey_type_ips'), PERSONAL_KEYS, 'type_ips', stateId),
      ],
      KEY_DAYS.map((days, n) =>
        on(ticked(words.text('btn.pkey_days', { days }), draft.days === days), `days-${n}`),
      ),
      [
        carriesOut(words.text('btn.pkey_save'), PERSONAL_KEYS, 'save', stateId),
        nav(words.text('btn.back'), PERSONAL_KEYS, 'open'),
      ],
    ),
  };
}

/** The caps, as the list, the form and the question for the PIN say them. */
export function capsOf(words: Words, { orderLamports, dayLamports }: KeyTerms) {
  const figures = figuresOf(words.language);
  return { order: figures.sol(orderLamports), day: figures.sol(dayLamports) };
}

function rightsText(words: Words, { rights }: KeyTerms): string {
  return RIGHTS.filter((right) => rights.includes(right))
    .map((right) => words.text(`pkey.right.${right}`))
    .join(', ');
}

const listText = (words: Words, items: readonly string[] | null): string =>
  items === null ? words.text('pkey.any') : words.text('pkey.some', { count: items.length });

/** A key was added, or was used. */
export function keyNoticeView(
  words: Words,
  told: { readonly key: PersonalKey; readonly notice: KeyNotice; readonly symbol: string | null },
): View {
  return {
    text: noticeText(words, told),
    keyboard: keyboard([freshNav(words.text('btn.pkeys'), PERSONAL_KEYS, 'open')]),
  };
}

function noticeText(
  words: Words,
  told: { readonly key: PersonalKey; readonly notice: KeyNotice; readonly symbol: string | null },
): Html {
  const { notice, symbol } = told;
  const key: Html = code(shortAddress(told.key.publicKey));
  const token = bold(symbol ?? words.text('pkey.several'));
  switch (notice.event) {
    case 'added':
      return words.html('pkey.told_added', { key, until: utcDay(told.key.until) });
    case 'order-ended':
      return words.html('pkey.told_order_ended', { key, token });
    case 'used':
      return words.html('pkey.told_used', {
        key,
        trades: notice.trades,
        orders: notice.orders,
        sol: figuresOf(words.language).sol(notice.lamports),
        token,
      });
  }
}
