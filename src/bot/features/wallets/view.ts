import { shortAddress } from '../../../core/address/address.ts';
import { displaySymbol } from '../../../core/tokens/display-name.ts';
import type { Token, TokenHolding } from '../../../core/tokens/token.ts';
import { WALLET_GRACE_DAYS, type Wallet } from '../../../core/wallets/wallet.ts';
import type { DeletedWallet, WalletFunds, WalletRow } from '../../../services/wallets/list-wallets.ts';
import type { Words } from '../../locales/words.ts';
import { amountText, solText, usdNote } from '../../ui/amounts.ts';
import { bold, code, type Html, lines } from '../../ui/html.ts';
import { act, type ButtonSpec, copy, inRows, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { utcDay } from '../../ui/time.ts';
import { tokensText } from '../../ui/tokens-text.ts';

const FEATURE = 'wallets';
const TOKENS_SHOWN = 20;

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
  const picks = rows.map(({ wallet }, index) => act(wallet.name, FEATURE, `pick-${index}`, stateId));
  return {
    text: lines(
      words.html('wallets.title', { count, max }),
      ...rows.map(({ wallet, active, funds }) =>
        words.html('wallets.row', {
          mark: active ? '●' : '○',
          name: bold(wallet.name),
          address: code(shortAddress(wallet.address)),
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

export function walletView(
  words: Words,
  facts: WalletRow & {
    readonly microUsdPerSol: bigint | null;
    readonly stateId: string;
    readonly note?: Html;
  },
): View {
  const { wallet, active, stateId } = facts;
  const on = (label: string, action: string): ButtonSpec => act(label, FEATURE, action, stateId);
  return {
    text: lines(
      facts.note ?? null,
      words.html('wallets.detail', {
        name: wallet.name,
        active: active ? words.text('wallets.active') : '',
        address: code(wallet.address),
      }),
      fundsText(words, facts.funds, facts.microUsdPerSol),
    ),
    keyboard: keyboard(
      [
        !active && on(words.text('btn.switch'), 'switch'),
        on(words.text('btn.rename'), 'rename'),
        on(words.text('btn.delete'), 'delete'),
      ],
      [copy(words.text('btn.copy_address'), wallet.address), on(words.text('btn.deposit'), 'deposit')],
      [
        on(words.text('btn.withdraw_sol'), 'withdraw'),
        on(words.text('btn.withdraw_token'), 'withdraw_token'),
      ],
      [
        on(words.text('btn.tokens'), 'held'),
        act(words.text('btn.back_up'), 'backup', 'start', stateId),
        nav(words.text('btn.back'), FEATURE, 'open'),
      ],
    ),
  };
}

export type HeldToken = { readonly holding: TokenHolding; readonly token: Token | null };

export function tokensView(
  words: Words,
  facts: { readonly wallet: Wallet; readonly held: readonly HeldToken[]; readonly stateId: string },
): View {
  const shown = facts.held.slice(0, TOKENS_SHOWN);
  const symbols = shown.map(({ holding, token }) => symbolOf(holding, token));
  return {
    text: lines(
      words.html('tokens.title', { name: facts.wallet.name }),
      shown.length === 0 && words.html('tokens.none'),
      ...shown.map(({ holding }, index) =>
        words.html('tokens.row', {
          symbol: code(symbols[index] ?? ''),
          amount: amountText(holding.amount, holding.decimals),
          mint: code(holding.mint),
        }),
      ),
      facts.held.length > shown.length &&
        words.html('tokens.more', { count: facts.held.length - shown.length }),
    ),
    keyboard: keyboard(
      ...inRows(
        symbols.map((symbol, index) => act(symbol, FEATURE, `token-${index}`, facts.stateId)),
        3,
      ),
      [nav(words.text('btn.wallets_plain'), FEATURE, 'open'), nav(words.text('btn.home'), 'home', 'open')],
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

function fundsText(words: Words, funds: WalletFunds | null, microUsdPerSol: bigint | null): Html {
  if (funds === null) return words.html('wallets.unknown');
  return words.html('wallets.funds', {
    sol: solText(funds.lamports, 4),
    usd: usdNote(funds.lamports, microUsdPerSol),
    tokens: tokensText(words, funds.tokens.length),
  });
}

const symbolOf = (holding: TokenHolding, token: Token | null): string =>
  token === null ? shortAddress(holding.mint) : displaySymbol(token);
