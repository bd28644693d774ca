import { VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import { lookupTablesOf } from '../../../src/engine/signing/rules/decode-message.ts';
import { firstSignature } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import type { PlanBuilders } from '../../../src/engine/transactions/use/plan.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import type { Wallet, WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import type { LookupTables } from '../../../src/platform/ports/lookup-tables.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { buildApi, type ErrorAnswer, post } from '../../api/build-api.ts';
import { buildIntent, buildWallet, type DeskRig, startDeskRig } from '../../modules/trading/desk-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { signerOf } from '../../support/signer.ts';
import { lyingChain, startTableRig } from './table-rig.ts';

const ring = keyring(localKek(new Uint8Array(32).fill(3)));
const secrets = new Map<string, WalletSecret>();
let rig: DeskRig;
let operator: Awaited<ReturnType<typeof startTableRig>>;
let tables: LookupTables;
let wallet: Wallet;

beforeAll(async () => {
  rig = await startDeskRig('lut-trade', { version1: false });
  operator = await startTableRig(rig);
  await operator.sync(await operator.wanted());
  tables = operator.lookupTables();
  const secret = await vaultWith(tables).create({ walletId: 'W1', userId: null });
  secrets.set('W1', secret);
  wallet = { ...buildWallet(secret.publicKey), userId: null };
  await rig.airdrop(wallet.address, 100_000_000_000n);
});
afterAll(() => rig.stop());

const vaultWith = (lookupTables?: Pick<LookupTables, 'verified'>) =>
  createVault({
    keyring: ring,
    secrets: { secret: async (id) => secrets.get(id) ?? null },
    venuePrograms: [],
    ...(lookupTables === undefined ? {} : { lookupTables }),
  });

const quoteWith = (lookupTables?: LookupTables): Promise<TradeQuote> =>
  quoteTrade(
    { ...rig.deps, ...(lookupTables === undefined ? {} : { lookupTables }) },
    {
      side: 'buy',
      wallet: wallet.address,
      mint: rig.token('KOI').mint,
      slippageBps: bps(100),
      tier: 'normal',
      amount: { lamports: 40_000_000_000n },
    },
  );

let runs = 0;
function attempt(quote: TradeQuote, laidBy: LookupTables, signedBy = laidBy): Promise<Attempt> {
  runs += 1;
  const deps = { ...rig.deps, lookupTables: laidBy };
  const { terms, tier, token } = quote;
  const id = `01J8ZQ6Y7V3M9T2K4C5D6E7F${String(runs).padStart(2, '0')}`;
  const params = { kind: 'buy' as const, mint: token.mint, terms, tier, lamportsIn: terms.amountIn };
  const intent = { ...buildIntent(id, params), userId: null };
  return buildAttempt(
    {
      db: fakeDatabase(),
      chain: rig.chain,
      compiler: rig.compiler,
      programs: rig.programs,
      vault: signerOf(vaultWith(signedBy), { intent, wallet, treasury: rig.treasury }),
      clock: rig.deps.clock,
      ids: fakeIds(),
      plans: { buy: createBuyPlanBuilder(deps) } as PlanBuilders,
    },
    intent,
    wallet,
    1,
  );
}

const messageOf = (signed: Uint8Array): Uint8Array =>
  VersionedTransaction.deserialize(signed).message.serialize();

describe('a trade of the bot that fits a packet by lookup tables alone', () => {
  it('brings more than the best that fits without, and lands as quoted', async () => {
    const [without, quote] = [await quoteWith(), await quoteWith(tables)];
    expect(without.terms.route).toHaveLength(1);
    expect(quote.terms.route).toHaveLength(3);
    expect(quote.terms.quotedOut).toBeGreaterThan((without.terms.quotedOut * 110n) / 100n);

    const { signedTransaction } = await attempt(quote, tables);
    const [table] = await tables.verified();
    expect(lookupTablesOf(messageOf(signedTransaction))).toEqual([table?.address]);
    expect(signedTransaction.length).toBeLessThanOrEqual(1_232);
    expect(await rig.chain.send(signedTransaction)).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    const landed = await rig.chain.landed(toBase58(firstSignature(signedTransaction)));
    expect(landed?.err).toBeNull();
    expect(landed?.signatureCount).toBe(4);
    const got = landed?.tokenBalances.filter(
      ({ owner, mint }) => owner === wallet.address && mint === quote.token.mint,
    );
    expect(got?.reduce((sum, row) => sum + row.after - row.before, 0n)).toBe(quote.terms.quotedOut);
  });

  it('is not signed when the node shows other entries than were written down', async () => {
    const quote = await quoteWith(tables);
    const told = operator.errors.length;
    await expect(attempt(quote, tables, operator.lookupTables(lyingChain(rig.chain)))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      details: { rule: 'message' },
    });
    expect(operator.errors.length).toBeGreaterThan(told);
  });

  it('is not signed when the record says other entries than the chain', async () => {
    const quote = await quoteWith(tables);
    const [row, ...others] = await operator.store.list();
    if (row === undefined) throw new Error('no table');
    const [first, second, ...rest] = row.entries;
    if (first === undefined || second === undefined) throw new Error('no entries');
    await operator.store.remove(row.address);
    await operator.store.insert({ ...row, entries: [second, first, ...rest] });
    try {
      await expect(attempt(quote, tables, operator.lookupTables())).rejects.toMatchObject({
        details: { rule: 'message' },
      });
    } finally {
      await operator.store.remove(row.address);
      await operator.store.insert(row);
    }
    expect(others).toEqual([]);
  });

  it('takes the best way that fits without where the tables cannot be believed', async () => {
    const liar = operator.lookupTables(lyingChain(rig.chain));
    const quote = await quoteWith(liar);
    expect(quote.terms.route).toHaveLength(1);
    const { signedTransaction } = await attempt(quote, liar);
    expect(lookupTablesOf(messageOf(signedTransaction))).toEqual([]);
  });

  it('names no table where it fits without', async () => {
    const quote = await quoteTrade(
      { ...rig.deps, lookupTables: tables },
      {
        side: 'buy',
        wallet: wallet.address,
        mint: rig.token('TAX').mint,
        slippageBps: bps(100),
        tier: 'normal',
        amount: { lamports: 1_000_000_000n },
      },
    );
    expect(lookupTablesOf(messageOf((await attempt(quote, tables)).signedTransaction))).toEqual([]);
  });
});

