import { SOL_DECIMALS, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { fitted, widthOf } from '../../../core/text/fit.ts';
import { plainText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, code, type Html, html, lines, plain } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  type ButtonSpec,
  buys,
  type Keyboard,
  keyboard,
  nav,
  sells,
  ticked,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText, utcClock } from '../../../platform/telegram/ui/time.ts';
import { scaleNote } from '../../../platform/telegram/ui/token-amounts.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import type { ShownPosition } from '../../positions/use/list-positions.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import { riskLine } from '../../tokens/chat/safety-text.ts';
import { displayName, displaySymbol } from '../../tokens/rules/display-name.ts';
import { shownUnits } from '../../tokens/rules/ui-scale.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { microUsd, microUsdShown, picoUsdShown } from '../rules/price.ts';
import type { TradeCard } from '../use/trade-card.ts';

export const TRADE = 'trade';
/** The width of a name in a button beside three others at 390 pixels. */
const WALLET_LABEL = 3.6;
/** Widths beside the short mint, so that a title is one line. */
const TITLE_SYMBOL = 10.5;
const TITLE_LINE = 12.5;
const LONGEST_NAME = 14;

export type CardFacts = {
  readonly card: TradeCard;
  /** The market data of it; null where there are none. */
  readonly profile: TokenProfile | null;
  /** The holding with its cost; null where nothing of it is recorded. */
  readonly position: ShownPosition | null;
  /** Whether sales of the holding wait for a price. */
  readonly guarded: boolean;
  readonly wallet: Wallet;
  readonly settings: Settings;
  readonly stateId: string;
  /** Epoch milliseconds at which the card was read. */
  readonly readAt: number;
  /** Read first, such as why it was not bought at once. */
  readonly note?: Html | null;
};

/** One token for one wallet: its worth, its result, its price moves, its risks. */
export function cardView(words: Words, facts: CardFacts): View {
  const { card } = facts;
  const figures = figuresOf(words.language);
  const trades = card.price !== null;
  return {
    text: lines(
      facts.note ?? null,
      titleLine(card),
      trades ? priceLine(words, figures, facts) : words.html('trade.no_market'),
      trades && isBlocked(facts) && riskLine(words, card.safety),
      trades && resultLine(words, figures, facts),
      trades && !isBlocked(facts) && changeLine(words, figures, facts.profile),
      trades && marketLine(words, figures, facts),
      trades && holdersLine(words, figures, facts.profile),
      trades && exitLine(words, figures, facts),
      (!trades || !isBlocked(facts)) && riskLine(words, card.safety),
      card.unasked.length > 0 && words.html('trade.unasked', { venues: card.unasked.join(', ') }),
      card.holdingUnits > 0n && scaleNote(words, card.token),
      walletLine(words, figures, facts),
      card.walletLamports === 0n && words.html('trade.no_sol'),
    ),
    keyboard: cardButtons(words, facts),
  };
}

/** A held token was accepted before: only the first purchase of it asks for a word. */
const isBlocked = ({ card }: CardFacts): boolean => card.safety.level === 'BLOCK' && card.holdingUnits === 0n;

/** `PUP Puppy · 9iAh…js4w`. */
export function titleLine({ token }: Pick<TradeCard, 'token'>): Html {
  const symbol = fitted(displaySymbol(token), TITLE_SYMBOL);
  const name = displayName(token.name);
  const rest = Math.max(0, TITLE_LINE - widthOf(symbol));
  return html`${bold(symbol)}${name === null || name === symbol || rest < 2 ? '' : html` ${fitted(name, rest)}`} · ${code(shortAddress(token.mint))}`;
}

/** As every list and page prints them; from the card's own reading where the markets say nothing of the token. */
function shownFigures({ card, profile }: CardFacts) {
  const { token, picoUsd, microUsdPerSol, liquidityLamports } = card;
  const price = profile?.price ?? null;
  if (profile !== null && price !== null)
    return {
      picoUsd: picoUsdShown(price.usd),
      cap: microUsdShown(profile.marketCapUsd),
      liquidity: microUsdShown(profile.liquidityUsd),
    };
  return {
    picoUsd,
    cap: picoUsd === null ? null : (picoUsd * token.supply) / 10n ** BigInt(token.decimals) / 1_000_000n,
    liquidity: microUsdPerSol === null ? null : microUsd(liquidityLamports, microUsdPerSol),
  };
}

function priceLine(words: Words, figures: Figures, facts: CardFacts): Html {
  const { picoUsd, cap } = shownFigures(facts);
  return words.html('trade.price', {
    price: bold(picoUsd === null ? figures.solPrice(facts.card.price) : figures.price(picoUsd)),
    cap: bold(figures.compact(cap)),
  });
}

