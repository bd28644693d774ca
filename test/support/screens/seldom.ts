import type { Words } from '../../../src/compose/texts/words.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import { FEE_TABLE } from '../../../src/engine/fees/rules/fee-table.ts';
import { alertNoticeView } from '../../../src/modules/alerts/chat/notice-view.ts';
import type { Alert } from '../../../src/modules/alerts/rules/alert.ts';
import { autoBuyView, sureAutoBuyView } from '../../../src/modules/auto-buy/chat/view.ts';
import { confirmConvertView, convertView, enteredView } from '../../../src/modules/convert/chat/view.ts';
import type { ConvertPeriod } from '../../../src/modules/convert/rules.ts';
import { depositView } from '../../../src/modules/deposits/chat/notice-view.ts';
import {
  coinView,
  gamesView,
  resultView as roundView,
  wheelView,
} from '../../../src/modules/games/chat/view.ts';
import type { Round } from '../../../src/modules/games/rules/round.ts';
import { type GameTable, tableAt } from '../../../src/modules/games/rules/tables.ts';
import { actsView } from '../../../src/modules/guard/chat/acts-view.ts';
import { securityView } from '../../../src/modules/guard/chat/security-view.ts';
import { keyCard } from '../../../src/modules/keys/chat/card-view.ts';
import { candlesText, depthText } from '../../../src/modules/market/chat/chart-view.ts';
import type { TokenHit } from '../../../src/modules/market/use/search-tokens.ts';
import {
  paperConfirmView,
  paperDoneView,
  paperHomeView,
  paperTokenView,
} from '../../../src/modules/paper/chat/view.ts';
import { confirmItemView, redeemedView, shopView } from '../../../src/modules/points/chat/shop-view.ts';
import {
  boardView,
  historyView,
  missionsView,
  pointsView,
  rulesView,
} from '../../../src/modules/points/chat/view.ts';
import { POINT_RULES } from '../../../src/modules/points/rules/rules.ts';
import { SEASONS } from '../../../src/modules/points/rules/seasons.ts';
import { SHOP } from '../../../src/modules/points/rules/shop.ts';
import { campaignsView, ledgerView } from '../../../src/modules/referrals/chat/audit-view.ts';
import { referralView } from '../../../src/modules/referrals/chat/view.ts';
import type { PayoutWait } from '../../../src/modules/referrals/use/payout-wait.ts';
import { HELP_TOPICS, helpTopicView } from '../../../src/modules/settings/chat/help-view.ts';
import { hitsView, trendingView } from '../../../src/modules/tokens/chat/search-view.ts';
import type { SafetyWarning } from '../../../src/modules/tokens/rules/safety.ts';
import { safetyView } from '../../../src/modules/trading/chat/card-pages.ts';
import { sureView } from '../../../src/modules/trading/chat/confirm-view.ts';
import type { View } from '../../../src/platform/telegram/ui/screen.ts';
import { cardOf, GUARD, MICRO_USD, mintOf, type Names, NOW, STATE, tokenOf } from './facts.ts';
import { MADE } from './made.ts';

export type DrawScreens = (words: Words, names: Names) => readonly View[];

/** Thousands, and nine digits behind the point. */
const LAMPORTS = 12_345_678_901_234n;
const UNITS = 98_765_432_101_234n;
const POINTS = 98_765n;

/**
 * The screens of other days, each with amounts of many digits: referrals, making tokens, points, games, conversions, paper, safety, keys,
 * results and receipts. One that prints an amount and is not in `registry.ts` has its line here: the marks of its language are tested.
 */
