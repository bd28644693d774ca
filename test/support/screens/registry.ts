import { TOKEN_PROGRAM } from '@tradepost/solana';
import type { Words } from '../../../src/compose/texts/words.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { resultView } from '../../../src/engine/intents/chat/result-view.ts';
import { alertFormView } from '../../../src/modules/alerts/chat/view.ts';
import { paperSkipsView, skipsView } from '../../../src/modules/copying/chat/decisions-view.ts';
import { copyFormView, copyView } from '../../../src/modules/copying/chat/view.ts';
import type { PaperTrade } from '../../../src/modules/copying/rules/paper-copy.ts';
import { signalNoticeView, signalView } from '../../../src/modules/follows/chat/signal-view.ts';
import { followListView, followNoticeView, followView } from '../../../src/modules/follows/chat/view.ts';
import type { LeaderHistory } from '../../../src/modules/follows/rules/leader-history.ts';
import { ownGroupView, scanView, standingsView } from '../../../src/modules/groups/chat/view.ts';
import {
  buyersView,
  filterView,
  alertsView as launchAlertsView,
  launchListView,
} from '../../../src/modules/launches/chat/view.ts';
import { type DraftState, eventLeg } from '../../../src/modules/orders/chat/draft-state.ts';
import { formView } from '../../../src/modules/orders/chat/form-view.ts';
import { listView, pageView } from '../../../src/modules/orders/chat/list-view.ts';
import { keyFormView, keysView } from '../../../src/modules/personal-keys/chat/view.ts';
import { eventsText, guardText } from '../../../src/modules/positions/chat/guards.ts';
import { hiddenListView, positionListView, positionView } from '../../../src/modules/positions/chat/view.ts';
import { slippageView } from '../../../src/modules/settings/chat/slippage-view.ts';
import {
  exitsView,
  presetsView,
  priorityView,
  settingsView,
} from '../../../src/modules/settings/chat/view.ts';
import { NO_EXITS } from '../../../src/modules/settings/rules/exit-set.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { cardView } from '../../../src/modules/trading/chat/card-view.ts';
import { confirmTradeView } from '../../../src/modules/trading/chat/confirm-view.ts';
import { homeView } from '../../../src/modules/wallets/chat/home-view.ts';
import { tokensView, walletListView, walletView } from '../../../src/modules/wallets/chat/view.ts';
import { confirmWithdrawalView, pickTokenView } from '../../../src/modules/withdrawals/chat/view.ts';
import type { View } from '../../../src/platform/telegram/ui/screen.ts';
import {
  cardOf,
  copyOnScreen,
  followOf,
  followsOf,
  formOf,
  funds,
  GUARD,
  groupCall,
  groupOf,
  groupProfile,
  held,
  leaderTradeOf,
  MICRO_USD,
  mintOf,
  type Names,
  NOW,
  orderOf,
  ordersOf,
  personalKeyOnScreen,
  positionOf,
  positionsOf,
  quoteOf,
  REPLAYED,
  resultOf,
  SOL,
  STATE,
  shownLaunch,
  skippedOf,
  tokenOf,
  walletOf,
} from './facts.ts';

export type DrawScreen = (words: Words, names: Names) => View;

const exits = { takes: [{ atBps: 10_000, shareBps: 10_000 }], stopBps: 3_000, trailBps: null };
const threeTakes = {
  takes: [2_500, 10_000, 30_000].map((atBps) => ({ atBps, shareBps: 3_333 })),
  stopBps: null,
  trailBps: 2_500,
};
const rate = { got: 123_456_789n, given: 1_234_567_890_123n };

