import { lamports } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { ensureTreasury } from '../../../src/engine/fees/use/ensure-treasury.ts';
import { createPlatformFee } from '../../../src/engine/fees/use/platform-fee.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { rentExemption } from '../../support/rent.ts';
import { addressOf } from '../intents/build.ts';

describe('the treasury', () => {
  it('is made once, sealed, whoever starts first', async () => {
    const db = fakeDatabase();
    const vault = createVault({
      keyring: keyring(localKek(new Uint8Array(32).fill(1))),
      secrets: db.wallets,
      venuePrograms: [],
    });
    const made: string[] = [];
    const create: Vault['create'] = async (owner) => {
      made.push(owner.walletId);
      return { ...(await vault.create(owner)), certificate: 'treasury' };
    };
    const start = (seed: number) =>
      ensureTreasury({ db, vault: { create }, clock: fakeClock(), ids: fakeIds(seed) });
    const [a, b] = await Promise.all([start(1), start(2)]);
    expect(a).toEqual(b);
    expect(made).toEqual([a.id]);
    expect(await start(3)).toEqual(a);
    expect(await db.wallets.secret(a.id)).toMatchObject({ userId: null, publicKey: a.address });
  });
});

describe('the platform fee', () => {
  const open = (balance: bigint, discountBps = bps(0)) => {
    const clock = fakeClock();
    const state = { balance, asked: 0 };
    const charge = createPlatformFee({
      chain: {
        balance: async () => {
          state.asked += 1;
          return lamports(state.balance);
        },
        rentExemption,
      },
      clock,
      treasury: addressOf(2),
      fees: feesOf(),
      discountBps: async () => discountBps,
    });
    const fee = async (lamports: bigint) => (await charge(lamports, addressOf(3))).lamports;
    return { clock, state, fee };
  };

  it('is its share rounded down', async () => {
    const { fee } = open(1_000_000_000n);
    expect(await fee(500_000_000n)).toBe(5_000_000n);
    expect(await fee(199n)).toBe(1n);
    expect(await fee(99n)).toBe(0n);
  });

  it('is less by the discount, each rounding in favour of the person', async () => {
    const { fee } = open(1_000_000_000n, bps(1_000));
    expect(await fee(500_000_000n)).toBe(4_500_000n);
    expect(await fee(1_900n)).toBe(17n);
    expect(await fee(199n)).toBe(0n);
  });

  it('is nothing while the treasury could not receive it, and comes back once it can', async () => {
    const { fee, state, clock } = open(0n);
    expect(await fee(89_087_900n)).toBe(0n);
    expect(await fee(89_088_000n)).toBe(890_880n);
    state.balance = 890_880n;
    clock.advance(5_001);
    expect(await fee(100n)).toBe(1n);
    const asked = state.asked;
    expect(await fee(100n)).toBe(1n);
    expect(state.asked).toBe(asked);
  });
});