export const SELDOM: Readonly<Record<string, DrawScreens>> = {
  ...MADE,
  referrals: (words, names) =>
    WAITS.map((reason) => referral(words, names, { lamports: LAMPORTS, inFlightLamports: 0n, reason })),
  'lists of referrals': (words) => [
    ledgerView(
      words,
      [
        {
          id: 'r',
          source: 'referral',
          inviterId: 'u',
          inviteeId: 'v',
          intentId: 'i',
          signature: 's',
          feeLamports: LAMPORTS,
          lamports: LAMPORTS,
          status: 'ACCRUED',
          payoutIntentId: null,
          createdAt: NOW,
          inviteeMark: 'A1',
          receipt: 'R-7F3K2',
          kind: 'buy',
          payoutSignature: null,
        },
      ],
      { index: 0, more: false },
    ),
    campaignsView(words, [{ tag: 'spring', invited: 9_876, active: 1_234, earnedLamports: LAMPORTS }]),
  ],
  points: (words) => [
    pointsView(words, {
      points: POINTS,
      miner: { ...MINER, energy: 99 },
      rules: POINT_RULES[0],
      discountBps: bps(1_250),
      discountUntil: NOW,
      hasBadge: true,
    }),
    missionsView(words, [{ mission: MISSION, progress: 1, claimed: false }], STATE),
    historyView(words, [{ reason: 'points-mission', ref: 'm', at: NOW, points: -POINTS }], {
      index: 1,
      more: true,
    }),
    boardView(words, {
      rows: [{ userId: 'u', name: 'Ann', place: 1, points: POINTS }],
      userId: 'u',
      name: 'Ann',
    }),
    rulesView(words, { ...POINT_RULES[0], seasonCarryBps: bps(1_250) }, SEASONS[0]),
  ],
  'the shop': (words) =>
    [...SHOP, REBATE].flatMap((item) => [
      shopView(words, { points: POINTS, offers: [{ item, left: POINTS, owned: 1 }], stateId: STATE }),
      confirmItemView(words, { points: POINTS, offer: { item, left: null, owned: 0 }, stateId: STATE }),
      redeemedView(words, {
        id: 'r',
        userId: 'u',
        idemKey: 'k',
        item: item.id,
        points: item.points,
        effect: item.effect,
        startsAt: NOW,
        endsAt: NOW,
        createdAt: NOW,
      }),
    ]),
  games: (words) => [
    gamesView(words, POINTS, [COIN, WHEEL]),
    coinView(words, { ...playing(COIN), stake: 1_000n }),
    wheelView(words, playing(WHEEL)),
    ...[COIN, WHEEL].map((table) =>
      roundView(words, { round: roundOf(table, true), table, points: POINTS, url: null, stateId: STATE }),
    ),
  ],
  conversions: (words) => [
    ...(['announced', 'open', 'closed'] as const).map((phase) =>
      convertView(
        words,
        {
          period: PERIOD,
          phase,
          total: POINTS,
          own: POINTS,
          share: LAMPORTS,
          points: POINTS,
          isWatching: true,
          last: { period: 1, userId: 'u', points: POINTS, lamports: LAMPORTS, at: NOW },
        },
        true,
      ),
    ),
    confirmConvertView(words, { points: POINTS, period: PERIOD, share: LAMPORTS, stateId: STATE }),
    enteredView(words, POINTS, PERIOD),
  ],
  paper: (words, names) => {
    const token = { ...tokenOf(names), uiScale: SCALE };
    const holding = { mint: token.mint, decimals: 6, units: UNITS, cost: LAMPORTS };
    const book = { on: true, lamports: LAMPORTS, holdings: [holding] };
    const { profile, settings } = cardOf(names, true);
    const safety = { level: 'BLOCK', warnings: WARNINGS } as const;
    const quoteOf = (side: 'buy' | 'sell') => ({
      side,
      token,
      safety,
      fill: { mint: token.mint, decimals: 6, units: UNITS, lamports: LAMPORTS },
      platformFeeLamports: LAMPORTS,
      networkFeeLamports: 5_001n,
      slot: 1n,
    });
    const position = { holding, symbol: names.symbol, uiScale: SCALE };
    return [
      paperHomeView(words, {
        book,
        positions: [
          { ...position, worth: LAMPORTS / 3n },
          { ...position, worth: null },
        ],
        microUsdPerSol: MICRO_USD,
        stateId: STATE,
        hasWallet: true,
      }),
      paperTokenView(words, { book, token, safety, profile, settings, stateId: STATE }),
      ...(['buy', 'sell'] as const).flatMap((side) => [
        paperConfirmView(words, quoteOf(side), STATE),
        paperDoneView(words, quoteOf(side), holding, STATE),
      ]),
    ];
  },
  'automatic purchases': (words) => {
    const setting = { on: true, lamports: 123_456_789n, dayLamports: LAMPORTS, maxImpactBps: 125 };
    return [autoBuyView(words, { setting, isPaper: true }), sureAutoBuyView(words, setting)];
  },
  safety: (words, names) => {
    const { card } = cardOf(names, true);
    const testSale = { spentLamports: 1n, returnedBps: 8_765, simulated: true };
    return [
      safetyView(words, {
        card: { ...card, safety: { level: 'OK', warnings: [] }, testSale },
        stateId: STATE,
      }),
      safetyView(words, {
        card: { ...card, safety: { level: 'BLOCK', warnings: WARNINGS } },
        stateId: STATE,
      }),
      sureView(words, 'buy', 1_234, STATE),
    ];
  },
  security: (words) => [
    securityView(words, {
      ...GUARD,
      hasPin: true,
      nextCap: { lamports: LAMPORTS, at: NOW },
      nextSpendCap: { lamports: LAMPORTS, at: NOW },
      delayMs: 2_500,
      keyFile: null,
      now: NOW,
    }),
    actsView(
      words,
      [
        ownAct('u', NOW, 'cap-changed', { cap: 'spending', lamports: `${LAMPORTS}`, from: null }),
        ownAct('u', NOW, 'withdrawal-confirmed', {
          intentId: 'i',
          destination: mintOf(1),
          mint: null,
          amount: `${LAMPORTS}`,
          notBefore: null,
        }),
      ].map((entry, index) => ({ ...entry, id: BigInt(index) })),
      { index: 0, more: false },
    ),
  ],
  'a request for a key': (words) => [
    keyCard(words, {
      request: {
        email: 'a@b.example',
        project: 'p',
        use: 'u',
        perDay: 1_234_567,
        peakPerSecond: 12_345,
        scopes: [],
        id: 'k',
        status: 'confirmed',
        createdAt: NOW,
        confirmedAt: NOW,
        decidedAt: null,
        decidedBy: null,
        reason: null,
        question: null,
        answer: null,
        granted: null,
        keyId: null,
        claimedAt: null,
      },
      earlier: [],
      proposed: {
        ratePerSecond: 50,
        burst: 100,
        dayQuota: 1_234_567,
        maxReferrerFeeBps: 300,
        scopes: [],
        days: null,
      },
      stateId: STATE,
    }),
  ],
  'the text under a chart': (words, names) => {
    const bar = { t: 1, open: 1_234.5678, high: 98_765.4321, low: 0.000000421, close: 12.3456, volume: 1 };
    const chart = { unit: 'SOL', inSol: true, step: 60, candles: [bar], trades: 1_234, last: null };
    const steps = [1, 2.5].map((percent) => ({ percent, lamports: LAMPORTS }));
    const token = tokenOf(names);
    return [
      candlesText(words, token, chart, '1m'),
      depthText(words, token, { buy: steps, sell: steps, slot: 1n }),
    ].map((text) => ({ text }));
  },
  'found tokens': (words, names) => [
    hitsView(words, { text: 'x', hits: [hitOf(names)], page: 0, stateId: STATE }),
    trendingView(words, {
      hours: 1,
      list: {
        tokens: [
          {
            ...hitOf(names),
            trend: { mint: mintOf(0), traders: 1_234, volumeUsd: 987_654.321, netUsd: 1, score: 1 },
          },
        ],
        computedAt: NOW,
      },
      stateId: STATE,
    }),
  ],
  'an alert': (words, names) => [
    alertNoticeView(words, {
      notice: { alertId: 'a', n: 1, seen: ALERT.price },
      alert: ALERT,
      token: tokenOf(names),
      settings: cardOf(names, true).settings,
      buys: true,
      stateId: STATE,
    }),
  ],
  help: (words) =>
    HELP_TOPICS.map((topic) =>
      helpTopicView(words, topic, {
        sourceUrl: null,
        maxWallets: 5,
        fees: { ...FEE_TABLE[0], tradeBps: bps(75), createLamports: LAMPORTS, launchLamports: LAMPORTS },
      }),
    ),
  deposits: (words, names) => {
    const token = { ...tokenOf(names), uiScale: SCALE };
    const said = { walletId: 'w', units: UNITS, known: true, signature: 's' };
    return [
      { said: { ...said, mint: null }, token: null },
      { said: { ...said, mint: null, was: LAMPORTS }, token: null },
      { said: { ...said, mint: token.mint }, token },
      { said: { ...said, mint: token.mint, was: LAMPORTS }, token },
    ].map((facts) => depositView(words, { ...facts, wallet: names.wallet, microUsdPerSol: MICRO_USD }));
  },
};

