import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { decodeMessage } from '../../../src/engine/signing/rules/decode-message.ts';
import { firstSignature, messageOf } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import type { PlanBuilders } from '../../../src/engine/transactions/use/plan.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { Wallet, WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import type { MessageCompiler } from '../../../src/platform/ports/chain.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { buildApi, type ErrorAnswer, post } from '../../api/build-api.ts';
import {
  buildIntent,
  buildWallet,
  type DeskRig,
  signMessage,
  startDeskRig,
} from '../../modules/trading/desk-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { signerOf } from '../../support/signer.ts';

const SOL = 1_000_000_000n;
let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('version-1');
});
afterAll(() => rig.stop());

const quoteOf = (wallet: Wallet, symbol: string, lamports: bigint) =>
  quoteTrade(rig.deps, {
    side: 'buy',
    wallet: wallet.address,
    mint: rig.token(symbol).mint,
    slippageBps: bps(100),
    tier: 'normal',
    amount: { lamports },
  });

async function landedUnits(signature: string, mint: string, owner: string): Promise<bigint> {
  rig.confirmSlots();
  const landed = await rig.chain.landed(signature);
  expect(landed?.err).toBeNull();
  return (landed?.tokenBalances ?? [])
    .filter((row) => row.owner === owner && row.mint === mint)
    .reduce((sum, row) => sum + row.after - row.before, 0n);
}

describe('a trade of one of our wallets that version 0 does not hold', () => {
  /** As if no message of version 0 had room. */
  const onlyVersion1 = (): Pick<MessageCompiler, 'compile' | 'assemble'> => ({
    compile: (input) => {
      if (input.version1 === undefined) throw new RangeError('version 0 is full');
      return rig.compiler.compile(input);
    },
    assemble: (message, signatures) => rig.compiler.assemble(message, signatures),
  });

  it('is signed under the policy and lands as quoted, with its priority and its bytes in the config', async () => {
    const secrets = new Map<string, WalletSecret>();
    const vault = createVault({
      keyring: keyring(localKek(new Uint8Array(32).fill(3))),
      secrets: { secret: async (id) => secrets.get(id) ?? null },
      venuePrograms: [],
    });
    const secret = await vault.create({ walletId: 'W1', userId: null });
    secrets.set('W1', secret);
    const wallet = { ...buildWallet(secret.publicKey), userId: null };
    await rig.airdrop(wallet.address, 20n * SOL);
    const quote = await quoteOf(wallet, 'PUP', SOL);
    const { terms, tier, token } = quote;
    const id = '01J8ZQ6Y7V3M9T2K4C5D6E7F01';
    const params = { kind: 'buy' as const, mint: token.mint, terms, tier, lamportsIn: terms.amountIn };
    const intent = { ...buildIntent(id, params), userId: null };
    const { signedTransaction } = await buildAttempt(
      {
        db: fakeDatabase(),
        chain: rig.chain,
        compiler: onlyVersion1(),
        programs: rig.programs,
        vault: signerOf(vault, { intent, wallet, treasury: rig.treasury }),
        clock: rig.deps.clock,
        ids: fakeIds(),
        plans: { buy: createBuyPlanBuilder(rig.deps) } as PlanBuilders,
      },
      intent,
      wallet,
      1,
    );
    const { version, config } = decodeMessage(messageOf(signedTransaction));
    expect(version).toBe(1);
    expect(config?.units).toBeGreaterThan(0);
    // The simulation's bytes and a page, far below the cluster's limit.
    expect(config?.loadedBytes).toBeLessThan(16 * 1024 * 1024);
    expect(await rig.chain.send(signedTransaction)).toEqual({ kind: 'accepted' });
    const signature = toBase58(firstSignature(signedTransaction));
    expect(await landedUnits(signature, token.mint, wallet.address)).toBe(terms.quotedOut);
  });
});

describe('POST /dex/swap over three hops', () => {
  const body = () => ({
    userWalletAddress: rig.wallet,
    fromTokenAddress: rig.token('BAO').mint,
    toTokenAddress: rig.token('LAN').mint,
    amount: '10000000000',
    slippageBps: 100,
  });

  it('says that version 1 holds it, and lands as quoted for a signer who takes that', async () => {
    const wallet = buildWallet(rig.wallet);
    const bought = await quoteOf(wallet, 'BAO', SOL);
    const id = '01J8ZQ6Y7V3M9T2K4C5D6E7F99';
    const params = { kind: 'buy' as const, mint: bought.token.mint, terms: bought.terms, tier: bought.tier };
    const intent = buildIntent(id, { ...params, lamportsIn: bought.terms.amountIn });
    const plan = await createBuyPlanBuilder(rig.deps)(intent, wallet, id);
    expect((await rig.execute(plan, id)).err).toBeNull();
    const api = buildApi(rig);
    try {
      for (const url of ['/dex/swap', '/dex/swap?quoteOnly=true']) {
        const refused = await api.open.inject({ method: 'POST', url, payload: body() });
        const { error } = refused.json<ErrorAnswer>();
        expect(error.code).toBe('ROUTE_TOO_LARGE');
        expect(error.message).toContain('with maxTransactionVersion 1 it fits');
      }
      const answer = await post(api.open, { ...body(), maxTransactionVersion: 1 });
      expect(answer.statusCode, answer.body).toBe(200);
      const { data } = answer.json<{ data: { tx: string; toTokenAmount: string } }>();
      const wire = fromBase58(data.tx) ?? new Uint8Array();
      const message = messageOf(wire);
      expect(decodeMessage(message).version).toBe(1);
      // The desk's signatures are in place; the requester's is the first one.
      const signed = Buffer.from(wire);
      signed.set(signMessage(rig.keypair, message), message.length);
      expect(await rig.chain.send(signed)).toEqual({ kind: 'accepted' });
      const signature = toBase58(firstSignature(signed));
      expect(await landedUnits(signature, rig.token('LAN').mint, rig.wallet)).toBe(
        BigInt(data.toTokenAmount),
      );
    } finally {
      await api.close();
    }
  });

  it('is refused with the accepted values where another version is asked for', async () => {
    const api = buildApi(rig);
    try {
      const answer = await post(api.open, { ...body(), maxTransactionVersion: 2 });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('expected 0 or 1');
    } finally {
      await api.close();
    }
  });
});
