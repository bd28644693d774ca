import { type Address, addressFromBytes, NO_TOKEN_POWERS, TOKEN_PROGRAM } from '@tradepost/solana';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { ResultFacts } from '../../../src/engine/intents/chat/result-view.ts';
import type { Intent, LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { ACCEPTABLE, COPY_DEFAULTS, type Copy } from '../../../src/modules/copying/rules/copy.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import { skip } from '../../../src/modules/copying/rules/judge-copy.ts';
import type { Replay } from '../../../src/modules/copying/rules/replay.ts';
import type { Follow } from '../../../src/modules/follows/rules/follow.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import type { Group } from '../../../src/modules/groups/rules/group.ts';
import { type GroupCall, newCall } from '../../../src/modules/groups/rules/group-call.ts';
import type { GuardOverview } from '../../../src/modules/guard/use/guard-overview.ts';
import { newLaunch } from '../../../src/modules/launches/rules/stage.ts';
import type { ShownLaunch } from '../../../src/modules/launches/use/launch-figures.ts';
import type { TokenProfile } from '../../../src/modules/market/use/token-profile.ts';
import type { DraftState, Leg } from '../../../src/modules/orders/chat/draft-state.ts';
import type { FormFacts } from '../../../src/modules/orders/chat/form-view.ts';
import type { Order } from '../../../src/modules/orders/rules/order.ts';
import { type DraftGroup, newOrder, type OrderDraft } from '../../../src/modules/orders/use/draft.ts';
import type { PersonalKey } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import { emptyPosition } from '../../../src/modules/positions/rules/position.ts';
import type { PositionList, ShownPosition } from '../../../src/modules/positions/use/list-positions.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';
import type { CardFacts } from '../../../src/modules/trading/chat/card-view.ts';
import type { Price } from '../../../src/modules/trading/rules/price.ts';
import type { TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';

/** The facts behind the screens of every day, with names and amounts that people may choose. */

export const NOW = Date.UTC(2026, 10, 23, 12, 0, 30);
export const STATE = 'A'.repeat(22);
export const SOL = 1_000_000_000n;
export const MICRO_USD = 150_000_000n;
/** Twelve digits of whole tokens. */
const UNITS = 987_654_321_012n * 1_000_000n;
const LAMPORTS = 9_876_543_210_123n;

export type Names = { readonly symbol: string; readonly name: string; readonly wallet: string };

/** As long and as wide as a name may be. */
export const WORST: Names = {
  symbol: 'W'.repeat(10),
  name: 'W'.repeat(32),
  wallet: 'W'.repeat(20),
};

export const mintOf = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n + 7));

export function tokenOf({ symbol, name }: Names, n = 0): Token {
  return {
    mint: mintOf(n),
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
    supply: UNITS * 100n,
    symbol,
    name,
    mintAuthority: mintOf(90),
    freezeAuthority: null,
    extensions: NO_TOKEN_POWERS,
  };
}

export const walletOf = ({ wallet }: Names, n = 0): Wallet => ({
  id: `W${n}`,
  userId: 'U',
  name: wallet,
  address: mintOf(100 + n),
  createdAt: 0,
  deletedAt: null,
  origin: 'made',
  confirmedAt: null,
  payoutFrom: null,
});

/** A loss and a gain, each of many digits. */
export function positionOf(names: Names, n = 0, known = true): ShownPosition {
  const cost = LAMPORTS * 2n;
  const net = n % 2 === 0 ? LAMPORTS : LAMPORTS * 5n;
  return {
    position: {
      ...emptyPosition('W0', mintOf(n)),
      units: UNITS,
      cost,
      realized: -LAMPORTS,
      hiddenByPerson: null,
      odd: null,
      midnight: null,
      stale: false,
      notFinal: 1,
    },
    token: tokenOf(names, n),
    sale: known ? { netLamports: net, midLamports: net + SOL } : null,
    priced: true,
    unrealized: known ? net - cost : null,
  };
}