const hitOf = ({ symbol, name }: Names): TokenHit => ({
  mint: mintOf(0),
  symbol,
  name,
  decimals: 6,
  verified: true,
  imitates: null,
  madeHere: true,
  price: { usd: 1.513579, confidence: 'low', stale: false, liquidityUsd: 987_654_321, at: NOW },
  priceSol: null,
  change24h: 1_234.5,
  change24hQuote: null,
  volume24hUsd: 987_654_321,
  primaryMarket: null,
  firstSeenAt: NOW,
  held: true,
});

const ALERT: Alert = {
  id: 'a',
  userId: 'u',
  mint: mintOf(0),
  unit: 'SOL',
  price: { got: 123_456_789n, given: 1_234_567_890_123n },
  direction: 'above',
  request: '+15%',
  repeats: false,
  status: 'OPEN',
  armed: true,
  told: 1,
  restsUntil: null,
  version: 1,
  placeKey: 'p',
  expiresAt: NOW,
  createdAt: NOW,
};

/** A token whose amounts are shown × 1.0503. */
export const SCALE = { numerator: 10_503n, denominator: 10_000n };

const WAITS: readonly PayoutWait['reason'][] = [
  { kind: 'below-rent', missing: LAMPORTS },
  { kind: 'below-minimum', minimum: LAMPORTS },
  { kind: 'above-cap', cap: LAMPORTS },
  { kind: 'next' },
];

