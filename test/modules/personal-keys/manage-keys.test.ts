import { beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { lockTrades } from '../../../src/modules/guard/use/unlock-trades.ts';
import { decodeKeyNotice } from '../../../src/modules/personal-keys/rules/key-notice.ts';
import type { PersonalKey } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import {
  addKey,
  endKey,
  type KeyDeps,
  listKeys,
} from '../../../src/modules/personal-keys/use/manage-keys.ts';
import { tellUses } from '../../../src/modules/personal-keys/use/watch-uses.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { keyUseRow } from '../../conformance/personal-key-store.ts';
import { NOW, newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../../support/signer.ts';
import { botKey } from './bot-key.ts';

const SOL = 1_000_000_000n;
const PIN = '739154';
const TERMS = { rights: ['trade'] as const, orderLamports: SOL, dayLamports: SOL, tokens: null, ips: null };

let db: Database;
let deps: KeyDeps;
let of: { readonly userId: string; readonly walletId: string };
const clock = { now: () => NOW } as KeyDeps['clock'];

beforeEach(async () => {
  db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  of = { userId: user.id, walletId: wallet.id };
  const guard = await db.guards.find(user.id);
  await db.guards.save({ ...guard, pinHash: await fakePins().hash(PIN, user.id), pinSetAt: 0 }, PASSED);
  const ids = randomIds(() => NOW);
  const vault = testSigner({ db, clock });
  deps = { db, clock, ids, vault, guardRules: LOCAL_RULES, host: 'desk.example', nudge: () => undefined };
});

const add = (more: object = {}): Promise<PersonalKey> =>
  addKey(deps, { ...of, publicKey: botKey().publicKey, terms: TERMS, days: 30, pin: PIN, ...more });
const listed = async () => (await listKeys(deps, of.userId)).keys.map(({ id }) => id);
const notices = async () => {
  const ids = await db.notices.undelivered(NOW + 1, 100);
  const found = await Promise.all(ids.map((id) => db.notices.find(id)));
  return found.map((notice) => decodeKeyNotice(notice?.payload));
};

describe('keys of a person’s program', () => {
  it('are added with the PIN, certified for the named host, and ended by one tap', async () => {
    const key = await add();
    expect(key).toMatchObject({ host: 'desk.example', until: NOW + 30 * 86_400_000, endedAt: null });
    expect(key.certificate).toBe(TEST_CERTIFIER.personalKey(key));
    expect(await listed()).toEqual([key.id]);
    await endKey(deps, { userId: of.userId, keyId: key.id });
    expect(await listed()).toEqual([]);
    // A second tap changes nothing.
    await endKey(deps, { userId: of.userId, keyId: key.id });
    expect((await db.personalKeys.find(key.id))?.endedAt).toBe(NOW);
  });

  it('are refused with the reason, and nothing is stored then', async () => {
    const refused = (kind: string) => ({ code: 'PERSONAL_KEY_REFUSED', details: { kind } });
    await expect(add({ pin: '111222' })).rejects.toMatchObject({ code: 'PIN_WRONG' });
    await expect(add({ publicKey: '11111111111111111111111111111111' })).rejects.toMatchObject(
      refused('public-key'),
    );
    await expect(add({ terms: { ...TERMS, orderLamports: 2n * SOL } })).rejects.toMatchObject(
      refused('order-cap'),
    );
    const beyond = LOCAL_RULES.spendCapLamports + 1n;
    await expect(add({ terms: { ...TERMS, dayLamports: beyond } })).rejects.toMatchObject(refused('day-cap'));
    deps = { ...deps, host: null };
    await expect(add()).rejects.toMatchObject(refused('off'));
    expect(await listed()).toEqual([]);
  });

  it('are five at most, each public key once', async () => {
    const bot = botKey();
    await add({ publicKey: bot.publicKey });
    await expect(add({ publicKey: bot.publicKey })).rejects.toMatchObject({ details: { kind: 'known' } });
    for (let n = 1; n < 5; n += 1) await add();
    await expect(add()).rejects.toMatchObject({ details: { kind: 'too-many' } });
  });

  it('all end with a freeze and with a lock of trades, and can be added anew after the lock', async () => {
    const bot = botKey();
    await add({ publicKey: bot.publicKey });
    await lockTrades(deps, of);
    expect(await listed()).toEqual([]);
    const again = await add({ publicKey: bot.publicKey });
    expect(await listed()).toEqual([again.id]);
    await freezeAccount(deps as never, of);
    expect(await listed()).toEqual([]);
    expect((await db.personalKeys.find(again.id))?.endedAt).toBe(NOW);
    await expect(add()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  });

  it('say that they were added, and many uses of a round are one message', async () => {
    const key = await add();
    const mint = newAddress();
    for (let n = 0; n < 20; n += 1) await db.personalKeys.addUse(keyUseRow(key, { mint, lamports: SOL }));
    await db.personalKeys.addUse(keyUseRow(key, { mint, what: 'order', side: 'sell', lamports: 0n }));
    expect(await tellUses(deps)).toBe(true);
    expect(await tellUses(deps)).toBe(false);
    expect(await notices()).toEqual([
      { keyId: key.id, event: 'added', trades: 0, orders: 0, lamports: 0n, mint: null },
      { keyId: key.id, event: 'used', trades: 20, orders: 1, lamports: 20n * SOL, mint },
    ]);
  });
});
