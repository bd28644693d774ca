import { lamports, NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import fc from 'fast-check';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { createSpendingIntent } from '../../src/modules/guard/use/guard-spending.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import type { ConfirmTradeDeps, ConfirmTradeInput } from '../../src/modules/trading/use/confirm-trade.ts';
import type { BackupDeps } from '../../src/modules/wallets/use/wallet-backups.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { createRecoveryCodes } from '../../src/platform/pin/recovery-codes.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { alertRow } from '../conformance/alert-store.ts';
import { followRow } from '../conformance/follow-store.ts';
import { personalKeyRow } from '../conformance/personal-key-store.ts';
import { buttonRow, intentRow, newAddress, newId } from '../conformance/store-rows.ts';
import { TOKEN } from '../modules/trading/build-pool.ts';
import { PARAMS_OF } from '../support/arbitrary-intents.ts';
import { fakePins, givePin } from '../support/fakes/pins.ts';
import { testSigning } from '../support/fakes/signing.ts';
import { orderPlace, SALE, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';
import { rentExemption } from '../support/rent.ts';
import { CONFIRMS, testSigner } from '../support/signer.ts';

/** The rows of one person, one of each kind that an id can name. */
export type Things = {
  readonly userId: string;
  readonly walletId: string;
  readonly orderId: string;
  readonly placeKey: string;
  readonly alertId: string;
  readonly alertKey: string;
  readonly followId: string;
  readonly personalKeyId: string;
  readonly entryId: string;
  readonly intentId: string;
  /** Of that intent. */
  readonly idemKey: string;
  /** The second half of a creation that came to nothing. */
  readonly unfinishedId: string;
  readonly roundId: string;
  /** Of a key file that may be taken now. */
  readonly exportId: string;
  readonly buttonId: string;
  readonly redeemKey: string;
  readonly convertKey: string;
  readonly mint: ReturnType<typeof newAddress>;
};

export const sampleParams = <K extends IntentParams['kind']>(
  kind: K,
): Extract<IntentParams, { readonly kind: K }> => {
  const [params] = fc.sample(PARAMS_OF[kind], { seed: 1, numRuns: 1 });
  if (params === undefined) throw new Error('no sample');
  return params;
};

/** Two people with a PIN and everything that an id can name, and the real use cases over one database in memory. */
export async function strangersWorld() {
  const place = await orderPlace();
  const { db, clock } = place;
  const pins = fakePins();
  const programs = createPrograms();
  const { signing, tries } = testSigning({ db, clock });
  const deps = {
    ...place.deps,
    vault: { ...testSigner({ db, clock }, { pins, signing, tries }), confirm: CONFIRMS.confirm },
    codes: createRecoveryCodes(),
    settlements: SETTLEMENTS,
    fees: feesOf(),
    treasury: { id: newId(), userId: null, name: '', address: newAddress(), createdAt: 0, deletedAt: null },
    relay: { nudge: () => undefined, flush: async () => 0, stop: () => undefined },
    tokenValue: async () => 1n,
    log: { info: () => undefined, warn: () => undefined },
    chain: {
      balance: async () => lamports(5n * SOL),
      holdings: async () => [],
      slotMs: () => 400,
      rentExemption,
      accounts: async () => ({ accounts: [], slot: 1n }),
    },
    programs,
    maxWallets: 10,
    needsVoucher: false,
    seeds: { seedOf: async () => 'ab'.repeat(32), sha256: () => 'cd'.repeat(32) },
  } as unknown as BackupDeps & typeof place.deps & { readonly vault: Vault };
  const period = await db.convert.announce({
    budgetLamports: SOL,
    opensAt: clock.now(),
    closesAt: clock.now() + 3_600_000,
    announcedAt: clock.now(),
    seal: null,
  });

  const things = async (userId: string): Promise<Things> => {
    await givePin(db, pins, userId);
    const [wallet] = await db.wallets.listByUser(userId);
    if (wallet === undefined || period === null) throw new Error('there is a wallet and a period');
    const group = await placeOrders(place.deps, { ...place.draft(SALE), userId, walletId: wallet.id });
    const [order] = group.orders;
    const alert = await db.alerts.insert(alertRow(userId));
    const follow = followRow(userId);
    await db.follows.insert(follow);
    const { id: entryId } = await db.addressBook.insert(PASSED, {
      id: newId(),
      userId,
      walletId: wallet.id,
      address: newAddress(),
      name: 'Cold',
      addedAt: clock.now(),
    });
    const stored = async (change: Partial<Intent>): Promise<Intent> =>
      (await db.intents.insert(intentRow(wallet, change))).intent;
    const intent = await stored({ params: sampleParams('withdraw-sol') });
    const prepared = { mint: newAddress(), rentLamports: 1n, feeLamports: 0n };
    const half = { ...sampleParams('create-token'), prepared } as unknown as IntentParams;
    const unfinished = await stored({ kind: 'create-token', params: half, status: 'FAILED' });
    const made = await stored({ params: sampleParams('create-token'), status: 'SUCCEEDED' });
    const mint = newAddress();
    await db.createdTokens.insert({
      mint,
      userId,
      walletId: wallet.id,
      creator: wallet.address,
      intentId: made.id,
      signature: newId(),
      spec: {
        program: 'token2022',
        name: 'Puppy',
        symbol: 'PUP',
        decimals: 9,
        supply: 1n,
        mintTo: wallet.address,
        mintAuthority: true,
        freezeAuthority: true,
        updateAuthority: true,
        extensions: NO_SPEC_EXTENSIONS,
      },
      way: 'native',
      uri: 'https://desk.example/x.json',
      metadataHash: null,
      createdAt: clock.now(),
      revocations: {},
    });
    const exportId = newId();
    const asked = {
      userId,
      walletId: wallet.id,
      askedAt: clock.now() - 1_000,
      readyAt: clock.now() - 500,
      endsAt: clock.now() + 3_600_000,
    };
    await db.exports.insert(PASSED, { id: exportId, ...asked, end: null });
    await signing.write({ kind: 'export-asked', exportId, ...asked });
    const personalKey = personalKeyRow({ userId, walletId: wallet.id });
    await db.personalKeys.insert(PASSED, personalKey);
    const roundId = newId();
    await db.games.insert({
      id: roundId,
      table: 'coin-1',
      userId,
      game: 'coin',
      commitment: 'ab'.repeat(32),
      createdAt: clock.now(),
      bet: null,
      result: null,
    });
    const button = buttonRow(userId, { expiresAt: clock.now() + 3_600_000 });
    await db.buttons.insert([button]);
    const [redeemKey, convertKey] = [newId(), newId()];
    await db.shop.insert({
      id: newId(),
      userId,
      idemKey: redeemKey,
      item: 'fee-10',
      points: 1n,
      effect: { kind: 'sol-rebate', lamports: 1n },
      startsAt: clock.now(),
      endsAt: null,
      createdAt: clock.now(),
    });
    await db.convert.insertEntry({
      id: newId(),
      period: period.number,
      userId,
      idemKey: convertKey,
      points: 1n,
      createdAt: clock.now(),
    });
    return {
      userId,
      walletId: wallet.id,
      orderId: order?.id ?? '',
      placeKey: group.placeKey,
      alertId: alert.id,
      alertKey: alert.placeKey,
      followId: follow.id,
      personalKeyId: personalKey.id,
      entryId,
      intentId: intent.id,
      idemKey: intent.idemKey,
      unfinishedId: unfinished.id,
      roundId,
      exportId,
      buttonId: button.id,
      redeemKey,
      convertKey,
      mint,
    };
  };
  const quotedOut = SOL / 10n;
  const trade: ConfirmTradeInput['trade'] = {
    side: 'buy',
    mint: TOKEN,
    tier: 'normal',
    quotedAt: clock.now(),
    terms: {
      amountIn: SOL / 10n,
      quotedOut,
      minOut: quotedOut - 1n,
      platformFeeLamports: 0n,
      priceImpactBps: 1,
      slippageBps: 100,
      route: [],
    } as unknown as ConfirmTradeInput['trade']['terms'],
  };
  const createIntent: ConfirmTradeDeps['createIntent'] = (input) => createSpendingIntent(deps, input);
  const confirming = {
    ...place.deps.trade,
    db,
    needsReferralAccount: false,
    createIntent,
  } as unknown as ConfirmTradeDeps;
  return {
    db,
    clock,
    place,
    deps,
    trade,
    confirming,
    creating: {
      db,
      needsReferralAccount: false,
      createIntent: (input: Parameters<typeof createSpendingIntent>[1]) => createSpendingIntent(deps, input),
    },
    period: period?.number ?? 0,
    owner: await things(place.userId),
    stranger: await things(place.stranger),
  };
}

export type StrangersWorld = Awaited<ReturnType<typeof strangersWorld>>;
