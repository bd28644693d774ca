import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, type ButtonSpec, copy, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { PAGE_ROWS, type Page, PICK_WIDTH, pageRow } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay, utcText } from '../../../platform/telegram/ui/time.ts';
import { scaleMark } from '../../../platform/telegram/ui/token-amounts.ts';
import { tokensText } from '../../../platform/telegram/ui/tokens-text.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token, TokenHolding } from '../../tokens/rules/token.ts';
import { shownUnits } from '../../tokens/rules/ui-scale.ts';
import type { WalletFunds } from '../rules/agreed-funds.ts';
import { mayBeAsked, mayReceive } from '../rules/receiving-wallet.ts';
import { WALLET_GRACE_DAYS, type Wallet } from '../rules/wallet.ts';
import type { DeletedWallet, WalletRow } from '../use/list-wallets.ts';

const FEATURE = 'wallets';
/** Widths that a line, one of two buttons and one of five hold at 390 pixels; see `fitted`. */
const NAME_WIDTH = 6;
const PICK_OF_TWO = 10;
const ROW_SYMBOL = 7;

export function walletListView(
  words: Words,
  facts: {
    readonly rows: readonly WalletRow[];
    readonly max: number;
    readonly deleted: number;
    readonly microUsdPerSol: bigint | null;
    readonly stateId: string;
  },
): View {
  const { rows, max, stateId } = facts;
  const count = rows.length;
  const picks = rows.map(({ wallet }, index) =>
    act(fitted(wallet.name, PICK_OF_TWO), FEATURE, `pick-${index}`, stateId),
  );
  return {
    text: lines(
      words.html('wallets.title', { count, max }),
      ...rows.map(({ wallet, active, funds }) =>
        words.html('wallets.row', {
          mark: active ? '●' : '○',
          name: bold(fitted(wallet.name, NAME_WIDTH)),
          origin: originText(words, wallet),
          funds: fundsText(words, funds, facts.microUsdPerSol),
        }),
      ),
    ),
    keyboard: keyboard(
      ...inRows(picks, 2),
      [count < max && act(words.text('btn.create_wallet'), FEATURE, 'create', stateId)],
      [count < max && nav(words.text('btn.import'), 'backup', 'import')],
      [
        facts.deleted > 0 && nav(words.text('btn.deleted', { count: facts.deleted }), FEATURE, 'deleted'),
        nav(words.text('btn.refresh'), FEATURE, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

type WalletFacts = WalletRow & {
  readonly microUsdPerSol: bigint | null;
  readonly stateId: string;
  readonly now: number;
  /** Where payouts go; null where no wallet receives. */
  readonly payoutId: string | null;
  /** Of the person: with one alone there is nothing to choose. */
  readonly count: number;
  readonly note?: Html;
};

export function walletView(words: Words, facts: WalletFacts): View {
  const { wallet, active, now } = facts;
  return {
    text: lines(
      facts.note ?? null,
      words.html('wallets.detail', {
        name: wallet.name,
        active: active ? words.text('wallets.active') : '',
        origin: originText(words, wallet),
        address: code(wallet.address),
      }),
      !mayReceive(wallet, now) && words.html('wallets.imported_hint'),
      ...receivingLines(words, facts),
      fundsText(words, facts.funds, facts.microUsdPerSol),
    ),
    keyboard: walletButtons(words, facts),
  };
}

function walletButtons(words: Words, facts: WalletFacts): NonNullable<View['keyboard']> {
  const { wallet, stateId, now } = facts;
  const on = (label: string, action: string): ButtonSpec => act(label, FEATURE, action, stateId);
  const mayPay = facts.count > 1 && facts.payoutId !== wallet.id && mayBeAsked('payout-wallet', wallet, now);
  return keyboard(
    [
      !facts.active && on(words.text('btn.switch'), 'switch'),
      on(words.text('btn.rename'), 'rename'),
      on(words.text('btn.delete'), 'delete'),
    ],
    mayReceive(wallet, now) && [
      copy(words.text('btn.copy_address'), wallet.address),
      on(words.text('btn.deposit'), 'deposit'),
    ],
    [
      mayBeAsked('wallet-confirm', wallet, now) && on(words.text('btn.let_receive'), 'confirm'),
      mayPay && on(words.text('btn.payouts_here'), 'payouts'),
    ],
    [on(words.text('btn.withdraw_sol'), 'withdraw'), on(words.text('btn.withdraw_token'), 'withdraw_token')],
    [
      on(words.text('btn.tokens'), 'held'),
      act(words.text('btn.back_up'), 'backup', 'start', stateId),
      nav(words.text('btn.back'), FEATURE, 'open'),
    ],
  );
}

/** Its state as a receiver, now or later. */
function receivingLines(
  words: Words,
  facts: Pick<WalletFacts, 'wallet' | 'now' | 'payoutId' | 'count'>,
): (Html | false)[] {
  const { confirmedAt, payoutFrom, id } = facts.wallet;
  const waits = (at: number | null): at is number => at !== null && at > facts.now;
  return [
    waits(confirmedAt) && words.html('wallets.confirm_waits', { at: utcText(confirmedAt) }),
    waits(payoutFrom) && words.html('wallets.payout_waits', { at: utcText(payoutFrom) }),
    facts.count > 1 && facts.payoutId === id && words.html('wallets.payout_here'),
  ];
}

export type HeldToken = {
  readonly holding: TokenHolding;
  readonly token: Token | null;
  /** Millionths of a dollar by market prices; null where there is none. */
  readonly microUsd: bigint | null;
};

/** A page of the tokens of a wallet. `held` has the rows of the page alone. */
export function tokensView(
  words: Words,
  facts: Pick<Page<unknown>, 'page' | 'pages'> & {
    readonly wallet: Wallet;
    readonly held: readonly HeldToken[];
    /** Of the wallet. */
    readonly count: number;
    readonly inDoubt: boolean;
    readonly stateId: string;
  },
): View {
  const { held, page, pages, stateId } = facts;
  const figures = figuresOf(words.language);
  return {
    text: lines(
      words.html('tokens.title', {
        name: fitted(facts.wallet.name, NAME_WIDTH),
        count: figures.count(facts.count),
        page: pages === 1 ? '' : words.text('page.of', { page: page + 1, pages }),
      }),
      facts.inDoubt && words.html('funds.in_doubt'),
      held.length === 0 && words.html('tokens.none'),
      ...held.map(({ holding, token, microUsd }, index) =>
        words.html('tokens.row', {
          number: page * PAGE_ROWS + index + 1,
          symbol: bold(fitted(symbolOf(holding, token), ROW_SYMBOL)),
          amount: `${figures.units(shownUnits(holding.amount, token?.uiScale ?? null), holding.decimals)}${scaleMark(words, token)}`,
          worth: figures.worth(microUsd),
        }),
      ),
    ),
    keyboard: keyboard(
      held.map(({ holding, token }, index) =>
        act(fitted(symbolOf(holding, token), PICK_WIDTH), FEATURE, `token-${index}`, stateId),
      ),
      pageRow({ page, pages }, FEATURE, stateId),
      [
        act(words.text('btn.withdraw_held'), FEATURE, 'withdraw_token', stateId),
        nav(words.text('btn.wallets_plain'), FEATURE, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

export function deleteView(
  words: Words,
  { wallet, until, stateId }: { readonly wallet: Wallet; readonly until: number; readonly stateId: string },
): View {
  return {
    text: words.html('wallets.delete_empty', {
      name: wallet.name,
      until: utcDay(until),
      address: code(wallet.address),
    }),
    keyboard: keyboard(
      [act(words.text('btn.delete_yes'), FEATURE, 'delete_yes', stateId)],
      [nav(words.text('btn.back'), FEATURE, 'open')],
    ),
  };
}

export function deletedView(words: Words, deleted: readonly DeletedWallet[], stateId: string): View {
  return {
    text: lines(
      words.html('wallets.deleted_title', { days: WALLET_GRACE_DAYS }),
      deleted.length === 0 && words.html('wallets.deleted_none'),
      ...deleted.map(({ wallet, restorableUntil }) =>
        words.html('wallets.deleted_row', {
          name: wallet.name,
          address: code(shortAddress(wallet.address)),
          until:
            restorableUntil === null
              ? words.text('wallets.any_time')
              : words.text('wallets.until', { day: utcDay(restorableUntil) }),
        }),
      ),
    ),
    keyboard: keyboard(
      ...deleted.map(({ wallet }, index) => [
        act(words.text('btn.restore', { name: wallet.name }), FEATURE, `restore-${index}`, stateId),
      ]),
      [nav(words.text('btn.back'), FEATURE, 'open')],
    ),
  };
}

const originText = (words: Words, { origin }: Wallet): string =>
  origin === 'imported' ? words.text('wallets.imported') : '';

function fundsText(words: Words, funds: WalletFunds | null, microUsdPerSol: bigint | null): Html {
  if (funds === null) return words.html('wallets.unknown');
  return lines(
    words.html('wallets.funds', {
      sol: solText(words, funds.lamports, 4),
      usd: usdNote(words, funds.lamports, microUsdPerSol),
      tokens: tokensText(words, funds.tokens.length),
    }),
    funds.inDoubt && words.html('funds.in_doubt'),
  );
}

const symbolOf = (holding: TokenHolding, token: Token | null): string =>
  token === null ? shortAddress(holding.mint) : displaySymbol(token);
