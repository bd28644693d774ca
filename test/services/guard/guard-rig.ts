import { createRecoveryCodes } from '../../../src/adapters/pin/recovery-codes.ts';
import { feesOf } from '../../../src/core/fees/fee-table.ts';
import type { GuardRules } from '../../../src/core/guard/guard.ts';
import type { Pins } from '../../../src/core/ports/pins.ts';
import type { Database } from '../../../src/core/ports/stores.ts';
import { SETTLEMENTS } from '../../../src/intents/index.ts';
import type { GuardDeps } from '../../../src/services/guard/deps.ts';
import type { ConfirmWithdrawalDeps } from '../../../src/services/withdrawals/confirm-withdrawal.ts';
import { insertUser } from '../../bot/support/people.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { testSigner } from '../../support/signer.ts';

export const HOUR = 3_600_000;
export const RULES: GuardRules = {
  delayMs: 2 * HOUR,
  dailyCapLamports: 5_000_000_000n,
  spendCapLamports: 5_000_000_000n,
};

/** One person with one wallet, and the use cases' dependencies on a clock that stands still. */
export async function guardRig(db: Database, pins: Pins, seed = 1) {
  const clock = fakeClock();
  const ids = fakeIds(seed);
  const user = await insertUser(db, ids, 9_000n + BigInt(seed));
  const wallet = walletRow({ userId: user.id });
  await db.wallets.insert(wallet, secretRow(wallet));
  const treasury = walletRow();
  const deps: GuardDeps & ConfirmWithdrawalDeps = {
    db,
    vault: testSigner({ db, clock }, { pins }),
    codes: createRecoveryCodes(),
    clock,
    ids,
    guardRules: RULES,
    treasury,
    fees: feesOf(),
    settlements: SETTLEMENTS,
    relay: { nudge: () => undefined, flush: async () => 0, stop: () => undefined } as never,
    tokenValue: async () => 1n,
    log: { info: () => undefined, warn: () => undefined },
  };
  return { db, clock, ids, user, wallet, deps };
}

export type GuardRig = Awaited<ReturnType<typeof guardRig>>;
