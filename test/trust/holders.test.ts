import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { withPin } from '../../src/modules/guard/rules/pin.ts';
import { startUser } from '../../src/modules/settings/use/start-user.ts';
import { openDepositWallet } from '../../src/modules/wallets/use/open-deposit-wallet.ts';
import { callsOf } from '../../src/platform/signer/callers.ts';
import { intentRow, newAddress, newId } from '../conformance/store-rows.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakePins, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { testSigner } from '../support/signer.ts';

const ROOT = new URL('../../', import.meta.url);
const DOC = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

/** The lines of "What each process can and cannot do": the holder, and the tests that play it. */
const LINES = (DOC.split('\n| Holds | can | cannot | played by |\n|---|---|---|---|\n')[1] ?? '')
  .split('\n\n')[0]
  ?.split('\n')
  .map((line) => line.split(' | '))
  .map(([holder = '', , , tests = '']) => ({
    holder: holder.replace(/^\| /, ''),
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }));

/** The beginning of each line, in its order. */
const HOLDERS = [
  'a copy of the database',
  'the database as a superuser',
  'the password of `tp_bot`',
  'that of `tp_signer`',
  'that of `tp_ops`',
  'the API process',
  'the worker process',
  'the bot process',
  'the signer process',
  'one node of two',
  'all nodes',
];

describe('the table of holders in docs/security.md', () => {
  it('has a line for each of them', () => {
    expect(LINES?.length).toBe(HOLDERS.length);
    for (const [index, { holder }] of (LINES ?? []).entries())
      expect(holder).toMatch(new RegExp(`^${HOLDERS[index]}`));
  });

  it.each(LINES ?? [])('names tests that are there: $holder', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const name of tests) {
      expect(name).toMatch(/^test\/.+\.test\.ts$/);
      expect(existsSync(new URL(name, ROOT)), name).toBe(true);
    }
  });
});

describe('a bot that was taken over, while the person typed no PIN', () => {
  const clock = fakeClock();
  const ids = fakeIds(5);
  const pins = fakePins();
  const db = fakeDatabase();
  const vault = testSigner({ db, clock }, { pins, ids, guardRules: PRODUCTION_RULES });

  async function person(pinAgeMs: number | null) {
    const arrival = { telegramId: BigInt(ids.ulid().length + clock.now()), firstName: 'A', language: 'en' };
    clock.advance(1);
    const deps = { db, clock, ids, vault, maxWallets: 5 };
    const { user } = await startUser(deps, { ...arrival, inviteCode: null });
    const { wallet } = await openDepositWallet(deps, { userId: user.id, expectedCount: 0 });
    if (pinAgeMs !== null) {
      const hash = await pins.hash(TEST_PIN, user.id);
      const at = clock.now() - pinAgeMs;
      await db.guards.save(withPin(await db.guards.find(user.id), hash, at, PRODUCTION_RULES), PASSED);
    }
    return { userId: user.id, wallet };
  }

  const withdrawal = ({ userId, wallet }: Awaited<ReturnType<typeof person>>) => {
    const destination = newAddress();
    const params = {
      kind: 'withdraw-sol',
      destination,
      lamports: 9n,
      everything: false,
      tier: 'normal',
    } as const;
    const { id, idemKey } = intentRow(wallet, { params });
    return { id, idemKey, userId, walletId: wallet.id, params };
  };

  it.each([
    ['with an old PIN', 72 * 3_600_000],
    ['without any', null],
  ] as const)('lets nothing leave of a person %s', async (_, age) => {
    const who = await person(age);
    const { userId, wallet } = who;
    await expect(vault.confirm(withdrawal(who), null)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    const wrong = { code: age === null ? 'PIN_REQUIRED' : 'PIN_WRONG' };
    await expect(vault.confirm(withdrawal(who), '111222')).rejects.toMatchObject(wrong);
    await expect(vault.askExport({ userId, walletId: wallet.id, pin: '111222' })).rejects.toMatchObject(
      wrong,
    );
    const passphrase = 'a passphrase of twelve';
    await expect(
      vault.takeExport({ userId, exportId: newId(), pin: '111222', passphrase }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/EXPORT_WAITS|PIN_REQUIRED/) });
  });

  it('has no key file before the day is over, though the PIN was typed there', async () => {
    const { userId, wallet } = await person(72 * 3_600_000);
    const { exportId } = await vault.askExport({ userId, walletId: wallet.id, pin: TEST_PIN });
    clock.advance(24 * 3_600_000 - 1);
    const take = { userId, exportId, pin: TEST_PIN, passphrase: 'a passphrase of twelve' };
    await expect(vault.takeExport(take)).rejects.toMatchObject({ code: 'EXPORT_WAITS' });
    await vault.stopExport({ userId });
    clock.advance(3_600_000);
    await expect(vault.takeExport(take)).rejects.toMatchObject({ code: 'EXPORT_WAITS' });
  });

  it('signs nothing: its socket takes no message and no fire', () => {
    for (const call of ['sign', 'confirmFire', 'confirmCopy'] as const)
      expect(callsOf('bot').has(call), call).toBe(false);
  });
});
