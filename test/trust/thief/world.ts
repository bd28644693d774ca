import { type Address, lamports } from '@tradepost/solana';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { recipientOf } from '../../../src/engine/intents/kinds/rules.ts';
import { assertMaySign } from '../../../src/engine/switches/use/assert-may-sign.ts';
import { freeze } from '../../../src/modules/guard/rules/freeze.ts';
import { emptyGuard, type Guard, type GuardRules } from '../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { unlocked } from '../../../src/modules/guard/rules/unlock.ts';
import { blockAddress } from '../../../src/modules/guard/use/address-book.ts';
import { FLOOR_FEES } from '../../../src/modules/guard/use/at-floor.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import { verifyPin } from '../../../src/modules/guard/use/verify-pin.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { certifiedRow, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { guardRig } from '../../modules/guard/guard-rig.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { rentExemption } from '../../support/rent.ts';
import { testSigner } from '../../support/signer.ts';
import type { Hold, Owner } from '../most-lost.ts';
import type { Dice } from './dice.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const OWNERS_PIN = '739154';
/** Production's limits, with room for three sales at the floor in place of some 190: as many would only make the play long. */
export const THIEF_RULES: GuardRules = { ...PRODUCTION_RULES, floorFeesLamports: 3n * FLOOR_FEES };
export const DOUBTED = addressOf(12);

export type Scenario = {
  readonly name: string;
  readonly hold: Hold;
  readonly owner: Owner;
  /** The account was made a moment ago, without a PIN. */
  readonly isOfToday: boolean;
};

/** What has left the wallet by a thief's acts, and when everything could. Milliseconds after the theft. */
export type Taken = {
  readonly parts: { readonly at: number; readonly lamports: bigint }[];
  allAt: number | null;
};

/** A stolen account, its owner, and the real use cases on `THIEF_RULES`. Only a chain and a stretched hash are missing. */
export async function stolenAccount(scenario: Scenario, dice: Dice) {
  const pins = fakePins();
  const db = fakeDatabase({ trusting: true });
  const rig = await guardRig(db, pins);
  const { clock, ids } = rig;
  const start = clock.now();
  const createdAt = scenario.isOfToday ? start : 0;
  const user = await insertUser(db, ids, 77n, { createdAt });
  const userId = user.id;
  const wallet = walletRow({ userId });
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  const backups = {
    seal: async () => new Uint8Array(1),
    adopt: async ({ walletId }: { readonly walletId: string }) => secretRow(walletRow({ id: walletId })),
  };
  const signer = testSigner({ db, clock }, { pins, ids, backups, guardRules: THIEF_RULES });
  const create: Vault['create'] = async ({ walletId, userId: owner }) =>
    certifiedRow(walletRow({ id: walletId, userId: owner }));
  const vault = { ...signer, create };
  const deps = {
    ...rig.deps,
    vault,
    guardRules: THIEF_RULES,
    doubtToken: async (mint: string) => (mint === DOUBTED ? (['young'] as const) : []),
    usualPrice: async () => null,
    maxWallets: 5,
    chain: {
      balance: async (address: Address) => lamports(address === wallet.address ? 1n : 0n),
      holdings: async () => [],
      slotMs: () => 400,
      rentExemption,
    },
  };
  await db.guards.save(guardAt(scenario, userId, start, await pins.hash(OWNERS_PIN, userId)), PASSED);
  const taken: Taken = { parts: [], allAt: null };
  const waiting: { readonly id: string; readonly due: number; readonly lamports: bigint }[] = [];
  /** Less than the day that a thief's new PIN ripens, and often little less. */
  const wakesEvery = scenario.owner === 'asleep' ? Number.POSITIVE_INFINITY : dice.between(3 * HOUR, DAY - 1);
  let wakesAt = start + wakesEvery;

  const lose = (lamports: bigint): void => {
    taken.parts.push({ at: clock.now() - start, lamports });
  };

  async function settle(id: string, lamports: bigint): Promise<boolean> {
    const intent = await db.intents.find(id);
    if (intent?.status !== 'CREATED') return true;
    const status = await assertMaySign({ db, clock }, intent).then(
      () => 'SUCCEEDED' as const,
      (error: unknown) => {
        if (!isAppError(error)) throw error;
        return error.code === 'SIGNING_PAUSED' ? null : ('REJECTED' as const);
      },
    );
    if (status === null) return false;
    await db.intents.update(id, { statuses: ['CREATED'] }, { status, updatedAt: clock.now() });
    if (status === 'SUCCEEDED') lose(lamports);
    return true;
  }

  async function ownerWakes(): Promise<void> {
    if (scenario.owner === 'typing') {
      await verifyPin(deps, { userId, pin: OWNERS_PIN }).catch(() => undefined);
      return;
    }
    for (const id of await db.notices.undelivered(clock.now() + 1, 1_000)) {
      const notice = await db.notices.find(id);
      await db.notices.markDelivered(id, clock.now());
      if (notice?.kind === 'guard') await stopChanges(deps, { userId });
      if (notice?.kind === 'export') await vault.stopExport({ userId });
      if (notice?.kind !== 'waiting' || notice.intentId === null) continue;
      const intent = await db.intents.find(notice.intentId);
      const address = intent === null ? null : recipientOf(intent.params);
      if (address !== null) await blockAddress(deps, { userId, walletId: wallet.id, address });
    }
  }

  /** Lets time pass to that moment after the theft: due intents leave, and the owner wakes, each at its own time. */
  async function passTo(afterMs: number): Promise<void> {
    const until = start + afterMs;
    for (;;) {
      const due = waiting.toSorted((one, other) => one.due - other.due)[0];
      const dueAt = due?.due ?? Number.POSITIVE_INFINITY;
      const next = Math.min(dueAt, wakesAt);
      if (next > until) break;
      clock.set(Math.max(next, clock.now()));
      if (due !== undefined && dueAt <= wakesAt) {
        waiting.splice(waiting.indexOf(due), 1);
        if (!(await settle(due.id, due.lamports))) waiting.push({ ...due, due: dueAt + HOUR });
      } else {
        await ownerWakes();
        wakesAt += wakesEvery;
      }
    }
    clock.set(Math.max(until, clock.now()));
  }

  return {
    db,
    clock,
    ids,
    deps,
    vault,
    userId,
    walletId: wallet.id,
    taken,
    now: (): number => clock.now() - start,
    passTo,
    settle,
    /** A withdrawal that was confirmed: at once, or when its address is old enough. */
    await: async (id: string, notBefore: number | null, lamports: bigint): Promise<void> => {
      if (notBefore !== null) waiting.push({ id, due: notBefore, lamports });
      else await settle(id, lamports);
    },
    tookAll: (): void => {
      taken.allAt ??= clock.now() - start;
    },
  };
}

export type Stolen = Awaited<ReturnType<typeof stolenAccount>>;

function guardAt({ hold }: Scenario, userId: string, now: number, pinHash: string): Guard {
  const bare = emptyGuard(userId);
  const withPin: Guard = { ...bare, pinHash, pinSetAt: 0, pinRightAt: now, pinIsFirst: true };
  switch (hold) {
    case 'no-pin':
      return bare;
    case 'pin-unknown':
      return withPin;
    case 'unlocked':
      return unlocked(withPin, now);
    case 'pin':
      return withPin;
    case 'frozen':
      return freeze(withPin, now);
  }
}
