import { randomBytes } from 'node:crypto';
import { addressFromBytes, NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Launch } from '../../src/modules/launch/rules/launch.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newId, storedIntent, storedPerson } from './store-rows.ts';

/** The rules of the store of launches. */
export function describeLaunchStore(open: () => Database): void {
  let db: Database;
  beforeAll(() => {
    db = open();
  });
  const fresh = () => addressFromBytes(new Uint8Array(randomBytes(32)));

  async function launched(more: Partial<Launch> = {}): Promise<Launch> {
    const { user, wallet } = await storedPerson(db);
    const intent = await storedIntent(db, { userId: user.id, walletId: wallet.id });
    const mint = fresh();
    await db.createdTokens.insert({
      mint,
      userId: user.id,
      walletId: wallet.id,
      creator: wallet.address,
      intentId: intent.id,
      signature: newId(),
      spec: {
        program: 'token2022',
        name: 'Pup',
        symbol: 'PUP',
        decimals: 6,
        supply: 10n,
        mintTo: wallet.address,
        mintAuthority: false,
        freezeAuthority: false,
        updateAuthority: false,
        extensions: NO_SPEC_EXTENSIONS,
      },
      way: 'native',
      uri: 'https://x.example',
      metadataHash: null,
      createdAt: NOW,
      revocations: {},
    });
    const launch: Launch = {
      mint,
      userId: user.id,
      intentId: intent.id,
      pad: 'desk',
      config: null,
      firstBuyLamports: 5n,
      soldBps: 0,
      checkedAt: NOW,
      graduatedAt: null,
      createdAt: NOW,
      ...more,
    };
    expect(await db.launches.insert(launch)).toBe(true);
    return launch;
  }

  describe('launches', () => {
    it('are kept as they were, once', async () => {
      const launch = await launched({ config: fresh(), firstBuyLamports: 2n ** 62n });
      expect(await db.launches.find(launch.mint)).toEqual(launch);
      expect(await db.launches.insert(launch)).toBe(false);
      expect(await db.launches.find(fresh())).toBeNull();
      expect(await db.launches.listByUser(launch.userId, 5)).toEqual([launch]);
    });

    it('come up for a look in the order in which they were not looked at', async () => {
      const late = await launched({ checkedAt: NOW - 1_000 });
      const early = await launched({ checkedAt: NOW - 2_000 });
      const mine = async () =>
        (await db.launches.onCurve(1_000))
          .map(({ mint }) => mint)
          .filter((mint) => [late.mint, early.mint].includes(mint));
      expect(await mine()).toEqual([early.mint, late.mint]);
      await db.launches.saveProgress(early.mint, { soldBps: 1_234, at: NOW });
      expect(await mine()).toEqual([late.mint, early.mint]);
      expect(await db.launches.find(early.mint)).toMatchObject({ soldBps: 1_234, checkedAt: NOW });
    });

    it('graduate for one caller only, and are not looked at after', async () => {
      const { mint } = await launched();
      const told = await Promise.all([1, 2, 3].map(() => db.launches.graduate(mint, NOW + 5)));
      expect(told.filter(Boolean)).toHaveLength(1);
      expect(await db.launches.find(mint)).toMatchObject({ soldBps: 10_000, graduatedAt: NOW + 5 });
      expect((await db.launches.onCurve(1_000)).some((launch) => launch.mint === mint)).toBe(false);
    });
  });
}
