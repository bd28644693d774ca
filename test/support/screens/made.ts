import { NO_SPEC_EXTENSIONS, TOKEN_PROGRAM } from '@tradepost/solana';
import type { Words } from '../../../src/compose/texts/words.ts';
import { receiptView } from '../../../src/engine/intents/chat/receipt-view.ts';
import { resultView } from '../../../src/engine/intents/chat/result-view.ts';
import type { Standing } from '../../../src/engine/intents/chat/standing.ts';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { LaunchParams } from '../../../src/engine/intents/kinds/launch/params.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { launchView } from '../../../src/modules/mint/chat/launch-view.ts';
import { askView } from '../../../src/modules/mint/chat/revoke-view.ts';
import { reviewView } from '../../../src/modules/mint/chat/view.ts';
import type { TokenSpec } from '../../../src/modules/mint/rules/token-spec.ts';
import { newEdit } from '../../../src/modules/orders/chat/edit-state.ts';
import { editView } from '../../../src/modules/orders/chat/edit-view.ts';
import { orderNoticeView } from '../../../src/modules/orders/chat/notice-view.ts';
import type { OrderFire } from '../../../src/modules/orders/rules/order.ts';
import type { View } from '../../../src/platform/telegram/ui/screen.ts';
import { buildIntent } from '../../engine/intents/build.ts';
import { formOf, MICRO_USD, mintOf, type Names, NOW, orderOf, resultOf, STATE, tokenOf } from './facts.ts';
import type { DrawScreens } from './seldom.ts';

/** Thousands, and nine digits behind the point. */
const LAMPORTS = 12_345_678_901_234n;
const UNITS = 98_765_432_101_234n;

/** Making tokens, and what became of every kind of intent and of orders. */
export const MADE: Readonly<Record<string, DrawScreens>> = {
  'making a token': (words, names) =>
    [0n, LAMPORTS].map((missingLamports) =>
      reviewView(words, {
        draft: draftOf(names),
        quote: {
          powers: [],
          safety: { level: 'OK', warnings: [] },
          warnings: [],
          uri: 'https://desk.example/x.json',
          metadataHash: null,
          transactions: 2,
          cost: {
            accounts: [],
            rentLamports: 2_039_280n,
            metadataFeeLamports: 10_000_001n,
            networkFeeLamports: 1_005_000n,
            platformFeeLamports: LAMPORTS,
            totalLamports: LAMPORTS,
          },
          availableLamports: LAMPORTS,
          missingLamports,
          params: creationOf(names),
          agreed: creationOf(names),
        },
        confirmId: STATE,
        editId: STATE,
        canLaunch: true,
      }),
    ),
  'launching a token': (words, names) =>
    [0n, LAMPORTS].map((missingLamports) =>
      launchView(words, {
        draft: { ...draftOf(names), pads: [] },
        quote: {
          pad: { name: 'desk', label: 'Desk' },
          decimals: 6,
          supply: UNITS,
          graduationLamports: LAMPORTS,
          uri: 'https://desk.example/x.json',
          metadataHash: null,
          firstBuy: FIRST_BUY,
          cost: {
            padLamports: 2_039_280n,
            platformFeeLamports: LAMPORTS,
            firstBuyLamports: LAMPORTS,
            networkFeeLamports: 1_005_000n,
            totalLamports: LAMPORTS,
          },
          availableLamports: LAMPORTS,
          missingLamports,
          mostFirstBuyLamports: 1_234_000_000n,
          params: launchOf(names),
        },
        confirmId: STATE,
        editId: STATE,
      }),
    ),
  'giving up a power': (words, names) => [
    askView(words, {
      quote: {
        token: {
          mint: mintOf(1),
          userId: 'u',
          walletId: 'w',
          creator: mintOf(2),
          intentId: 'i',
          signature: 's',
          spec: specOf(names),
          way: 'native',
          uri: 'https://desk.example/x.json',
          metadataHash: null,
          createdAt: NOW,
          revocations: {},
        },
        networkFeeLamports: 1_005_000n,
        params: {
          kind: 'revoke-authority',
          mint: mintOf(1),
          tokenProgram: TOKEN_PROGRAM,
          authority: 'mint',
          record: null,
          tier: 'normal',
        },
        walletId: 'w',
      },
      confirmId: STATE,
      stateId: STATE,
    }),
  ],
  results: (words, names) =>
    paramsOf(names).flatMap((params) =>
      STANDINGS.flatMap((standing) =>
        [true, false].map((isKnown) =>
          resultView(words, { ...resultOfKind(names, params, isKnown), standing }),
        ),
      ),
    ),
  receipts: (words, names) =>
    paramsOf(names).flatMap((params) =>
      [true, false].map((isKnown) => receipt(words, names, params, isKnown)),
    ),
  'an order that is changed': (words, names) => {
    const { view } = formOf(names, 'limit');
    return [
      editView(words, {
        state: {
          ...newEdit('o1', 1),
          price: { request: '-20%', unit: 'SOL', got: '123456789', given: '1234567890123', supply: null },
          amount: `${LAMPORTS}`,
          trailBps: 1_250,
          fallBps: 3_050,
          toleranceBps: 125,
          floor: { got: '123456789', given: '1234567890123' },
        },
        order: orderOf(1),
        view: { ...view, hasLegs: false },
        stateId: STATE,
        pageId: STATE,
      }),
    ];
  },
  'notices of orders': (words, names) =>
    (['fired', 'voided', 'dev-moved'] as const).map((event) =>
      orderNoticeView(words, {
        notice: { orderId: 'o1', event, code: event === 'dev-moved' ? `${UNITS}` : 'price', n: 1 },
        order: orderOf(1),
        fire: FIRE,
        token: { ...tokenOf(names), uiScale: { numerator: 10_503n, denominator: 10_000n } },
        stateId: STATE,
      }),
    ),
};

