import { lamports, NO_TOKEN_POWERS, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createWithdrawTokenPlan } from '../../../src/engine/intents/kinds/withdraw-token/plan.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import type { Token, TokenHolding } from '../../../src/modules/tokens/rules/token.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { prepareTokenWithdrawal } from '../../../src/modules/withdrawals/use/prepare-token-withdrawal.ts';
import type { WithdrawalAmount } from '../../../src/modules/withdrawals/use/withdrawal-quote.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { addressOf, MINT, PARAMS } from '../../engine/intents/build.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

const own = seedAddress(Buffer.alloc(32, 1));
const friend = seedAddress(Buffer.alloc(32, 2));
const wallet: Wallet = {
  id: 'w',
  userId: 'u',
  name: 'Main',
  address: own,
  createdAt: 0,
  deletedAt: null,
  origin: 'made',
  confirmedAt: null,
  payoutFrom: null,
};

let token: Token;
let accounts: TokenHolding['accounts'];
let balance: bigint;
beforeEach(() => {
  token = {
    mint: MINT,
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    supply: 1_000n,
    symbol: null,
    name: null,
    mintAuthority: null,
    freezeAuthority: null,
    extensions: NO_TOKEN_POWERS,
  };
  accounts = [{ address: addressOf(40), amount: 1_000n, frozen: false }];
  balance = 1_000_000_000n;
});

const unset = (name: string) => () => Promise.reject(new Error(`chain.${name} is not set up`));
const chain = (): Chain => ({
  takesVersion1: async () => false,
  slotMs: () => 400,
  balance: async () => lamports(balance),
  accounts: async (addresses) => ({ slot: 1n, accounts: addresses.map(() => null) }),
  holdings: unset('holdings'),
  holding: async () => ({ amount: accounts.reduce((sum, one) => sum + one.amount, 0n), accounts }),
  token: async () => token,
  rentExemption: async (bytes) => lamports(BigInt(bytes + 128) * 6_960n),
  epoch: async () => 7n,
  priorityPrice: async () => 0n,
  latestBlockhash: unset('latestBlockhash'),
  agedBlockhash: unset('agedBlockhash'),
  simulate: unset('simulate'),
  send: unset('send'),
  statuses: unset('statuses'),
  probe: unset('probe'),
  testimony: unset('testimony'),
  secondWord: unset('secondWord'),
  landed: unset('landed'),
  genesisHash: unset('genesisHash'),
});

const prepare = (amount: WithdrawalAmount = { kind: 'max' }, destination: string = friend) =>
  prepareTokenWithdrawal(
    {
      chain: chain(),
      programs: createPrograms(),
      db: { wallets: { ...fakeDatabase().wallets, find: async (id) => (id === 'w' ? wallet : null) } },
    },
    { userId: 'u', walletId: 'w', mint: MINT, destination, amount, tier: 'normal' },
  );

/** The signature, and the floor of the first attempt's priority. */
const FEES = 5_000n + 800n;

