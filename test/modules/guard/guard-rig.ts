import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import type { GuardRules } from '../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import type { GuardDeps } from '../../../src/modules/guard/use/deps.ts';
import type { ConfirmWithdrawalDeps } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createRecoveryCodes } from '../../../src/platform/pin/recovery-codes.ts';
import type { Pins } from '../../../src/platform/ports/pins.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { rentExemption } from '../../support/rent.ts';
import { testSigner } from '../../support/signer.ts';

export const HOUR = 3_600_000;
export const RULES: GuardRules = {
  ...LOCAL_RULES,
  delayMs: 2 * HOUR,
  longDelayMs: 24 * HOUR,
  dailyCapLamports: 5_000_000_000n,
  spendCapLamports: 5_000_000_000n,
};

/** One person with one wallet, and the use cases' dependencies on a clock that stands still. */
export async function guardRig(db: Database, pins: Pins, seed = 1) {
  const clock = fakeClock();
  const ids = fakeIds(seed);
  const user = await insertUser(db, ids, 9_000n + BigInt(seed));
  const wallet = walletRow({ userId: user.id });
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  const treasury = walletRow();
  const deps: GuardDeps & ConfirmWithdrawalDeps = {
    db,
    chain: { slotMs: () => 400, rentExemption },
    vault: testSigner({ db, clock }, { pins, guardRules: RULES }),
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