describe('POST /dex/swap over three hops', () => {
  it('has no way that fits without tables, and with them lands as quoted', async () => {
    const [bao, lan] = [rig.token('BAO').mint, rig.token('LAN').mint];
    const bought = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint: bao,
      slippageBps: bps(100),
      tier: 'normal',
      amount: { lamports: 1_000_000_000n },
    });
    const buy = { kind: 'buy' as const, mint: bao, terms: bought.terms, tier: 'normal' as const };
    const id = '01J8ZQ6Y7V3M9T2K4C5D6E7F99';
    const plan = await createBuyPlanBuilder(rig.deps)(
      buildIntent(id, { ...buy, lamportsIn: bought.terms.amountIn }),
      buildWallet(rig.wallet),
      id,
    );
    expect((await rig.execute(plan, id)).err).toBeNull();

    const body = {
      userWalletAddress: rig.wallet,
      fromTokenAddress: bao,
      toTokenAddress: lan,
      amount: '10000000000',
      slippageBps: 100,
    };
    const bare = buildApi(rig);
    expect((await post(bare.open, body)).json<ErrorAnswer>().error.code).toBe('ROUTE_TOO_LARGE');
    await bare.close();

    const api = buildApi({ ...rig, deps: { ...rig.deps, lookupTables: tables } });
    try {
      const answer = await post(api.open, body);
      expect(answer.statusCode, answer.body).toBe(200);
      const { data } = answer.json<{ data: { tx: string; toTokenAmount: string } }>();
      const transaction = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
      expect(transaction.message.addressTableLookups).toHaveLength(1);
      transaction.sign([rig.keypair]);
      expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
      rig.confirmSlots();
      const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
      expect(landed?.err).toBeNull();
      const got = landed?.tokenBalances.filter(({ owner, mint }) => owner === rig.wallet && mint === lan);
      expect(got?.reduce((sum, row) => sum + row.after - row.before, 0n)).toBe(BigInt(data.toTokenAmount));
    } finally {
      await api.close();
    }
  });
});