export function positionsOf(names: Names, count: number): PositionList {
  const shown = Array.from({ length: count }, (_, n) => positionOf(names, n, n !== 3));
  return {
    wallet: walletOf(names),
    shown,
    hidden: [positionOf(names, 60)],
    netValue: LAMPORTS * 9n,
    today: -LAMPORTS,
    realizedWeek: -LAMPORTS,
    feesWeek: LAMPORTS / 100n,
    underWay: 1,
    notFinal: 2,
    microUsdPerSol: MICRO_USD,
    at: NOW,
  };
}

export function cardOf(names: Names, held: boolean): CardFacts {
  const token = tokenOf(names);
  return {
    card: {
      token,
      account: mintOf(1),
      walletLamports: LAMPORTS,
      holdingUnits: held ? UNITS : 0n,
      price: (10n ** 24n) as Price,
      picoUsd: 1_513_579n,
      microUsdPerSol: MICRO_USD,
      liquidityLamports: LAMPORTS,
      safety: {
        level: 'CAREFUL',
        warnings: [
          { code: 'SAME_SYMBOL', severity: 'CAREFUL', mint: mintOf(3) },
          { code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL', authority: mintOf(4) },
        ],
      },
      testSale: { spentLamports: SOL / 10n, returnedBps: 8_700, simulated: false },
      unasked: [],
      slot: 1n,
    } as CardFacts['card'],
    profile: {
      token,
      price: { usd: 0.000001513579, confidence: 'low', stale: false, liquidityUsd: 987_654_321, at: NOW },
      liquidityUsd: 987_654_321,
      marketCapUsd: 987_654_321_012,
      change: { '5m': -99.9, '1h': 1_234.5, '6h': 0, '24h': -88.8 },
      volume24hUsd: 987_654_321,
      holders: 123_456_789,
      top10Percent: 99.9,
      launch: { pad: 'desk', soldBps: 9_999, graduated: false },
      firstSeenAt: NOW - 59 * 60_000,
    } as unknown as TokenProfile,
    position: held ? positionOf(names) : null,
    guarded: held,
    wallet: walletOf(names),
    settings: DEFAULT_SETTINGS,
    stateId: STATE,
    readAt: NOW,
  };
}

export function quoteOf(names: Names, side: 'buy' | 'sell'): TradeQuote {
  const token = tokenOf(names);
  const [quotedOut, minOut] = side === 'buy' ? [UNITS, UNITS - 1n] : [LAMPORTS, LAMPORTS - 1n];
  return {
    side,
    wallet: mintOf(100),
    token,
    tier: 'normal',
    amountIn: side === 'buy' ? LAMPORTS : UNITS,
    elsewhereUnits: 0n,
    terms: {
      amountIn: side === 'buy' ? LAMPORTS : UNITS,
      quotedOut,
      minOut,
      platformFeeLamports: 98_765_432_101n,
      priceImpactBps: 80,
      slippageBps: bps(500),
      route: [
        { venue: 'desk-north', pool: mintOf(5), percent: 56, from: null, to: null },
        { venue: 'desk-south', pool: mintOf(6), percent: 44, from: null, to: null },
      ],
    },
    route: { savesBps: null, remainders: [], intermediates: [] },
    networkFeeUpToLamports: 1_005_000n,
    closedLamports: side === 'sell' ? 2_039_280n : 0n,
    newAccountRentLamports: side === 'buy' ? 2_039_280n : 0n,
    leavesWalletUpToLamports: LAMPORTS + 3_044_280n,
    walletLamports: LAMPORTS * 2n,
    safety: { level: 'OK', warnings: [] },
    warnings: [],
    unasked: [],
    slot: 1n,
    quotedAt: NOW,
    expiresAt: NOW + 10_000,
  };
}

export function resultOf(names: Names, side: 'buy' | 'sell', all: boolean): ResultFacts {
  const quote = quoteOf(names, side);
  const receipt: LandedReceipt = {
    signature: '5'.repeat(88),
    slot: 1n,
    landedAt: NOW,
    feeLamports: 1_005_000n,
    baseFeeLamports: 5_000n,
    priorityFeeLamports: 1_000_000n,
    walletLamportsDelta: side === 'buy' ? -LAMPORTS : LAMPORTS,
    tokenDeltas: [{ mint: quote.token.mint, delta: side === 'buy' ? UNITS : -UNITS }],
    rentLamports: side === 'buy' ? 2_039_280n : all ? -2_039_280n : 0n,
    platformFeeLamports: 98_765_432_101n,
  };
  const terms = { mint: quote.token.mint, terms: quote.terms };
  const params =
    side === 'buy'
      ? { kind: 'buy', lamportsIn: LAMPORTS, ...terms }
      : { kind: 'sell', amountIn: UNITS, ...terms };
  return {
    intent: { id: 'i', kind: side, params, outcome: null, createdAt: NOW } as unknown as Intent,
    standing: { kind: 'done', final: true, signature: receipt.signature, receipt },
    token: quote.token,
    created: null,
    fired: null,
    copied: side === 'buy' ? null : names.wallet,
    profit: side === 'buy' ? null : { lamports: -LAMPORTS, costLamports: LAMPORTS * 2n, counted: 'part' },
    soldAll: all,
    leftUnits: all ? 0n : UNITS,
    heldMs: 59 * 60_000,
    exits: {
      stop: orderOf(1, { side: 'sell', type: 'STOP_LOSS', request: '-30%' }),
      take: orderOf(2, { side: 'sell', type: 'TAKE_PROFIT', request: '+100%' }),
    },
    microUsdPerSol: MICRO_USD,
    allowPercent: null,
    possibleUntil: Date.UTC(2026, 10, 21, 14, 2, 11),
    tookMs: 12_345,
    explorerUrl: 'https://explorer.example/{signature}',
    stateId: STATE,
  };
}

const DRAFT: OrderDraft = {
  side: 'buy',
  type: 'LIMIT',
  amount: { kind: 'fixed', units: LAMPORTS },
  unit: 'SOL',
  trigger: { got: 123_456_789n, given: 1_234_567_890_123n },
  request: '-20%',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
};

export function orderOf(n: number, draft: Partial<OrderDraft> = {}, more: Partial<Order> = {}): Order {
  const group: Omit<DraftGroup, 'drafts' | 'kind' | 'units' | 'placeKey'> = {
    userId: 'U',
    walletId: 'W0',
    mint: mintOf(n % 4),
    expiresAt: NOW + 6 * 86_400_000 + 1,
    slippageBps: 500,
    tier: 'normal',
    accepted: [],
    supply: null,
    parentIntentId: null,
  };
  const made = newOrder(
    group,
    { ...DRAFT, ...draft },
    { id: () => `o${n}`, now: NOW, groupId: 'g', depthLamports: null },
  );
  return { ...made, number: 1_000 + n, ...more };
}

/** One of each kind, and one that is paused for a long reason. */
export function ordersOf(count: number): readonly Order[] {
  const kinds: readonly (() => [Partial<OrderDraft>, Partial<Order>])[] = [
    () => [
      { side: 'sell', type: 'TAKE_PROFIT', amount: { kind: 'share', bps: 5_000 }, request: '+100%' },
      {},
    ],
    () => [{ side: 'sell', type: 'STOP_LOSS', amount: { kind: 'rest' }, request: '-30%' }, {}],
    () => [{}, {}],
    () => [
      {
        type: 'DCA',
        trigger: null,
        schedule: { intervalMs: 3_600_000, rounds: 10, band: { least: null, most: null } },
      },
      {
        filled: 150_000_000n,
        received: 15_000_000_000n,
        progress: { ...orderOf(1).progress, schedule: { slot: 3, done: 3, missed: 0 } },
      },
    ],
    () => [
      { side: 'sell', type: 'STOP_LOSS', amount: { kind: 'rest' } },
      { status: 'PAUSED', reason: 'locked' },
    ],
    () => [
      {
        side: 'sell',
        type: 'TRAILING_STOP',
        trigger: null,
        trailing: { bps: 1_500, activation: null },
        amount: { kind: 'rest' },
      },
      {},
    ],
  ];
  return Array.from({ length: count }, (_, n) => orderOf(n, ...(kinds[n % kinds.length]?.() ?? [{}, {}])));
}

const legOf = (type: Leg['type'], request: string, shareBps: number): Leg => ({
  type,
  request,
  unit: 'SOL',
  got: type === 'LIMIT' ? '1234567890123' : '123456789',
  given: type === 'LIMIT' ? '123456789' : '1234567890123',
  shareBps,
  trailBps: 0,
});

const DRAFT_STATE: Omit<DraftState, 'tab' | 'side' | 'amount' | 'legs' | 'exits' | 'mint'> = {
  walletId: 'W0',
  placeKey: 'p',
  band: null,
  sellsAtEnd: false,
  toleranceBps: 0,
  anyPrice: false,
  partial: true,
  days: 7,
  hold: 'normal',
  rounds: 5,
  everyMinutes: 60,
  firstInMinutes: 0,
  advanced: false,
  accepted: [],
  supply: '',
  replaces: [],
};

export function formOf(names: Names, tab: DraftState['tab']): FormFacts {
  const token = tokenOf(names);
  const side = tab === 'tpsl' ? 'sell' : 'buy';
  const units = side === 'sell' ? UNITS : LAMPORTS;
  const rate = { got: 123_456_789n, given: 1_234_567_890_123n };
  const legs =
    tab === 'limit'
      ? [legOf('LIMIT', '-20%', 0)]
      : tab === 'tpsl'
        ? [legOf('TAKE_PROFIT', '+100%', 5_000), legOf('STOP_LOSS', '-30%', 0)]
        : [];
  return {
    state: { ...DRAFT_STATE, tab, side, mint: token.mint, amount: String(units), legs, exits: [] },
    view: {
      token,
      solUsd: { micros: MICRO_USD, lamports: SOL, at: NOW } as never,
      looks: [
        {
          draft: DRAFT,
          units,
          now: { rate: side === 'sell' ? rate : { got: rate.given, given: rate.got }, got: units } as never,
          spot: null,
          warnings: [{ kind: 'depth-share' } as never],
        },
      ],
      legs: [],
      refusal: null,
    },
    entry: side === 'sell' ? rate : null,
    now: NOW,
    stateId: STATE,
    cardId: STATE,
  };
}

export const GUARD: GuardOverview = {
  hasPin: false,
  frozen: false,
  unfreezesAt: null,
  cap: LAMPORTS,
  capLeft: LAMPORTS,
  nextCap: null,
  spendCap: LAMPORTS,
  spendLeft: LAMPORTS,
  nextSpendCap: null,
  unlockedUntil: null,
  hasGrantedOrders: false,
  unlocksFrom: null,
  delayMs: 0,
  longDelayMs: 0,
  hasSecondFactor: true,
  secondFactorEndsAt: null,
  recoveryCodesLeft: 0,
  thawsWithPin: true,
  thawWaitMs: 0,
  stoppable: false,
  noticeMail: null,
  noticeMailFails: false,
  nextNoticeMail: null,
};

export const held = (names: Names, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    holding: {
      mint: mintOf(n),
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
      amount: UNITS,
      accounts: [],
    },
    token: tokenOf(names, n),
    microUsd: 987_654_321_012_345n,
  }));

