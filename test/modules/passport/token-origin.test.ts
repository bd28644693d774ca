import { NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import { tokenOrigin } from '../../../src/modules/passport/use/token-origin.ts';
import type { ShopEffect } from '../../../src/modules/points/rules/shop.ts';
import { intentRow, NOW, newId, storedPerson, walletRow } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

async function stored() {
  const db = fakeDatabase();
  const make = async () => {
    const { user, wallet } = await storedPerson(db);
    const { intent } = await db.intents.insert(intentRow(wallet));
    const token: CreatedToken = {
      mint: walletRow().address,
      userId: user.id,
      walletId: wallet.id,
      creator: wallet.address,
      intentId: intent.id,
      signature: `signature-${newId()}`,
      spec: {
        program: 'token',
        name: 'Puppy',
        symbol: 'PUP',
        decimals: 6,
        supply: 1n,
        mintTo: wallet.address,
        mintAuthority: true,
        freezeAuthority: false,
        updateAuthority: true,
        extensions: NO_SPEC_EXTENSIONS,
      },
      way: 'native',
      uri: 'https://desk.example/x.json',
      metadataHash: null,
      createdAt: NOW,
      revocations: {},
    };
    await db.createdTokens.insert(token);
    return token;
  };
  const redeem = (userId: string, item: string, effect: ShopEffect) =>
    db.shop.insert({
      id: newId(),
      userId,
      idemKey: newId(),
      item,
      points: 300n,
      effect,
      startsAt: NOW,
      endsAt: null,
      createdAt: NOW,
    });
  return { db, make, redeem };
}

describe('tokenOrigin', () => {
  it('knows nothing of a token that was made elsewhere', async () => {
    const { db } = await stored();
    expect(await tokenOrigin(db, walletRow().address)).toBeNull();
  });

  it('gives the badge to every token of who redeemed one, and to nobody else', async () => {
    const { db, make, redeem } = await stored();
    const [hers, his] = [await make(), await make()];
    const badgeOf = async ({ mint }: CreatedToken) => (await tokenOrigin(db, mint))?.hasBadge;
    await redeem(hers.userId, 'slot-1', { kind: 'wallet-slot' });
    expect([await badgeOf(hers), await badgeOf(his)]).toEqual([false, false]);
    await redeem(hers.userId, 'badge-1', { kind: 'badge' });
    expect([await badgeOf(hers), await badgeOf(his)]).toEqual([true, false]);
    expect(await tokenOrigin(db, hers.mint)).toMatchObject({
      creator: hers.creator,
      created: { signature: hers.signature, at: NOW },
      otherTokens: [],
    });
  });
});
