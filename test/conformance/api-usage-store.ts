import { beforeEach, expect, it } from 'vitest';
import type { ApiUsage, ApiUsageStore } from '../../src/modules/keys/store/api-usage-store-port.ts';

const ALWAYS = '2000-01-01';

/** The rules of a store of API usage. */
export function describeApiUsageStore(make: () => Promise<ApiUsageStore>): void {
  let store: ApiUsageStore;
  let account = '';
  let count = 0;
  beforeEach(async () => {
    store = await make();
    count += 1;
    account = `account ${count}`;
  });
  const row = (more: Partial<ApiUsage> = {}): ApiUsage => ({
    account,
    keyId: 'key1',
    route: 'POST /dex/swap',
    day: '2026-01-31',
    status: 200,
    requests: 1,
    ...more,
  });

  it('adds up what is the same and keeps apart what is not, in one call and over many', async () => {
    await store.add([row({ requests: 2 }), row({ requests: 3 }), row({ route: 'GET /dex/quote' })], ALWAYS);
    await Promise.all(Array.from({ length: 10 }, () => store.add([row(), row({ keyId: 'key2' })], ALWAYS)));
    await store.add([row({ status: 429, requests: 4 })], ALWAYS);
    await store.add([row({ day: '2026-02-01', requests: 7 })], ALWAYS);
    await store.add([row({ account: 'somebody else' })], ALWAYS);
    await store.add([], ALWAYS);
    expect(await store.list(account, ALWAYS)).toEqual([
      row({ day: '2026-02-01', requests: 7 }),
      row({ route: 'GET /dex/quote' }),
      row({ requests: 15 }),
      row({ status: 429, requests: 4 }),
      row({ keyId: 'key2', requests: 10 }),
    ]);
    expect(await store.list(account, '2026-02-01')).toHaveLength(1);
    expect(await store.list('nobody', ALWAYS)).toEqual([]);
  });

  it('forgets days that are not to be kept, and takes none of them', async () => {
    await store.add([row(), row({ day: '2026-02-01' })], ALWAYS);
    await store.add([row({ requests: 5 }), row({ day: '2026-02-01' })], '2026-02-01');
    expect(await store.list(account, ALWAYS)).toEqual([row({ day: '2026-02-01', requests: 2 })]);
  });
}