function referral(words: Words, names: Names, wait: PayoutWait): View {
  return referralView(words, {
    account: { userId: 'u', code: 'ABCDEFGH', createdAt: NOW, codesChosen: 0 },
    created: true,
    totals: {
      invited: 9_876,
      active: 1_234,
      earnedLamports: LAMPORTS,
      paidLamports: LAMPORTS,
      pendingLamports: 1n,
      lastPayout: null,
    },
    volumeLamports: LAMPORTS,
    inviteLink: 'https://t.me/tradepost_local_bot?start=ref_ABCDEFGH',
    shareBps: 2_550,
    walletName: names.wallet,
    wait,
    microUsdPerSol: MICRO_USD,
  });
}

const MINER = {
  telegramId: 1n,
  userId: 'u',
  version: 1,
  energy: 0,
  energyAt: NOW,
  day: 1,
  minedToday: 490,
  lastTapAt: NOW,
  streak: 12,
  taps: 1,
  fastTaps: 0,
  pauses: 0,
  pauseSumMs: 0,
  pauseSquaresMs: 0,
};

const MISSION = {
  id: 'm',
  period: 'daily',
  fact: 'mined',
  target: 3,
  points: 12_345,
  from: 0,
  until: null,
} as const;

const REBATE = {
  id: 'rebate',
  points: POINTS,
  effect: { kind: 'sol-rebate', lamports: LAMPORTS },
  perPerson: null,
  needsTrade: true,
  from: 0,
  until: null,
} as const;

const COIN: GameTable = { ...tableAt('coin', NOW), dailyStake: POINTS, payTenths: [19, 0] };
const WHEEL: GameTable = tableAt('wheel', NOW);

const roundOf = (table: GameTable, isPlayed: boolean): Round => ({
  id: 'round',
  userId: 'u',
  game: table.game,
  table: table.id,
  commitment: 'c',
  createdAt: NOW,
  bet: isPlayed ? { choice: 0, points: POINTS, day: 1, at: NOW } : null,
  result: isPlayed ? { seed: '0'.repeat(64), payout: POINTS, at: NOW } : null,
});

const playing = (table: GameTable) => ({
  points: POINTS,
  table,
  round: roundOf(table, false),
  today: 10n,
  stateId: STATE,
});

const PERIOD: ConvertPeriod = {
  number: 1,
  budgetLamports: LAMPORTS,
  opensAt: NOW,
  closesAt: NOW,
  announcedAt: NOW,
  status: 'ANNOUNCED',
  totalPoints: null,
  paidLamports: null,
  seal: null,
};

const WARNINGS: readonly SafetyWarning[] = [
  { code: 'TRANSFER_FEE', severity: 'CAREFUL', bps: 125, nextBps: 1_250, changeable: true },
  { code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps: 7_654 },
  { code: 'CONCENTRATED', severity: 'CAREFUL', top10Bps: 8_765, largestBps: 4_321 },
  { code: 'SMALL', severity: 'CAREFUL', liquidityUsd: 1_234.5 },
  { code: 'FEW_HOLDERS', severity: 'CAREFUL', holders: 12_345 },
];
