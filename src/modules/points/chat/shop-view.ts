import type { Words } from '../../../compose/texts/words.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { Redemption, ShopEffect } from '../rules/shop.ts';
import type { Offer } from '../use/list-shop.ts';
import { daysText, footer, number, POINTS } from './view.ts';

/** The effect of an item, in one line. */
function effectText(words: Words, effect: ShopEffect): string {
  switch (effect.kind) {
    case 'fee-discount':
      return words.text('shop.fee', {
        percent: percentText(words, effect.bps),
        days: daysText(words, effect.days),
      });
    case 'wallet-slot':
      return words.text('shop.slot');
    case 'custom-code':
      return words.text('shop.code');
    case 'badge':
      return words.text('shop.badge');
    case 'sol-rebate':
      return words.text('shop.rebate', { sol: solText(words, effect.lamports) });
  }
}

function shortText(words: Words, effect: ShopEffect): string {
  switch (effect.kind) {
    case 'fee-discount':
      return words.text('shop.short_fee', {
        percent: percentText(words, effect.bps),
        days: daysText(words, effect.days),
      });
    case 'wallet-slot':
      return words.text('shop.short_slot');
    case 'custom-code':
      return words.text('shop.short_code');
    case 'badge':
      return words.text('shop.short_badge');
    case 'sol-rebate':
      return words.text('shop.short_rebate');
  }
}

export function shopView(
  words: Words,
  facts: { readonly points: bigint; readonly offers: readonly Offer[]; readonly stateId: string },
): View {
  const note = ({ left, owned }: Offer): string =>
    [
      left === 0n
        ? words.text('shop.sold_out')
        : left === null
          ? ''
          : words.text('shop.left', { left: number(words, left) }),
      owned === 0 ? '' : words.text('shop.owned', { owned }),
    ].join('');
  const canHave = ({ item, left, owned }: Offer): boolean =>
    left !== 0n && (item.perPerson === null || owned < item.perPerson);
  return {
    text: lines(
      words.html('shop.title', { points: number(words, facts.points) }),
      html``,
      ...facts.offers.map((offer) =>
        words.html('shop.row', {
          item: effectText(words, offer.item.effect),
          points: number(words, offer.item.points),
          note: note(offer),
        }),
      ),
    ),
    keyboard: keyboard(
      ...inRows(
        facts.offers.flatMap((offer, index) =>
          canHave(offer)
            ? [
                act(
                  words.text('btn.get', { item: shortText(words, offer.item.effect) }),
                  POINTS,
                  `get-${index}`,
                  facts.stateId,
                ),
              ]
            : [],
        ),
        2,
      ),
      footer(words),
    ),
  };
}

export function confirmItemView(
  words: Words,
  facts: { readonly points: bigint; readonly offer: Offer; readonly stateId: string },
): View {
  const { item } = facts.offer;
  return {
    text: words.html('shop.confirm', {
      points: number(words, item.points),
      item: effectText(words, item.effect),
      have: number(words, facts.points),
      left: number(words, facts.points - item.points),
    }),
    keyboard: keyboard(
      [
        act(
          words.text('btn.redeem', { points: number(words, item.points) }),
          POINTS,
          'redeem',
          facts.stateId,
        ),
      ],
      [nav(words.text('btn.back'), POINTS, 'shop')],
    ),
  };
}

export function redeemedView(words: Words, redemption: Redemption): View {
  return {
    text: lines(
      words.html('shop.done', { item: effectText(words, redemption.effect) }),
      doneText(words, redemption),
    ),
    keyboard: keyboard([
      nav(words.text('btn.points'), POINTS, 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

function doneText(words: Words, { effect, startsAt, endsAt }: Redemption): Html {
  switch (effect.kind) {
    case 'fee-discount':
      return words.html('shop.done_fee', {
        from: utcText(startsAt),
        until: endsAt === null ? 'n/a' : utcText(endsAt),
      });
    case 'wallet-slot':
      return words.html('shop.done_slot');
    case 'custom-code':
      return words.html('shop.done_code');
    case 'badge':
      return words.html('shop.done_badge');
    case 'sol-rebate':
      return words.html('shop.done_rebate');
  }
}