export const funds = (names: Names) => ({
  lamports: LAMPORTS,
  tokens: held(names, 12).map(({ holding }) => holding),
  inDoubt: false,
});

export const followOf = (names: Names, n: number): Follow => ({
  id: String(n),
  userId: 'u',
  leader: mintOf(n),
  label: names.wallet.slice(0, 20),
  minLamports: 987_654_321_012_345_678n,
  notices: true,
  hourAt: null,
  hourTold: 0,
  hourHeld: 0,
  createdAt: NOW,
});

export const followsOf = (names: Names, count: number): readonly Follow[] =>
  Array.from({ length: count }, (_, n) => followOf(names, n));

export const leaderTradeOf = (n: number): LeaderTrade => ({
  leader: mintOf(0),
  signature: 's',
  mint: mintOf(n),
  side: n % 2 === 0 ? 'buy' : 'sell',
  tradeId: 1n,
  at: NOW,
  units: UNITS,
  paid: { mint: mintOf(70), units: 987_654_321_012_345_678n },
  takenBack: false,
});

/** Of a token that may be blocked, with everything known. */
export function groupProfile(names: Names): TokenProfile {
  const { profile, card } = cardOf(names, false);
  if (profile === null) throw new Error('the card has a profile');
  return { ...profile, safety: card.safety };
}

