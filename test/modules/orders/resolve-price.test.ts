import { describe, expect, it } from 'vitest';
import { draftAnswers } from '../../../src/modules/orders/chat/draft-answers.ts';
import type { DraftState } from '../../../src/modules/orders/chat/draft-state.ts';
import type { Rate } from '../../../src/modules/orders/rules/rate.ts';
import { resolvePrice } from '../../../src/modules/orders/use/resolve-price.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { buildToken } from '../tokens/build-token.ts';

/** The form of exits for a token of this entry. Who asks for the price of now fails: its only market is the token's facts. */
async function exitsForm(entry: Rate | null) {
  const db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  const mint = newAddress();
  const trade = { chain: { token: async () => buildToken({ mint, decimals: 6, supply: 1_000_000_000n }) } };
  const orders = {
    entryPrice: async () => entry,
    resolvePrice: (asked: Parameters<typeof resolvePrice>[1]) =>
      resolvePrice({ trade } as unknown as Parameters<typeof resolvePrice>[0], asked),
  };
  const { legAt } = draftAnswers({ db, orders } as unknown as Parameters<typeof draftAnswers>[0]);
  const state = { side: 'sell', mint, walletId: wallet.id, amount: '500', legs: [], supply: '' };
  return (text: string) => legAt(user.id, state as unknown as DraftState, text, 'STOP_LOSS');
}

const UNKNOWN = { code: 'ORDER_REFUSED', details: { kind: 'entry-unknown' } };

describe('the price of an exit', () => {
  it.each(['-30%', '+100%', '2x'])('counts %s from the entry', async (text) => {
    const { leg } = await (await exitsForm({ got: 1_000n, given: 10n }))(text);
    const part = { '-30%': 70n, '+100%': 200n, '2x': 200n }[text] ?? 0n;
    expect(BigInt(leg.got) * 10n * 100n).toBe(BigInt(leg.given) * 1_000n * part);
  });

  it.each(['-30%', '+100%', '2x'])('is refused as %s where the entry is not known', async (text) => {
    await expect((await exitsForm(null))(text)).rejects.toMatchObject(UNKNOWN);
  });

  it.each(['0.0012', '$0.0012', '420K'])('is taken as %s where the entry is not known', async (text) => {
    expect((await (await exitsForm(null))(text)).leg.request).toBe(text);
  });
});
