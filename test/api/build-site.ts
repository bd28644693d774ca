import { createQrPng } from '../../src/adapters/files/qr-png.ts';
import { createPictures } from '../../src/adapters/pictures/create-pictures.ts';
import type { ApiDeps, Host } from '../../src/api/api-deps.ts';
import { createHost } from '../../src/api/create-host.ts';
import { storePicture } from '../../src/services/metadata/store-picture.ts';
import { fakeIdempotencyStore } from '../support/fakes/idempotency-store.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';

const never = () => Promise.reject(new Error('not asked for in these tests'));

/** A host over its public pages and uploads, without a chain behind it. */
export function buildSite(host: Host, options: Partial<ApiDeps> = {}) {
  let now = 1_700_000_000_000;
  const metadata = fakeMetadataStore();
  const pictures = createPictures();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log };
  const app = createHost(
    {
      buildSwap: never,
      quoteSwap: never,
      rpcMeter: { measure: never },
      buildToken: never,
      storePicture: (bytes) => storePicture({ metadata, pictures }, bytes),
      site: {
        metadata,
        pictures,
        passport: async () => null,
        round: async () => null,
        publicUrl: () => 'https://desk.example',
      },
      secondFactor: { show: async () => null, qr: createQrPng() },
      health: { database: async () => 0, queue: async () => 0 },
      usage: { count: () => undefined, list: async () => [], flush: async () => undefined },
      idempotency: fakeIdempotencyStore(),
      clock: { now: () => now },
      ids: fakeIds(),
      log,
      ...options,
    },
    host,
  );
  return {
    app,
    metadata,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

export const OPEN = { kind: 'open', ratePerSecond: 1_000, burst: 1_000 } as const;