/** The present proceeds of the holding against its cost, every fee in. */
function resultLine(words: Words, figures: Figures, { card, position }: CardFacts): Html | null {
  if (card.holdingUnits === 0n) return null;
  const net = position?.sale?.netLamports ?? null;
  if (position === null || net === null)
    return words.html('trade.you_hold', {
      amount: heldText(figures, card),
      symbol: displaySymbol(card.token),
    });
  const worth = worthText(figures, net < 0n ? 0n : net, card.microUsdPerSol);
  if (position.unrealized === null || position.position.cost <= 0n)
    return words.html('trade.you_worth', { worth });
  return words.html('trade.you', {
    percent: bold(figures.change(position.unrealized, position.position.cost)),
    gain: signedText(figures, position.unrealized, card.microUsdPerSol),
    worth,
  });
}

/** Dollars, or SOL while its price is not known. */
export const worthText = (figures: Figures, lamports: bigint, microUsdPerSol: bigint | null): string =>
  microUsdPerSol === null ? figures.sol(lamports) : figures.usd(microUsd(lamports, microUsdPerSol));

/** As `worthText`, with its sign. */
export const signedText = (figures: Figures, lamports: bigint, microUsdPerSol: bigint | null): string =>
  microUsdPerSol === null
    ? figures.signedSol(lamports)
    : figures.signedUsd(signedMicroUsd(lamports, microUsdPerSol));

/** One lamport is less than a millionth of a dollar, and not nothing: it keeps its sign. */
function signedMicroUsd(lamports: bigint, microUsdPerSol: bigint): bigint {
  const value = microUsd(lamports, microUsdPerSol);
  return value !== 0n || lamports === 0n ? value : lamports > 0n ? 1n : -1n;
}

export const heldText = (figures: Figures, { holdingUnits, token }: TradeCard): string =>
  figures.units(shownUnits(holdingUnits, token.uiScale), token.decimals);

function changeLine(words: Words, figures: Figures, profile: TokenProfile | null): Html | null {
  if (profile === null) return null;
  const { change } = profile;
  if (change['24h'] === null && change['1h'] === null && change['5m'] === null) return null;
  return words.html('trade.change', {
    m5: figures.move(change['5m']),
    h1: figures.move(change['1h']),
    h24: figures.move(change['24h']),
  });
}

function marketLine(words: Words, figures: Figures, facts: CardFacts): Html {
  const { card, profile } = facts;
  const { liquidity } = shownFigures(facts);
  const volume = microUsdShown(profile?.volume24hUsd ?? null);
  const holders = profile?.holders ?? null;
  const parts = [
    words.text('trade.liquidity', {
      liquidity: liquidity === null ? figures.sol(card.liquidityLamports) : figures.compact(liquidity),
    }),
    ...(volume === null ? [] : [words.text('trade.volume', { volume: figures.compact(volume) })]),
    ...(holders === null ? [] : [holdersText(words, figures, holders)]),
  ];
  return html`${plain(parts.join(' · '))}`;
}

const holdersText = (words: Words, figures: Figures, count: number): string =>
  count === 1
    ? words.text('trade.holder_one')
    : words.text('trade.holders', { count: figures.count(Math.trunc(count)) });

/** In whose hands it is, and how far its launch came. */
function holdersLine(words: Words, figures: Figures, profile: TokenProfile | null): Html | null {
  if (profile === null) return null;
  const parts = [
    ...(profile.top10Percent === null
      ? []
      : [
          words.text('trade.top10', {
            percent: figures.percentUpTo(Math.round(profile.top10Percent * 100)),
          }),
        ]),
    ...(profile.launch === null || profile.launch.graduated
      ? []
      : [words.text('trade.sold', { percent: figures.percent(profile.launch.soldBps) })]),
  ];
  return parts.length === 0 ? null : html`${plain(parts.join(' · '))}`;
}

/** The loss of a small purchase that is sold at once; `est.` where the chain was not asked. */
function exitLine(words: Words, figures: Figures, { card, profile, readAt }: CardFacts): Html | null {
  const { testSale } = card;
  const parts = [
    ...(testSale === null
      ? []
      : [
          words.text('trade.in_and_out', {
            percent: figures.change(BigInt(testSale.returnedBps - 10_000), 10_000n),
            how: testSale.simulated ? '' : words.text('trade.estimated'),
          }),
        ]),
    ...(profile === null ? [] : [words.text('trade.seen', { age: ageText(readAt - profile.firstSeenAt) })]),
  ];
  return parts.length === 0 ? null : html`${plain(parts.join(' · '))}`;
}

function walletLine(words: Words, figures: Figures, { card, wallet, readAt }: CardFacts): Html {
  const sol = figures.sol(card.walletLamports);
  const name = shortened(wallet.name, LONGEST_NAME);
  const at = utcClock(readAt);
  if (card.price === null)
    return words.html(card.holdingUnits === 0n ? 'trade.wallet_none' : 'trade.wallet_holds', {
      wallet: name,
      sol,
      at,
      amount: heldText(figures, card),
    });
  return words.html(card.holdingUnits === 0n ? 'trade.wallet_none' : 'trade.wallet', {
    wallet: name,
    sol,
    at,
  });
}

