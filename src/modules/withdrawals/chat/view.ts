import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { cancelChoice, choice } from '../../../platform/telegram/ui/form-buttons.ts';
import { code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, type Keyboard, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { type Page, pageRow } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDayMinute } from '../../../platform/telegram/ui/time.ts';
import { scaleMark, scaleNote, tokenText } from '../../../platform/telegram/ui/token-amounts.ts';
import type { GuardOverview } from '../../guard/use/guard-overview.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token, TokenHolding } from '../../tokens/rules/token.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import type { WithdrawalQuote } from '../use/withdrawal-quote.ts';

export const WITHDRAW = 'withdraw';
/** Widths that a button as wide as the message holds at 390 pixels; see `fitted`. */
const PICK_SYMBOL = 9;
const PICK_AMOUNT = 12;

/** A page of the withdrawable tokens; `held` has the rows of the page alone. */
export function pickTokenView(
  words: Words,
  facts: Pick<Page<unknown>, 'page' | 'pages'> & {
    readonly wallet: Wallet;
    readonly held: readonly { readonly holding: TokenHolding; readonly token: Token | null }[];
    readonly inDoubt: boolean;
    readonly stateId: string;
  },
): View {
  const { wallet, held, page, pages, inDoubt, stateId } = facts;
  const labels = held.map(({ holding, token }) => {
    const symbol = token === null ? shortAddress(holding.mint) : displaySymbol(token);
    const amount = tokenText(words, holding.amount, { ...holding, uiScale: token?.uiScale ?? null }, 4);
    return `${fitted(symbol, PICK_SYMBOL)} · ${fitted(`${amount}${scaleMark(words, token)}`, PICK_AMOUNT)}`;
  });
  return {
    text: lines(
      words.html(held.length === 0 ? 'withdraw.no_tokens' : 'withdraw.pick', { wallet: wallet.name }),
      inDoubt && words.html('funds.in_doubt'),
    ),
    keyboard: keyboard(
      ...inRows(
        labels.map((label, index) => act(label, WITHDRAW, `token-${index}`, stateId)),
        1,
      ),
      pageRow({ page, pages }, WITHDRAW, stateId),
      [nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

export function nothingToWithdrawView(words: Words, wallet: Wallet): View {
  return {
    text: words.html('withdraw.no_sol', { wallet: wallet.name }),
    keyboard: keyboard([
      nav(words.text('btn.deposit'), 'deposit', 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}

/** The buttons under the question for an amount. */
export function amountChoices(words: Words): Keyboard {
  return keyboard(
    [choice('25 %', 'p25'), choice('50 %', 'p50'), choice(words.text('btn.max'), 'max')],
    [cancelChoice(words)],
  );
}

/** Every number before it is done: amount, destination in full, amount that arrives, fees, amount left. */
export function confirmWithdrawalView(
  words: Words,
  facts: {
    readonly quote: WithdrawalQuote;
    readonly wallet: Wallet;
    readonly microUsdPerSol: bigint | null;
    readonly guard: GuardOverview;
    /** When it leaves; null = at once. */
    readonly waitsUntil: number | null;
    readonly stateId: string;
  },
): View {
  const { quote, wallet, guard, waitsUntil, stateId } = facts;
  return {
    text: lines(
      words.html('withdraw.confirm_from', { amount: leavingText(words, facts), wallet: wallet.name }),
      words.html('withdraw.confirm_to', { address: code(quote.destination) }),
      ...tokenLines(words, quote),
      words.html(quote.leftLamports === 0n ? 'withdraw.costs_all' : 'withdraw.costs', {
        fee: figuresOf(words.language).solUpTo(quote.networkFeeCapLamports),
        left: figuresOf(words.language).sol(quote.leftLamports),
      }),
      words.html('withdraw.cap', {
        left: figuresOf(words.language).sol(guard.capLeft),
        cap: figuresOf(words.language).sol(guard.cap),
      }),
      waitsUntil !== null && words.html('withdraw.new_address', { at: utcDayMinute(waitsUntil) }),
      words.html('withdraw.undone'),
      guard.hasPin
        ? words.html(waitsUntil === null ? 'withdraw.ask_pin' : 'withdraw.ask_pin_later')
        : words.html('withdraw.pin_first'),
      guard.hasSecondFactor && words.html('security.with_code'),
    ),
    keyboard: keyboard([
      !guard.hasPin && act(words.text('btn.set_pin'), 'security', 'pin', stateId),
      nav(words.text('btn.cancel'), WITHDRAW, 'cancel'),
    ]),
  };
}

/** The second request for the PIN. It repeats the amount and the whole address, as on the screen that is gone. */
export function askPinAgain(
  words: Words,
  {
    amount,
    destination,
    waits,
  }: { readonly amount: string; readonly destination: string; readonly waits: boolean },
): Html {
  return lines(
    words.html('withdraw.confirm_title', { amount }),
    words.html('withdraw.confirm_to', { address: code(destination) }),
    html``,
    words.html(waits ? 'withdraw.ask_pin_later' : 'withdraw.ask_pin'),
  );
}

export function leavingText(
  words: Words,
  facts: {
    readonly quote: WithdrawalQuote;
    readonly microUsdPerSol: bigint | null;
  },
): string {
  const { quote } = facts;
  return quote.asset === 'sol'
    ? `${solText(words, quote.receivesLamports)}${usdNote(words, quote.receivesLamports, facts.microUsdPerSol)}`
    : `${tokenText(words, quote.amount, quote.token)} ${displaySymbol(quote.token)}${scaleMark(words, quote.token)}`;
}

function tokenLines(words: Words, quote: WithdrawalQuote): readonly Html[] {
  if (quote.asset === 'sol') return [];
  const found: Html[] = [
    html`${words.html('trade.mint_line', { mint: code(shortAddress(quote.token.mint)) })}`,
  ];
  const note = scaleNote(words, quote.token);
  if (note !== null) found.push(note);
  if (quote.transferFee > 0n) {
    found.push(
      words.html('withdraw.arrives', {
        amount: `${tokenText(words, quote.receives, quote.token)} ${displaySymbol(quote.token)}`,
        fee: tokenText(words, quote.transferFee, quote.token),
      }),
    );
  }
  if (quote.accountRentLamports > 0n) {
    found.push(words.html('withdraw.rent', { sol: solText(words, quote.accountRentLamports) }));
  }
  return found;
}
