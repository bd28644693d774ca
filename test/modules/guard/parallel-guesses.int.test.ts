import { afterAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { verifyPin } from '../../../src/modules/guard/use/verify-pin.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { testSigner } from '../../support/signer.ts';
import { guardRig } from './guard-rig.ts';

const GUESSES = Number(process.env['PIN_GUESSES'] ?? 2_000);

const opened: PrismaDatabase[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
});

async function open(url: string): Promise<PrismaDatabase> {
  const db = await createPrismaDatabase({ url });
  opened.push(db);
  return db;
}

describe('on Postgres', () => {
  it(`compares five of ${GUESSES} guesses that arrive together, and stays locked for another process`, async () => {
    const url = await createTestDatabase();
    const pins = fakePins();
    const { deps, user, db, clock } = await guardRig(await open(url), pins, 1);
    await givePin(db, pins, user.id);
    const codes = new Map<string, number>();
    await Promise.all(
      Array.from({ length: GUESSES }, async (_, n) => {
        const pin = String(100_000 + n);
        await verifyPin(deps, { userId: user.id, pin }).catch((error: unknown) => {
          const code = isAppError(error) ? error.code : String(error);
          codes.set(code, (codes.get(code) ?? 0) + 1);
        });
      }),
    );
    expect(pins.compared()).toBe(5);
    expect(codes.get('PIN_WRONG')).toBe(4);
    // Whoever found no free connection in ten seconds was refused as well; at ten thousand that is most of them.
    const unreached = codes.get('DATABASE_UNREACHABLE') ?? 0;
    expect((codes.get('PIN_LOCKED') ?? 0) + unreached).toBe(GUESSES - 4);
    expect(codes.get('PIN_LOCKED')).toBeGreaterThan(0);

    // A process that starts now, with the right PIN.
    const later = { ...deps, vault: testSigner({ db: await open(url), clock }, { pins }) };
    await expect(verifyPin(later, { userId: user.id, pin: TEST_PIN })).rejects.toMatchObject({
      code: 'PIN_LOCKED',
    });
    clock.advance(15 * 60_000);
    await verifyPin(later, { userId: user.id, pin: TEST_PIN });
  });

  it('lets withdrawals that arrive together spend the cap once', async () => {
    const pins = fakePins();
    const { deps, user, wallet, db } = await guardRig(await open(await createTestDatabase()), pins, 2);
    await givePin(db, pins, user.id);
    const withdraw = (n: number) =>
      confirmWithdrawal(deps, {
        userId: user.id,
        walletId: wallet.id,
        idemKey: `cap-${n}`,
        pin: TEST_PIN,
        params: {
          kind: 'withdraw-sol',
          destination: addressOf(3),
          lamports: 1_500_000_000n,
          everything: false,
          tier: 'normal',
        },
      });
    // Four at a time: a fifth try in flight would lock the PIN before the first right one lifts it.
    const results: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 3; round += 1) {
      results.push(...(await Promise.allSettled([0, 1, 2, 3].map((n) => withdraw(round * 4 + n)))));
    }
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set(['DAILY_CAP']));
  });
});