/** Names are their owner's to choose: a label keeps to its button. */
export const shortened = (name: string, longest: number): string => {
  const letters = Array.from(name);
  return letters.length <= longest ? name : `${letters.slice(0, longest - 1).join('')}…`;
};

/** Only possible acts: nothing is bought without SOL, and nothing is traded where no market is. */
function cardButtons(words: Words, facts: CardFacts): Keyboard {
  const { card, settings, wallet, stateId } = facts;
  const on = (label: string, action: string): ButtonSpec => act(label, TRADE, action, stateId);
  const trades = card.price !== null;
  const holds = card.holdingUnits > 0n;
  if (isBlocked(facts))
    return keyboard(
      trades && card.walletLamports > 0n && [on(words.text('btn.buy_blocked'), 'buyx')],
      card.walletLamports === 0n && [nav(words.text('btn.deposit'), 'deposit', 'open')],
      [
        on(words.text('btn.safety'), 'safety'),
        act(words.text('btn.chart'), 'chart', 'open', stateId),
        on(words.text('btn.more'), 'more'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    );
  return keyboard(
    trades && card.walletLamports > 0n && buyRow(words, settings, stateId),
    trades && holds && sellRow(words, settings, stateId),
    card.walletLamports === 0n && [nav(words.text('btn.deposit'), 'deposit', 'open')],
    trades && [
      act(words.text('btn.tab_limit'), 'orders', 'limit', stateId),
      holds && act(marked(words.text('btn.tab_tpsl'), facts.guarded), 'orders', 'tpsl', stateId),
      act(words.text('btn.tab_dca'), 'orders', 'dca', stateId),
      act(words.text('btn.alert'), 'alerts', 'new', stateId),
    ],
    [
      trades && act(words.text('btn.chart'), 'chart', 'open', stateId),
      on(words.text('btn.safety'), 'safety'),
      trades && act(slipLabel(words, settings), 'setting', 'slippage', stateId),
      on(`${fitted(wallet.name, WALLET_LABEL)} ▾`, 'wallets'),
    ],
    [
      on(words.text('btn.refresh'), 'card'),
      on(words.text('btn.more'), 'more'),
      nav(words.text('btn.home'), 'home', 'open'),
    ],
  );
}

const slipLabel = (words: Words, { autoSlipBuyBps, slippageBuyBps }: Settings): string =>
  autoSlipBuyBps === null
    ? words.text('btn.slip', { percent: figuresOf(words.language).percent(slippageBuyBps) })
    : words.text('btn.slip_auto');

const marked = (text: string, is: boolean): string => (is ? `${text} ✓` : text);

function buyRow(words: Words, { buyPresets }: Settings, stateId: string): readonly ButtonSpec[] {
  return [
    ...buyPresets.map((lamports, index) =>
      buys(plainText(words, lamports, SOL_DECIMALS), TRADE, `buy-${index}`, stateId),
    ),
    buys('X', TRADE, 'buyx', stateId),
  ];
}

function sellRow(words: Words, { sellPresetsBps }: Settings, stateId: string): readonly ButtonSpec[] {
  const figures = figuresOf(words.language);
  return [
    ...sellPresetsBps.map((share, index) => sells(figures.percent(share), TRADE, `sell-${index}`, stateId)),
    sells(words.text('btn.other_percent'), TRADE, 'sellx', stateId),
  ];
}

export type WalletChoice = { readonly wallet: Wallet; readonly lamports: bigint; readonly units: bigint };

/** Which wallet trades this token. */
export function walletChoiceView(
  words: Words,
  facts: {
    readonly token: TradeCard['token'];
    readonly wallets: readonly WalletChoice[];
    readonly chosenId: string;
    readonly stateId: string;
  },
): View {
  const { token, chosenId, stateId } = facts;
  const figures = figuresOf(words.language);
  const symbol = displaySymbol(token);
  return {
    text: lines(
      words.html('trade.which_wallet', { symbol }),
      ...facts.wallets.map(
        ({ wallet, lamports, units }) =>
          html`${wallet.id === chosenId ? '●' : '○'} ${shortened(wallet.name, LONGEST_NAME)} ${figures.sol(lamports)} · ${
            units === 0n
              ? words.text('trade.none')
              : `${figures.units(shownUnits(units, token.uiScale), token.decimals)} ${symbol}`
          }`,
      ),
    ),
    keyboard: keyboard(
      ...pairs(
        facts.wallets.map(({ wallet }, index) =>
          act(
            ticked(shortened(wallet.name, LONGEST_NAME), wallet.id === chosenId),
            TRADE,
            `from-${index}`,
            stateId,
          ),
        ),
      ),
      [act(words.text('btn.back_to', { symbol: shortened(symbol, LONGEST_NAME) }), TRADE, 'card', stateId)],
    ),
  };
}

const pairs = (buttons: readonly ButtonSpec[]): readonly (readonly ButtonSpec[])[] =>
  buttons.flatMap((_, index) => (index % 2 === 0 ? [buttons.slice(index, index + 2)] : []));