describe('preparing a token withdrawal', () => {
  it('takes the transfer fee of the epoch out of what arrives and names the rent', async () => {
    const older = { bps: 0, maximum: 0n };
    token = {
      ...token,
      extensions: {
        ...NO_TOKEN_POWERS,
        transferFee: { authority: null, older, newer: { bps: 150, maximum: 1_000n }, newerEpoch: 7n },
      },
    };
    expect(await prepare({ kind: 'share', bps: bps(5_000) })).toMatchObject({
      amount: 500n,
      transferFee: 8n,
      receives: 492n,
      networkFeeLamports: FEES,
      networkFeeCapLamports: 1_005_000n,
      accountRentLamports: 2_157_600n,
      leftLamports: 1_000_000_000n - FEES - 2_157_600n,
    });
  });

  it('refuses a token that cannot be sent, by its mint or because its account is frozen', async () => {
    accounts = [{ address: addressOf(40), amount: 1_000n, frozen: true }];
    await expect(prepare()).rejects.toMatchObject({ code: 'TOKEN_NOT_TRANSFERABLE' });
    accounts = [{ address: addressOf(40), amount: 1_000n, frozen: false }];
    token = { ...token, extensions: { ...NO_TOKEN_POWERS, nonTransferable: true } };
    await expect(prepare()).rejects.toMatchObject({ code: 'TOKEN_NOT_TRANSFERABLE' });
  });

  it('counts only what is not frozen', async () => {
    accounts = [
      { address: addressOf(40), amount: 1_000n, frozen: true },
      { address: addressOf(41), amount: 30n, frozen: false },
    ];
    expect(await prepare()).toMatchObject({ amount: 30n, balance: 30n });
    await expect(prepare({ kind: 'exact', units: 31n })).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { needed: 31n, available: 30n },
    });
  });

  it('promises no more than one transaction can take, however many accounts strangers opened for the wallet', async () => {
    const dust = Array.from({ length: 9 }, (_, n) => ({
      address: addressOf(50 + n),
      amount: 1n,
      frozen: false,
    }));
    accounts = [...dust, { address: addressOf(40), amount: 1_000n, frozen: false }];
    const { params } = await prepare();
    const plan = createWithdrawTokenPlan({ chain: chain(), programs: createPrograms() });
    const { instructions } = await plan({ id: 'i', params } as never, wallet, null as never);
    expect(params).toMatchObject({ amount: 1_007n });
    // The recipient's account, and a transfer from each of eight.
    expect(instructions).toHaveLength(9);
    await expect(prepare({ kind: 'exact', units: 1_008n })).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { available: 1_007n },
    });
  });

  it('refuses when fee and rent cannot be paid, or would leave what the chain does not allow', async () => {
    balance = 2_000_000n;
    await expect(prepare()).rejects.toMatchObject({ code: 'INSUFFICIENT_LAMPORTS' });
    balance = 2_074_080n + FEES + 890_879n;
    await expect(prepare()).rejects.toMatchObject({ code: 'RENT_REMAINDER', details: { left: 890_879n } });
    balance += 1n;
    expect(await prepare()).toMatchObject({ leftLamports: 890_880n });
  });

  it('refuses an address nobody can sign for, itself, dust, and a stranger’s wallet', async () => {
    const derived = createPrograms().associatedTokenAddress(own, MINT, TOKEN_2022_PROGRAM);
    await expect(prepare({ kind: 'max' }, derived)).rejects.toMatchObject({ code: 'RECIPIENT_OFF_CURVE' });
    await expect(prepare({ kind: 'max' }, own)).rejects.toMatchObject({ code: 'RECIPIENT_IS_SELF' });
    await expect(prepare({ kind: 'share', bps: bps(1) })).rejects.toMatchObject({ code: 'AMOUNT_DUST' });
    await expect(
      prepareTokenWithdrawal(
        { chain: chain(), programs: createPrograms(), db: fakeDatabase() },
        {
          userId: 'u',
          walletId: 'w',
          mint: MINT,
          destination: friend,
          amount: { kind: 'max' },
          tier: 'normal',
        },
      ),
    ).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('confirming a withdrawal', () => {
  it('creates nothing while the operator has withdrawals switched off', async () => {
    const db = fakeDatabase();
    const ids = fakeIds();
    const pins = fakePins();
    const person = await insertUser(db, ids, 1n);
    const own = walletRow({ userId: person.id });
    await db.wallets.insert(PASSED, own, secretRow(own));
    await givePin(db, pins, person.id);
    await db.flags.set('withdrawals-paused', true, 0);
    const clock = fakeClock();
    const deps = {
      db,
      clock,
      ids,
      relay: { nudge: () => undefined },
      vault: testSigner({ db, clock }, { pins }),
      guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: 1_000_000_000_000n, spendCapLamports: 0n },
      tokenValue: async () => 1n,
      chain: { rentExemption: async () => lamports(890_880n) },
    };
    const input = {
      userId: person.id,
      walletId: own.id,
      params: PARAMS.withdrawSol,
      idemKey: 'k',
      pin: TEST_PIN,
    };
    await expect(confirmWithdrawal(deps, input)).rejects.toMatchObject({ code: 'PAUSED' });
    expect(await db.intents.findByKey('k')).toBeNull();
  });
});