export const groupCall = (names: Names): GroupCall => ({
  ...newCall({
    groupId: -1n,
    mint: mintOf(0),
    callerId: 1n,
    callerName: names.wallet,
    calledAt: NOW,
    calledSlot: 1n,
    picoUsd: 1_513_579n,
  }),
  lamports: 98_765_432_101n,
});

export const groupOf = (names: Names): Group => ({
  id: -1n,
  ownerId: 'u',
  ownerName: names.wallet,
  carriesCode: true,
  language: 'en',
  changedAt: NOW,
});
export const personalKeyOnScreen = (n: number): PersonalKey => ({
  id: `k${n}`,
  userId: 'u',
  walletId: 'w',
  publicKey: mintOf(n),
  host: 'desk.example.org',
  terms: {
    rights: ['read', 'trade', 'orders'],
    orderLamports: 98_765_432_101n,
    dayLamports: 98_765_432_101n,
    tokens: Array.from({ length: 10 }, (_, at) => mintOf(at)),
    ips: ['203.0.113.7', '203.0.113.8'],
  },
  lockEpoch: 1,
  until: NOW,
  certificate: null,
  createdAt: NOW,
  endedAt: null,
});

export const copyOnScreen = (): Copy => ({
  id: 'c',
  userId: 'u',
  walletId: 'w',
  followId: 'f',
  leader: mintOf(0),
  status: 'PAUSED',
  reason: 'failures',
  rules: {
    ...COPY_DEFAULTS,
    size: { kind: 'share', percent: 100 },
    tradeLamports: 98_765_432_101n,
    dayLamports: 987_654_321_012n,
    totalLamports: 987_654_321_012n,
    leastLamports: 98_765_432_101n,
    accepted: ACCEPTABLE,
    exits: { takes: [{ atBps: 10_000, shareBps: 5_000 }], stopBps: 3_000, trailBps: null },
  },
  lockEpoch: 1,
  until: NOW,
  certificate: null,
  since: NOW,
  version: 1,
  createdAt: NOW,
});

