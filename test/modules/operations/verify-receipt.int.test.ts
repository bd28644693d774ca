import { generateKeyPairSync, sign } from 'node:crypto';
import { type Address, addressFromBytes, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { quoteCreateToken } from '../../../src/modules/mint/use/quote-create-token.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { runOpsHere } from './run-ops.ts';

const SOL = 1_000_000_000n;
type Person = Awaited<ReturnType<MoneyRig['person']>>;

describe('verify-receipt', () => {
  let url: string;
  let db: PrismaDatabase;
  let rig: MoneyRig;
  let ann: Person;
  let bob: Person;
  /** By what they are of. */
  const signatures = { buy: '', sell: '', create: '', launch: '' };

  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    rig = await startMoneyRig(db, 'verify-receipt');
    await rig.fund(rig.treasury.address, SOL);
    bob = await rig.person('Bob', SOL);
    ann = await rig.person('Ann', 5n * SOL, bob.userId);
    signatures.buy = await request('buy', await order('buy'));
    signatures.sell = await request('sell', await order('sell'));
    const common = { wallet: ann.wallet.address, tier: 'normal' as const };
    const { receivableFee } = rig.launch;
    const creation = await quoteCreateToken(
      {
        ...rig.launch,
        metadata: fakeMetadataStore(),
        metadataWay: createMetadataWay({ chain: rig.chain, clock: rig.deps.clock }),
        chain: rig.chain,
        wellKnown: [],
        createFeeLamports: () => 20_000_000n,
        receivableFee,
      },
      { ...common, draft: { symbol: 'ONE', name: 'One', program: 'token2022' } },
    );
    signatures.create = await request('create', creation.params);
    const launch = await quoteLaunch(rig.launch, {
      ...common,
      pad: 'desk',
      symbol: 'TWO',
      metadata: { description: 'Two', imageUri: 'https://x.example/p.png' },
      firstBuyLamports: 0n,
      slippageBps: 500,
    });
    signatures.launch = await request('launch', launch.params);
    await until(async () => {
      const [row] = await administer(url, `SELECT count(*)::text AS n FROM rewards WHERE status <> 'PAID'`);
      return row?.['n'] === '0';
    });
  });
  afterAll(async () => {
    await rig.stop();
    await db.close();
  });

  const request = async (key: string, params: IntentParams): Promise<string> => {
    const { intent } = await createIntent(rig.deps, {
      userId: ann.userId,
      walletId: ann.wallet.id,
      idemKey: key,
      params,
    });
    const settled = await rig.settled(intent.id);
    expect(settled.status).toBe('SUCCEEDED');
    return settled.outcome?.receipt?.signature ?? '';
  };
  const order = async (side: 'buy' | 'sell'): Promise<IntentParams> => {
    const mint = rig.token('PUP').mint as Address;
    const quote = await quoteTrade(rig.trade, {
      wallet: ann.wallet.address,
      mint,
      slippageBps: bps(500),
      tier: 'normal',
      ...(side === 'buy'
        ? { side, amount: { lamports: SOL / 2n } }
        : { side, amount: { shareBps: bps(5_000) } }),
    });
    const common = { mint, tier: quote.tier, terms: quote.terms };
    return side === 'buy'
      ? { kind: 'buy', ...common, lamportsIn: quote.terms.amountIn }
      : { kind: 'sell', ...common, amountIn: quote.terms.amountIn };
  };
  const verify = (signature: string, more: readonly string[] = [], env: Record<string, string> = {}) =>
    runOpsHere(['verify-receipt', signature, ...more], {
      DATABASE_URL: url,
      SOLANA_RPC_URL: rig.local.rpcUrl,
      ...env,
    });
  const stranger = (signature: string, more: readonly string[] = [], env: Record<string, string> = {}) =>
    runOpsHere(['verify-receipt', signature, '--rpc', rig.local.rpcUrl, ...more], {
      LOCAL_DIR: '/nonexistent/tradepost',
      ...env,
    });

  it.each(['buy', 'sell', 'create', 'launch'] as const)(
    'finds nothing wrong with an honest %s, payout included',
    async (of) => {
      const { code, out } = await verify(signatures[of]);
      expect(out).not.toContain('DIFFERS');
      expect(code).toBe(0);
      expect(out).toMatch(/OK +fee: \d+ lamports/);
      expect(out).toMatch(/OK +memo: names /);
      expect(out).toMatch(/OK +payout: \w+ paid \d+ lamports/);
      if (of === 'buy') expect(out).toContain('100 bps of 500000000 are 5000000');
      if (of === 'buy') expect(out).toMatch(/OK +reward: 1500000\n/);
      if (of === 'launch' || of === 'create') expect(out).toMatch(/OK +reward: 6000000\n/);
    },
  );

  it('tells a stranger what the chain and the table say, and what they cannot say', async () => {
    const known = await stranger(signatures.buy, ['--treasury', rig.treasury.address]);
    expect(known.code).toBe(0);
    expect(known.out).toMatch(/OK +fee: 5000000 lamports; 100 bps of 500000000 are 5000000/);
    expect(known.out).toMatch(/\? +share: 3000 bps of it are 1500000 lamports; whether somebody invited/);
    expect(known.out).toMatch(/\? +memo: .*the chain alone does not tell/);
    expect(known.out).toContain('No database was asked');
    const guessed = await stranger(signatures.buy);
    expect(guessed.out).toContain(`${rig.treasury.address} got exactly the fee of the table`);
    expect(guessed.code).toBe(0);
    const sale = await stranger(signatures.sell);
    expect(sale.out).toMatch(/\? +fee: without the treasury/);
  });

  it('says so when the table of another service does not explain the fee', async () => {
    const cheaper = { FEE_BPS: '50' };
    const buy = await stranger(signatures.buy, ['--treasury', rig.treasury.address], cheaper);
    expect(buy.code).toBe(1);
    expect(buy.out).toMatch(/DIFFERS +fee: 5000000 lamports; 50 bps of 500000000 are 2500000/);
    const launch = await stranger(signatures.launch, ['--treasury', rig.treasury.address], {
      LAUNCH_FEE_LAMPORTS: '1',
      CREATE_FEE_LAMPORTS: '2',
    });
    expect(launch.out).toMatch(/DIFFERS +fee: 20000000/);
    // What holds from tomorrow on does not judge today.
    const later = { FEE_BPS: '100, 2999-01-01=50' };
    expect((await stranger(signatures.buy, ['--treasury', rig.treasury.address], later)).code).toBe(0);
  });

  it('finds a lie in the stored receipt, in the reward, in the postings and in who invited whom', async () => {
    const lie = async (sql: string, back: string, expected: RegExp) => {
      await administer(url, `SET session_replication_role = replica; ${sql}`);
      const { code, out } = await verify(signatures.buy);
      await administer(url, `SET session_replication_role = replica; ${back}`);
      expect(out).toMatch(expected);
      expect(code).toBe(1);
    };
    const where = `WHERE signature = '${signatures.buy}'`;
    await lie(
      `UPDATE intents SET outcome = jsonb_set(outcome, '{receipt,platformFeeLamports,$bigint}', '"4999999"') WHERE idem_key = 'buy'`,
      `UPDATE intents SET outcome = jsonb_set(outcome, '{receipt,platformFeeLamports,$bigint}', '"5000000"') WHERE idem_key = 'buy'`,
      /DIFFERS +receipt: platform fee: the books say 4999999, the chain 5000000/,
    );
    await lie(
      `UPDATE rewards SET lamports = lamports - 1 ${where}`,
      `UPDATE rewards SET lamports = lamports + 1 ${where}`,
      /DIFFERS +reward: the books say 1499999, the chain and the table 1500000/,
    );
    const entry = (to: string) =>
      `UPDATE ledger_entries SET amount = ${to} WHERE account_key = 'house/revenue' AND transfer_id =
        (SELECT id FROM ledger_transfers WHERE key = 'trade-fee/${signatures.buy}')`;
    await lie(entry('3500001'), entry('3500000'), /DIFFERS +booked revenue: the books say 3500001/);
    await lie(
      `UPDATE users SET inviter_id = NULL WHERE id = '${ann.userId}'`,
      `UPDATE users SET inviter_id = '${bob.userId}' WHERE id = '${ann.userId}'`,
      /DIFFERS +reward: it is for \w+, invited by nobody/,
    );
    const paid = (status: string) =>
      `UPDATE attempts SET status = '${status}' WHERE intent_id = (SELECT payout_intent_id FROM rewards ${where})`;
    await lie(paid('DEAD'), paid('FINALIZED'), /DIFFERS +payout: booked as paid, without a transaction/);
  });

  it('is not taken in by a stranger’s transaction that carries the memo of somebody’s request', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const thief = addressFromBytes(
      Uint8Array.from(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
    );
    await rig.fund(thief, SOL);
    const [row] = await administer(url, `SELECT id FROM intents WHERE idem_key = 'buy'`);
    const { blockhash } = await rig.chain.latestBlockhash();
    const message = rig.deps.compiler.compile({
      payer: thief,
      blockhash,
      instructions: [
        rig.programs.memo(row?.['id'] ?? ''),
        rig.programs.transferSol({ from: thief, to: rig.treasury.address, lamports: 5_000_000n }),
      ],
    });
    const signature = Uint8Array.from(sign(null, message.bytes, privateKey));
    const wire = rig.deps.compiler.assemble(message, new Map([[thief, signature]]));
    const answer = await fetch(rig.local.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'sendTransaction',
        params: [
          Buffer.from(wire).toString('base64'),
          { encoding: 'base64', preflightCommitment: 'confirmed' },
        ],
      }),
    });
    expect(await answer.json()).toMatchObject({ result: toBase58(signature) });
    const name = toBase58(signature);
    await until(() => rig.chain.landed(name));
    const { code, out } = await verify(name);
    expect(out).toMatch(
      new RegExp(`DIFFERS +memo: forged: names ${row?.['id']}, a request of ${ann.wallet.address}`),
    );
    expect(code).toBe(1);
  });

  it('asks for a signature, and says what is not on this chain', async () => {
    expect(await verify('nonsense')).toMatchObject({
      code: 2,
      out: expect.stringContaining('expected the signature'),
    });
    const { code, out } = await verify(toBase58(new Uint8Array(64).fill(9)));
    expect(out).toContain('the chain does not show it');
    expect(code).toBe(1);
  });
});