/** The screens of every day. One that prints a name has its line here: heights, links and buttons are tested over this list. */
export const SCREENS: Readonly<Record<string, DrawScreen>> = {
  'card held': (words, names) => cardView(words, cardOf(names, true)),
  'card with auto slippage': (words, names) => {
    const facts = cardOf(names, true);
    return cardView(words, { ...facts, settings: { ...facts.settings, autoSlipBuyBps: bps(1_000) } });
  },
  'card empty': (words, names) => cardView(words, cardOf(names, false)),
  'confirm a buy': (words, names) =>
    confirmTradeView(words, {
      quote: quoteOf(names, 'buy'),
      wallet: walletOf(names),
      microUsdPerSol: MICRO_USD,
      stateId: STATE,
      note: null,
      why: null,
      own: NO_EXITS,
      exits,
    }),
  'confirm a buy without exits': (words, names) =>
    confirmTradeView(words, {
      quote: quoteOf(names, 'buy'),
      wallet: walletOf(names),
      microUsdPerSol: MICRO_USD,
      stateId: STATE,
      note: null,
      why: null,
      own: NO_EXITS,
      exits: NO_EXITS,
    }),
  'confirm a sale': (words, names) =>
    confirmTradeView(words, {
      quote: quoteOf(names, 'sell'),
      wallet: walletOf(names),
      microUsdPerSol: MICRO_USD,
      stateId: STATE,
      note: null,
      why: null,
      own: NO_EXITS,
      exits,
    }),
  bought: (words, names) => resultView(words, resultOf(names, 'buy', false)),
  'sold a part': (words, names) => resultView(words, resultOf(names, 'sell', false)),
  'sold all': (words, names) => resultView(words, resultOf(names, 'sell', true)),
  positions: (words, names) =>
    positionListView(words, positionsOf(names, 60), {
      page: 0,
      guards: new Map([
        [mintOf(0), ['TP', 'SL', 'Dev', 'Liq']],
        [mintOf(1), ['SL']],
      ]),
      stateId: STATE,
      empty: {
        accounts: [{ account: mintOf(1), tokenProgram: TOKEN_PROGRAM }],
        excess: [],
        rentLamports: 2_039_280n,
        empty: 1,
        kept: 0,
        later: 0,
      },
    }),
  'hidden positions': (words, names) =>
    hiddenListView(
      words,
      { ...positionsOf(names, 1), hidden: positionsOf(names, 60).shown },
      { page: 3, stateId: STATE },
    ),
  position: (words, names) =>
    positionView(words, {
      one: positionOf(names),
      microUsdPerSol: MICRO_USD,
      nowPicoUsd: 1_513_579n,
      lastBuy: SOL,
      holding: { since: NOW - 59 * 60_000, paidLamports: SOL, takenLamports: SOL },
      now: NOW,
      guard: guardText(
        words,
        [orderOf(1, { side: 'sell', type: 'STOP_LOSS', amount: { kind: 'rest' }, request: '-30%' })],
        {
          token: tokenOf(names),
          microUsdPerSol: MICRO_USD,
        },
      ),
      events: eventsText(words, EVENT_EXITS),
      stateId: STATE,
    }),
  orders: (words, names) => {
    const all = ordersOf(100).toSorted((a, b) => (a.mint < b.mint ? -1 : a.mint > b.mint ? 1 : 0));
    return listView(words, {
      orders: all.slice(22, 27).map((order) => ({ order, token: { ...tokenOf(names), mint: order.mint } })),
      all,
      page: 4,
      pages: 20,
      microUsdPerSol: MICRO_USD,
      marks: [0, 1, 2, 3].map((n) => ({ mint: mintOf(n), slot: 1n, price: rate, at: NOW - 2_000 })),
      now: NOW,
      stateId: STATE,
      isHistory: false,
    });
  },
  order: (words, names) =>
    pageView(words, {
      order: orderOf(1, { side: 'sell', type: 'STOP_LOSS', amount: { kind: 'rest' } }),
      token: tokenOf(names),
      mark: { mint: mintOf(1), slot: 1n, price: rate, at: NOW - 2_000 },
      trail: null,
      fires: [],
      microUsdPerSol: MICRO_USD,
      now: NOW,
      stateId: STATE,
    }),
  limit: (words, names) => formView(words, formOf(names, 'limit')),
  exits: (words, names) => formView(words, formOf(names, 'tpsl')),
  'exits, advanced': (words, names) => {
    const form = formOf(names, 'tpsl');
    const trail = { ...form.state.legs[1], type: 'TRAILING_STOP', trailBps: 2_500 } as const;
    const events = [eventLeg('DEV_SELLS'), eventLeg('LIQUIDITY_FALLS', 5_000)];
    const legs = [...form.state.legs.slice(0, 1), trail, ...events] as DraftState['legs'];
    return formView(words, {
      ...form,
      state: { ...form.state, legs, advanced: true, anyPrice: true, sellsAtEnd: true },
    });
  },
  dca: (words, names) => formView(words, formOf(names, 'dca')),
  alert: (words, names) =>
    alertFormView(words, {
      draft: {
        mint: mintOf(0),
        placeKey: 'p',
        repeats: true,
        chosen: { request: '-20%', unit: 'SOL', price: rate, direction: 'below' },
      },
      token: tokenOf(names),
      now: rate,
      microUsdPerSol: MICRO_USD,
      count: 50,
      stateId: STATE,
      back: { feature: 'trade', stateId: STATE },
    }),
  launches: (words, names) =>
    launchListView(words, {
      list: 'near',
      page: 9,
      shown: { rows: [0, 1, 2, 3, 4].map((n) => shownLaunch(names, n)), more: true },
      filter: 'age<1h cap>5k holders>50 dev<5 top10<30 bundle<10',
      now: NOW,
      stateId: STATE,
    }),
  'a filter of launches': (words) => filterView(words, { filter: 'age<1h cap>5k dev<5 curve>20' }),
  'alerts of launches': (words) =>
    launchAlertsView(words, { stages: ['new', 'near', 'graduated'], filter: 'age<1h cap>5k dev<5 curve>20' }),
  'early buyers': (words, names) => launchBuyers(words, names, null),
  'trades of snipers': (words, names) => launchBuyers(words, names, 'snipers'),
  following: (words, names) =>
    followListView(words, {
      follows: followsOf(names, 9),
      signal: { wallets: 10, spanMs: 86_340_000 },
      page: 0,
      stateId: STATE,
    }),
  'the signal': (words) => signalView(words, { signal: { wallets: 10, spanMs: 86_340_000 }, followed: 9 }),
  'no signal': (words) => signalView(words, { signal: null, followed: 0 }),
  'a signal': (words, names) =>
    signalNoticeView(words, {
      token: tokenOf(names),
      labels: Array.from({ length: 10 }, () => names.wallet),
      beganAt: NOW,
      spanMs: 86_340_000,
      funders: 10,
      unknown: 10,
      stateId: STATE,
    }),
  'a followed wallet': (words, names) =>
    followView(words, {
      follow: followOf(names, 0),
      trades: [0, 1, 2, 3, 4].map((n) => ({
        trade: leaderTradeOf(n),
        takenBack: n === 4,
        token: n === 3 ? null : tokenOf(names),
      })),
      money: { sol: mintOf(70) },
      stateId: STATE,
    }),
  'a copied wallet': (words, names) =>
    copyView(words, {
      follow: followOf(names, 0),
      copy: copyOnScreen(),
      spent: { today: 987_654_321_012n, inAll: 987_654_321_012n },
      replay: REPLAYED,
      paper: null,
      history: pastOf('pruned'),
      stateId: STATE,
    }),
  'a wallet whose past is being read': (words, names) =>
    copyView(words, {
      follow: followOf(names, 0),
      copy: null,
      spent: null,
      replay: { ...REPLAYED, priced: 9, isFew: true },
      paper: paperOnScreen(),
      history: pastOf(null),
      stateId: STATE,
    }),
  'a wallet copied on paper': (words, names) =>
    copyView(words, {
      follow: followOf(names, 0),
      copy: null,
      spent: null,
      replay: REPLAYED,
      paper: paperOnScreen(),
      history: pastOf('pruned'),
      stateId: STATE,
    }),
  'decisions on paper': (words, names) =>
    paperSkipsView(words, {
      label: names.wallet,
      rows: ['skip', 'sell', 'skip', 'buy', 'skip', 'skip', 'skip'].map((what, n) => ({
        trade: paperTradeOf(what),
        token: n === 3 ? null : tokenOf(names),
      })),
      stateId: STATE,
    }),
  'program keys': (words) =>
    keysView(words, {
      keys: Array.from({ length: 5 }, (_, n) => personalKeyOnScreen(n)),
      isOn: true,
      stateId: STATE,
    }),
  'the form of a program key': (words, names) =>
    keyFormView(words, {
      draft: { walletId: 'w', publicKey: mintOf(0), days: 90, terms: personalKeyOnScreen(0).terms },
      wallet: names.wallet,
      host: 'desk.example.org',
      stateId: STATE,
    }),
  'the form of a copy': (words, names) =>
    copyFormView(words, {
      label: names.wallet,
      wallet: names.wallet,
      draft: { followId: 'f', walletId: 'w', version: 1, rules: copyOnScreen().rules },
      stateId: STATE,
    }),
  'the form of a new copy': (words, names) =>
    copyFormView(words, {
      label: names.wallet,
      wallet: names.wallet,
      draft: {
        followId: 'f',
        walletId: 'w',
        version: null,
        rules: { ...copyOnScreen().rules, size: { kind: 'fixed', lamports: 98_765_432_101n } },
      },
      stateId: STATE,
    }),
  'skips of a copy': (words, names) =>
    skipsView(words, {
      label: names.wallet,
      rows: skippedOf(7).map((trade, n) => ({ trade, token: n === 3 ? null : tokenOf(names) })),
      stateId: STATE,
    }),
  'a trade of a followed wallet': (words, names) =>
    followNoticeView(words, {
      label: names.wallet,
      leader: mintOf(0),
      trade: leaderTradeOf(0),
      isBack: true,
      token: tokenOf(names),
      money: { sol: mintOf(70) },
      stateId: STATE,
    }),
  'a scan in a group': (words, names) =>
    scanView(words, {
      scan: { profile: groupProfile(names), call: groupCall(names), isFirst: false },
      group: groupOf(names),
      code: 'WWWWWWWWWWWW',
      botName: 'tradepost_local_bot',
      chartUrl: 'https://desk.example/token/x',
      readAt: NOW,
    }),
  'callers of a group': (words, names) =>
    standingsView(words, {
      days: 30,
      rows: [1n, 2n, 3n, 4n, 5n, 6n].map((callerId) => ({
        callerId,
        callerName: names.wallet,
        calls: 12,
        medianLamports: 98_765_432_101n,
        bestLamports: 987_654_321_012n,
      })),
    }),
  'a group of one’s own': (words, names) =>
    ownGroupView(words, { group: groupOf(names), title: names.wallet, stateId: STATE }),
  home: (words, names) =>
    homeView(words, {
      bot: 'tradepost_local_bot',
      wallet: walletOf(names),
      receives: true,
      count: 5,
      max: 5,
      funds: funds(names),
      worth: { microUsd: 987_654_321_012_345n, unpriced: 3 },
      openOrders: 100,
      microUsdPerSol: MICRO_USD,
      points: 987_654_321n,
      pauses: [],
      paper: false,
      frozen: null,
    }),
  settings: (words) => settingsView(words, { ...DEFAULT_SETTINGS, exits: threeTakes }),
  presets: (words) =>
    presetsView(words, {
      ...DEFAULT_SETTINGS,
      buyPresets: [1n, 2n, 3n, 4n].map((n) => n * 987_654_321_012_345_678n),
      sellPresetsBps: [1_234, 5_678, 9_999].map((share) => bps(share)),
    }),
  slippage: (words, names) =>
    slippageView(words, {
      side: 'buy',
      settings: {
        slippageBuyBps: bps(9_999),
        slippageSellBps: bps(9_999),
        autoSlipBuyBps: bps(4_999),
        autoSlipSellBps: bps(4_999),
      },
      now: {
        bps: bps(4_999),
        own: { tried: 500, failed: 499 },
        movesBps: 4_999,
        landing: { p50: 30, p90: 30 },
        slotMs: 400,
      },
      token: tokenOf(names),
      stateId: STATE,
    }),
  priority: (words) => priorityView(words, 'normal', STATE),
  'exits after buys': (words) => exitsView(words, threeTakes),
  wallets: (words, names) =>
    walletListView(words, {
      rows: [0, 1, 2, 3, 4].map((n) => ({
        wallet: walletOf(names, n),
        active: n === 0,
        funds: funds(names),
      })),
      max: 5,
      deleted: 1,
      microUsdPerSol: MICRO_USD,
      stateId: STATE,
    }),
  wallet: (words, names) =>
    walletView(words, {
      wallet: walletOf(names),
      active: false,
      funds: funds(names),
      microUsdPerSol: MICRO_USD,
      stateId: STATE,
      now: NOW,
      payoutId: null,
      count: 5,
    }),
  tokens: (words, names) =>
    tokensView(words, {
      wallet: walletOf(names),
      held: held(names, 5),
      count: 10_000,
      page: 1_998,
      pages: 2_000,
      inDoubt: false,
      stateId: STATE,
    }),
  'tokens to withdraw': (words, names) =>
    pickTokenView(words, {
      wallet: walletOf(names),
      held: held(names, 5),
      page: 1_998,
      pages: 2_000,
      inDoubt: false,
      stateId: STATE,
    }),
  'first withdrawal': (words, names) =>
    confirmWithdrawalView(words, {
      quote: {
        asset: 'token',
        params: {} as never,
        destination: mintOf(50),
        token: tokenOf(names),
        amount: 987_654_321_012_000_000n,
        receives: 987_654_321_012_000_000n,
        transferFee: 0n,
        balance: 987_654_321_012_000_000n,
        balanceLamports: SOL,
        networkFeeLamports: 5_000n,
        networkFeeCapLamports: 1_005_000n,
        accountRentLamports: 2_039_280n,
        leftLamports: 9_876_543_210_123n,
      },
      wallet: walletOf(names),
      microUsdPerSol: MICRO_USD,
      guard: GUARD,
      waitsUntil: NOW + 86_400_000,
      stateId: STATE,
    }),
};

