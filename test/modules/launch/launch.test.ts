import { WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { LaunchParams } from '../../../src/engine/intents/kinds/launch/params.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { launchProgress, watchLaunches } from '../../../src/modules/launch/use/launch-progress.ts';
import { type LaunchRequest, quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { createTokenRecords } from '../../../src/platform/chain/token-records.ts';
import { startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

type Rig = Awaited<ReturnType<typeof startMoneyRig>>;
type Person = Awaited<ReturnType<Rig['person']>>;

let rig: Rig;
beforeAll(async () => {
  rig = await startMoneyRig(fakeDatabase(), 'launches');
});
afterAll(() => rig.stop());

const SOL = 1_000_000_000n;
let serial = 0;

const request = (person: Person, more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  wallet: person.wallet.address,
  pad: 'desk',
  symbol: 'PUPS',
  name: 'Puppies',
  metadata: { description: 'Small dogs', imageUri: 'https://x.example/p.png' },
  firstBuyLamports: 0n,
  slippageBps: 500,
  tier: 'normal',
  ...more,
});

async function launch(person: Person, params: LaunchParams): Promise<Intent> {
  serial += 1;
  const { intent } = await createIntent(rig.deps, {
    userId: person.userId,
    walletId: person.wallet.id,
    idemKey: `launch-${serial}`,
    params,
  });
  return rig.settled(intent.id);
}

const mintOf = (intent: Intent) => {
  const mint = intent.outcome?.receipt?.createdMint;
  if (mint === undefined) throw new Error(`no mint: ${JSON.stringify(intent.outcome)}`);
  return mint;
};

describe('a launch at the desk', () => {
  it('makes the token, fills its curve and makes the first buy in one transaction, to the lamport', async () => {
    const inviter = await rig.person('Inviter', SOL);
    const person = await rig.person('Creator', 3n * SOL, inviter.userId);
    const quote = await quoteLaunch(rig.launch, request(person, { firstBuyLamports: SOL / 2n }));
    expect(quote.missingLamports).toBe(0n);
    const intent = await launch(person, quote.params);
    expect(intent).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
    const receipt = intent.outcome?.receipt;
    const mint = mintOf(intent);

    // What was quoted is what was paid.
    expect(receipt?.rentLamports).toBe(quote.cost.padLamports);
    expect(receipt?.platformFeeLamports).toBe(20_000_000n);
    expect(receipt?.tokenDeltas).toEqual([{ mint, delta: quote.firstBuy?.quotedTokens }]);

    // The chain: everything given up, the rest of the supply in the curve.
    const record = await createTokenRecords(rig.chain).find(mint);
    expect(record).toMatchObject({
      token: {
        symbol: 'PUPS',
        name: 'Puppies',
        mintAuthority: null,
        freezeAuthority: null,
        supply: quote.supply,
      },
      metadata: { kind: 'token-2022', uri: quote.uri, updateAuthority: null },
    });
    const [pool] = await rig.trade.venues[0]!.pools(mint, WSOL_MINT);
    expect(pool?.label).toBe('Desk Launch');

    // The books: token, launch, and the inviter's share of the fee.
    expect(await rig.deps.db.createdTokens.find(mint)).toMatchObject({ intentId: intent.id, uri: quote.uri });
    expect(await rig.deps.db.launches.find(mint)).toMatchObject({ pad: 'desk', firstBuyLamports: SOL / 2n });
    expect(await rig.deps.db.referrals.rewards(inviter.userId, 5)).toMatchObject([{ lamports: 6_000_000n }]);
  });

  it('works without a first buy and leaves no empty account behind; the token trades at once', async () => {
    const person = await rig.person('Patient', 3n * SOL);
    const quote = await quoteLaunch(rig.launch, request(person, { symbol: 'CALM' }));
    const intent = await launch(person, quote.params);
    const mint = mintOf(intent);
    expect(await rig.chain.holdings(person.wallet.address)).toEqual([]);
    const trade = await quoteTrade(rig.trade, {
      side: 'buy',
      wallet: person.wallet.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      amount: { lamports: SOL / 10n },
    });
    expect(trade.terms.quotedOut).toBeGreaterThan(0n);
    const bought = await rig.settled(
      (
        await createIntent(rig.deps, {
          userId: person.userId,
          walletId: person.wallet.id,
          idemKey: 'buy-calm',
          params: { kind: 'buy', mint, lamportsIn: SOL / 10n, terms: trade.terms, tier: 'normal' },
        })
      ).intent.id,
    );
    expect(bought.status).toBe('SUCCEEDED');
  });

  it('tells its creator once that the curve is complete', async () => {
    const person = await rig.person('Winner', 30n * SOL);
    const quote = await quoteLaunch(
      rig.launch,
      request(person, { symbol: 'MOON', firstBuyLamports: 8n * SOL }),
    );
    const mint = mintOf(await launch(person, quote.params));
    const deps = { ...rig.deps, launchpads: rig.launch.launchpads };
    await watchLaunches(deps);
    expect(await launchProgress(deps, mint)).toMatchObject({ soldBps: 4_705, graduated: false });
    const trade = await quoteTrade(rig.trade, {
      side: 'buy',
      wallet: person.wallet.address,
      mint,
      slippageBps: bps(5_000),
      tier: 'normal',
      amount: { lamports: 10n * SOL },
    });
    const { intent } = await createIntent(rig.deps, {
      userId: person.userId,
      walletId: person.wallet.id,
      idemKey: 'buy-moon',
      params: { kind: 'buy', mint, lamportsIn: 10n * SOL, terms: trade.terms, tier: 'normal' },
    });
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
    await Promise.all([watchLaunches(deps), watchLaunches(deps)]);
    await watchLaunches(deps);
    expect(await launchProgress(deps, mint)).toMatchObject({ soldBps: 10_000, graduated: true });
    await expect
      .poll(() => rig.delivered.filter(({ kind }) => kind === 'graduated').map(({ payload }) => payload), {
        timeout: 10_000,
      })
      .toEqual([{ mint, symbol: 'MOON', pad: 'Desk Launch' }]);
  });
});

describe('the quote of a launch', () => {
  it('says what is missing instead of refusing', async () => {
    const person = await rig.person('Poor', SOL / 100n);
    const quote = await quoteLaunch(rig.launch, request(person, { firstBuyLamports: SOL }));
    expect(quote.missingLamports).toBe(quote.cost.totalLamports - SOL / 100n);
  });

  it.each([
    ['a pad that is not there', { pad: 'pump-fun' }, { code: 'LAUNCHPAD_UNAVAILABLE' }],
    ['a symbol of eleven bytes', { symbol: 'ELEVENBYTES' }, { code: 'TOKEN_REQUEST_INVALID' }],
    [
      'a link that the pad has no room for',
      { metadataUri: `https://x.example/${'a'.repeat(185)}` },
      { code: 'TOKEN_REQUEST_INVALID' },
    ],
    [
      'a first buy above the whole curve',
      { firstBuyLamports: 1_000n * SOL },
      { code: 'INSUFFICIENT_LIQUIDITY' },
    ],
    ['a first buy of dust', { firstBuyLamports: 1n }, { code: 'AMOUNT_DUST' }],
    [
      'a first buy far beyond the curve',
      { firstBuyLamports: 5_000n * SOL },
      { code: 'INSUFFICIENT_LIQUIDITY' },
    ],
  ])('refuses %s', async (_, more, expected) => {
    const person = await rig.person('Anybody', SOL);
    await expect(quoteLaunch(rig.launch, request(person, more))).rejects.toMatchObject(expected);
  });
});