export const REPLAYED: Replay = {
  priced: 1_000,
  isFew: false,
  theirsBps: 98_765,
  yoursBps: -9_876,
  withoutBestBps: -9_876,
  dearerBps: 9_876,
  laterHalfBps: 9_876,
  earlierHalfBps: -9_876,
};

export const skippedOf = (count: number): readonly CopyTrade[] =>
  Array.from({ length: count }, (_, n) => ({
    copyId: 'c',
    signature: 's',
    leg: 'l',
    userId: 'u',
    leader: mintOf(0),
    mint: mintOf(n),
    side: 'buy',
    status: 'SKIPPED',
    skip: n % 2 === 0 ? skip('liquidity', 3_140n, 10_000n) : skip('round-trip', 8_412n, 8_500n),
    intentId: null,
    amount: 0n,
    moved: 0n,
    burnt: 0n,
    tries: 0,
    dueAt: null,
    seenAt: NOW,
  }));

/** With every figure at its widest; the fourth token is not known. */
export function shownLaunch(names: Names, n: number): ShownLaunch {
  const mint = mintOf(n);
  const trade = {
    id: 1n,
    at: NOW / 1_000,
    side: 'buy',
    base: UNITS,
    quote: 1n,
    trader: mint,
    signature: 's',
  } as const;
  const cohort = { bps: 9_999, wallets: Array.from({ length: 987 }, (_, of) => mintOf(of)), heldBps: 9_999 };
  const trades = Array.from({ length: 50 }, () => trade);
  return {
    launch: {
      ...newLaunch(
        {
          kind: 'created',
          mint,
          curve: mint,
          config: null,
          creator: mint,
          signature: 's',
          slot: 1n,
          at: NOW - 3_540_000,
        },
        'desk',
        NOW,
      ),
      soldBps: 10_000,
    },
    token: n === 3 ? null : tokenOf(names),
    capUsd: 987_654_321.1,
    devBps: n === 0 ? 10_000 : 100,
    cohorts: {
      dev: { boughtBps: 9_999, soldBps: 9_999, trades },
      bundle: { ...cohort, trades },
      snipers: n === 4 ? null : { ...cohort, bps: 10_000, trades },
    },
  };
}