const specOf = ({ symbol, name }: Names): TokenSpec => ({
  program: 'token2022',
  name,
  symbol,
  decimals: 6,
  supply: UNITS,
  mintTo: mintOf(1),
  mintAuthority: true,
  freezeAuthority: true,
  updateAuthority: true,
  extensions: NO_SPEC_EXTENSIONS,
});

const draftOf = (names: Names) => ({ walletId: 'w', wallet: mintOf(1), walletName: names.wallet });

const creationOf = (names: Names): CreateTokenParams => ({
  kind: 'create-token',
  prepared: { mint: mintOf(3), rentLamports: 2_039_280n, feeLamports: 5_001n },
  spec: specOf(names),
  way: 'native',
  uri: 'https://desk.example/x.json',
  metadataHash: null,
  recordLamports: 0n,
  mintRentLamports: 2_039_280n,
  holdingRentLamports: 2_039_280n,
  feeLamports: LAMPORTS,
  tier: 'normal',
});

const FIRST_BUY = { lamports: LAMPORTS, quotedTokens: UNITS, minTokens: UNITS, slippageBps: 250 };

const launchOf = (names: Names): LaunchParams => ({
  kind: 'launch',
  pad: 'desk',
  program: null,
  config: null,
  spec: specOf(names),
  uri: 'https://desk.example/x.json',
  metadataHash: null,
  firstBuy: FIRST_BUY,
  costLamports: LAMPORTS,
  feeLamports: LAMPORTS,
  tier: 'normal',
});

/** One of each kind that a person may have. */
function paramsOf(names: Names): readonly IntentParams[] {
  const trades = (['buy', 'sell'] as const).map((side) => {
    const { params } = resultOf(names, side, false).intent;
    return 'terms' in params ? { ...params, terms: { ...params.terms, feeDiscountBps: 1_250 } } : params;
  });
  const accounts = [{ account: mintOf(1), tokenProgram: TOKEN_PROGRAM }];
  return [
    ...trades,
    { kind: 'withdraw-sol', destination: mintOf(1), lamports: LAMPORTS, everything: false, tier: 'normal' },
    {
      kind: 'withdraw-token',
      mint: mintOf(0),
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
      destination: mintOf(1),
      amount: UNITS,
      tier: 'normal',
    },
    { kind: 'close-accounts', accounts, rentLamports: LAMPORTS, tier: 'normal' },
    { kind: 'close-accounts', accounts: [], excess: accounts, rentLamports: LAMPORTS, tier: 'normal' },
    creationOf(names),
    launchOf(names),
  ];
}

const RECEIPT: LandedReceipt = {
  signature: '5'.repeat(88),
  slot: 1n,
  landedAt: NOW,
  feeLamports: 1_005_001n,
  baseFeeLamports: 5_001n,
  priorityFeeLamports: 1_000_000n,
  tipLamports: 1_234_567n,
  walletLamportsDelta: -LAMPORTS,
  tokenDeltas: [{ mint: mintOf(0), delta: UNITS }],
  rentLamports: 2_039_280n,
  platformFeeLamports: LAMPORTS,
  createdMint: mintOf(0),
};

const STANDINGS: readonly Standing[] = [
  { kind: 'waiting', until: NOW },
  { kind: 'done', final: true, signature: 's', receipt: RECEIPT },
  { kind: 'done', final: false, signature: 's', receipt: null },
  {
    kind: 'landed-error',
    final: true,
    priceMoved: true,
    signature: 's',
    feeLamports: 1_005_001n,
    reason: null,
  },
];

/** `isKnown`: whether the chain gives the token just now. */
const resultOfKind = (names: Names, params: IntentParams, isKnown: boolean) => ({
  ...resultOf(names, params.kind === 'sell' ? 'sell' : 'buy', false),
  intent: buildIntent({ params }),
  token: isKnown ? { ...tokenOf(names), uiScale: { numerator: 10_503n, denominator: 10_000n } } : null,
});

function receipt(words: Words, names: Names, params: IntentParams, isKnown: boolean): View {
  return receiptView(words, {
    intent: buildIntent({ params }),
    receipt: isKnown ? RECEIPT : { ...RECEIPT, rentLamports: -2_039_280n },
    terms: null,
    token: isKnown ? tokenOf(names) : null,
    intermediates: [],
    explorerUrl: 'https://explorer.example/{signature}',
    stateId: STATE,
    profit: {
      lamports: isKnown ? LAMPORTS : -LAMPORTS,
      costLamports: LAMPORTS * 3n,
      counted: 'all',
      microUsdPerSol: MICRO_USD,
    },
    sandwich: { certainty: 'sure', front: SEEN, back: SEEN, costBps: 125 },
  });
}

const SEEN = {
  id: 1n,
  side: 'buy',
  base: 1n,
  quote: 1n,
  fee: null,
  trader: mintOf(9),
  signature: 's',
  dust: false,
} as const;

const FIRE: OrderFire = {
  orderId: 'o1',
  n: 1,
  intentId: 'i',
  units: LAMPORTS,
  groupId: 'g',
  slot: 1n,
  quoted: UNITS,
  firedAt: NOW,
  end: { at: NOW, result: 'voided', given: 0n, got: 0n, burntLamports: 1_005_001n, reason: 'price' },
};