/** An exit for each event. */
const EVENT_EXITS = [
  orderOf(1, { side: 'sell', type: 'DEV_SELLS', trigger: null }),
  orderOf(2, {
    side: 'sell',
    type: 'LIQUIDITY_FALLS',
    trigger: null,
    event: { kind: 'liquidity-falls', fallBps: 7_000, liquidity: 1n, onCurve: false },
  }),
];

function launchBuyers(words: Words, names: Names, chosen: 'snipers' | null) {
  return buyersView(words, {
    shown: shownLaunch(names, 0),
    fresh: { fresh: 10, known: 10, all: 987 },
    chosen,
    transactionUrl: (signature) => `https://example.org/${signature}`,
    stateId: STATE,
  });
}

const paperOnScreen = () => ({
  copy: {
    userId: 'u',
    leader: mintOf(0),
    followId: 'f',
    walletId: 'w',
    rules: copyOnScreen().rules,
    since: Date.UTC(2026, 10, 28, 22, 22),
  },
  result: {
    bought: 888,
    sold: 888,
    skipped: 888,
    paidLamports: 987_654_321_012n,
    gainLamports: -87_654_321_012n,
  },
});

const paperTradeOf = (what: string): PaperTrade => ({
  userId: 'u',
  leader: mintOf(0),
  signature: 's',
  leg: 'buy-x',
  mint: mintOf(1),
  side: what === 'sell' ? 'sell' : 'buy',
  skip: what === 'skip' ? { reason: 'liquidity', value: 3_100n, limit: 10_000n, code: null } : null,
  lamports: 987_654_321_012n,
  network: 1n,
  units: 1n,
  seenAt: Date.UTC(2026, 10, 28, 22, 22),
});

const pastOf = (ended: LeaderHistory['ended']): LeaderHistory => ({
  leader: mintOf(0),
  until: Date.UTC(2026, 10, 28, 22, 22),
  beforeSignature: 's',
  reached: Date.UTC(2026, 10, 24, 22, 22),
  signatures: 1_000,
  reads: 300,
  ended,
});
