import type { ApiDeps } from '../../src/compose/api-deps.ts';
import { stopPageWords } from '../../src/modules/guard/chat/mail-letters.ts';
import type { MarketData } from '../../src/modules/market/use/market-data.ts';
import { storePicture } from '../../src/modules/mint/use/store-picture.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { createWebhookDesk } from '../../src/modules/webhooks/use/manage-webhooks.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import type { NetworkFacts } from '../../src/platform/chain/network-facts.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { createQrPng } from '../../src/platform/files/qr-png.ts';
import { createPictures } from '../../src/platform/pictures/create-pictures.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeIdempotencyStore } from '../support/fakes/idempotency-store.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakeIpBlocks } from '../support/fakes/ip-blocks.ts';
import { NO_MARKETS } from '../support/fakes/market-snapshot.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { fakeWebhookStore } from '../support/fakes/webhook-store.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';

/** What the process behind these tests measured of its network. */
export const NETWORK: NetworkFacts = {
  slotMs: 214,
  blockhashLivesMs: 32_100,
  slotAgeMs: 900,
  rentLamportsPerByte: 5_080,
  rentAgeMs: 4_000,
};

const GONE = { kind: 'gone' } as const;

/** A desk whose indexer has not begun. */
const noMarkets: MarketData = {
  snapshot: async () => NO_MARKETS,
  lookNow: async () => undefined,
  find: async () => null,
  ofMint: async () => [],
  trades: async () => [],
  tradesAfter: async () => [],
  priceDayAgo: async () => null,
  candles: async () => [],
  lastBarBefore: async () => null,
  book: async () => null,
};

/** What every host has beside swaps and tokens: pictures, public pages, a clock that stands until it is moved. */
export function pageDeps(publicUrl = 'https://desk.example') {
  let now = 1_700_000_000_000;
  const metadata = fakeMetadataStore({ publicUrl });
  const pictures = createPictures();
  return {
    metadata,
    advance: (ms: number): void => {
      now += ms;
    },
    deps: {
      storePicture: (bytes) => storePicture({ metadata, pictures }, bytes),
      site: {
        metadata,
        pictures,
        charts: { candles: async () => new Uint8Array() },
        passport: async () => null,
        round: async () => null,
        publicUrl: () => publicUrl,
        pauses: async () => [],
        tokenPictures: async () => new Map(),
        history: async () => ({ days: [], incidents: [] }),
        tradingFigures: async () => ({ sources: [], verdicts: [] }),
      },
      submissions: {
        tokenOf: () => null,
        subscribe: async () => () => undefined,
        submit: async () => Promise.reject(new Error('nothing is submitted in these tests')),
        find: async () => null,
      },
      stopPage: { look: async () => GONE, stop: async () => GONE, say: stopPageWords },
      webhooks: createWebhookDesk({
        webhooks: fakeWebhookStore(),
        secrets: { hash: () => new Uint8Array(32) },
        sender: { problemOf: async () => null },
        rule: () => ({ allowsLoopback: false, ownHosts: [] }),
        clock: { now: () => now },
        ids: fakeIds(),
        wake: () => undefined,
      }),
      secondFactor: { show: async () => null, qr: createQrPng() },
      keyDesk: null,
      programDesk: createProgramDesk({
        db: fakeDatabase(),
        clock: { now: () => now },
        signatureChecks: createSignatureChecks(),
        endOrder: () => Promise.reject(new Error('no order is ended in these tests')),
        makeTrade: () => Promise.reject(new Error('no trade is made in these tests')),
        placeOrder: () => Promise.reject(new Error('no order is placed in these tests')),
        isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
        log: { error: () => undefined },
      }),
      frame: { isPlayMoney: false, sourceUrl: null, botUrl: () => null, transactionUrl: () => null },
      health: { database: async () => 0, queue: async () => 0 },
      networkFacts: () => NETWORK,
      pause: async () => null,
      market: noMarkets,
      tokens: fakeTokenData(),
      tradeStream: { takePlace: () => null, subscribe: async () => () => undefined, close: () => undefined },
      deprecation: { deprecatedAt: Date.UTC(2026, 0, 1), sunsetAt: null },
      ipBlocks: fakeIpBlocks(),
      orderBookLimits: { perSecond: 10, perMinute: 120, blocks: 'v1', contact: null },
      idempotency: fakeIdempotencyStore(),
      clock: { now: () => now },
      ids: fakeIds(),
    } satisfies Partial<ApiDeps>,
  };
}
