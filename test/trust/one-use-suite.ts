import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { ACT_NAMES, type Act, ruleOf } from '../../src/modules/guard/rules/acts.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { asksPin } from '../../src/modules/guard/rules/judge-act.ts';
import { withPin } from '../../src/modules/guard/rules/pin.ts';
import { changeCap } from '../../src/modules/guard/use/change-cap.ts';
import { freezeAccount } from '../../src/modules/guard/use/freeze-account.ts';
import { passGate } from '../../src/modules/guard/use/pass-gate.ts';
import { assertPermitted, givePermit, usePermit } from '../../src/modules/guard/use/permit.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  showSecondFactor,
} from '../../src/modules/guard/use/second-factor.ts';
import { lockTrades } from '../../src/modules/guard/use/unlock-trades.ts';
import { verifyPin } from '../../src/modules/guard/use/verify-pin.ts';
import { login, requestLogin } from '../../src/modules/keys/use/account.ts';
import { claimKey } from '../../src/modules/keys/use/claim-key.ts';
import { answerQuestion, confirmRequest } from '../../src/modules/keys/use/confirm-request.ts';
import { askBack } from '../../src/modules/keys/use/review-request.ts';
import type { DialogStore } from '../../src/platform/ports/dialog-store.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { BotContext } from '../../src/platform/telegram/context.ts';
import { createSecretPrompts, type SecretPrompts } from '../../src/platform/telegram/secret/prompts.ts';
import { FORM, type KeyRig, keyRig, OPERATOR } from '../api/key-rig.ts';
import { buttonRow, NOW, storedPerson, walletRow } from '../conformance/store-rows.ts';
import { guardRig } from '../modules/guard/guard-rig.ts';
import { type MailRig, mailRig } from '../modules/guard/mail-rig.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { authenticator } from '../support/fakes/codes.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { testSigner } from '../support/signer.ts';

const STEP = 30_000;
const DAY = 86_400_000;

/** What works once. `acts` is asked many times at the same moment; true for each time that had an effect. */
type Once = { readonly acts: () => Promise<boolean>; readonly elsewhere: (() => Promise<boolean>) | null };
type Make = (db: Database, serial: number) => Promise<Once>;

const keys = (db: Database): Promise<KeyRig> => keyRig({ db });
const tokenOf = (rig: KeyRig): string => rig.link().split('/').at(-1) ?? '';
const passed = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
const email = (serial: number): string => `one-use-${serial}@example.org`;

async function enrolled(db: Database, serial: number) {
  const pins = fakePins();
  const rig = await guardRig(db, pins, serial);
  const userId = rig.user.id;
  await givePin(db, pins, userId);
  const { token } = await beginSecondFactor(rig.deps, { userId, pin: TEST_PIN });
  return { ...rig, userId, token };
}

async function withCodes(db: Database, serial: number) {
  const rig = await enrolled(db, serial);
  const shown = await showSecondFactor(rig.deps, rig.token);
  await confirmSecondFactor(rig.deps, {
    userId: rig.userId,
    code: authenticator(shown?.uri ?? '', rig.clock.now()),
  });
  rig.clock.advance(STEP);
  return { ...rig, codes: shown?.codes ?? [] };
}

/** A person with a ripe PIN and a wallet whose key the signer has. */
async function exportable(db: Database, serial: number) {
  const pins = fakePins();
  const { clock, ids, user } = await guardRig(db, pins, serial);
  await givePin(db, pins, user.id);
  const vault = testSigner({ db, clock }, { pins, ids, guardRules: LOCAL_RULES });
  const walletId = ids.ulid();
  const secret = await vault.create({ walletId, userId: user.id });
  const wallet = walletRow({ id: walletId, userId: user.id, address: secret.publicKey });
  await db.wallets.insert(PASSED, wallet, secret);
  return { clock, vault, userId: user.id, walletId };
}

/** Everything that works once, with the same thing in other hands, or at another place, where there is such a place. */
const ONCE: Readonly<Record<string, Make>> = {
  'a link that confirms an address': async (db, serial) => {
    const rig = await keys(db);
    await rig.form('/keys', { ...FORM, email: email(serial) });
    await rig.work();
    const token = tokenOf(rig);
    return {
      acts: async () => {
        let isTold = false;
        const nudge = (): void => {
          isTold = true;
        };
        await confirmRequest({ ...rig.shared, nudge }, token);
        return isTold;
      },
      elsewhere: () => answerQuestion(rig.shared, token, 'mine'),
    };
  },
  'a link to a question': async (db, serial) => {
    const rig = await keys(db);
    const id = await rig.confirmed({ email: email(serial) });
    await askBack(rig.shared, { telegramId: OPERATOR }, id, 'Which market?');
    await rig.work();
    const first = tokenOf(rig);
    await askBack(rig.shared, { telegramId: OPERATOR }, id, 'How often?');
    await rig.work();
    const second = tokenOf(rig);
    return {
      acts: () => answerQuestion(rig.shared, second, 'daily'),
      elsewhere: () => answerQuestion(rig.shared, first, 'SOL'),
    };
  },
  'a link to a granted key': async (db, serial) => {
    const rig = await keys(db);
    await rig.grant(await rig.confirmed({ email: email(serial) }));
    await rig.work();
    const token = tokenOf(rig);
    return {
      acts: async () => (await claimKey(rig.shared, token)).kind === 'made',
      elsewhere: () => confirmRequest(rig.shared, token),
    };
  },
  'a way in to an account': async (db, serial) => {
    const rig = await keys(db);
    await rig.key({ email: email(serial) });
    const deps = { ...rig.shared, usage: { list: async () => [] } };
    await requestLogin(deps, email(serial));
    await rig.work();
    const token = tokenOf(rig);
    return {
      acts: async () => (await login(deps, token)) !== null,
      elsewhere: async () => (await claimKey(rig.shared, token)).kind === 'made',
    };
  },
  'a button with an effect': async (db) => {
    const [one, other] = [await storedPerson(db), await storedPerson(db)];
    const button = buttonRow(one.user.id);
    await db.buttons.insert([button]);
    const press = (userId: string) => async () =>
      (await db.transact(({ buttons }) => buttons.consume(button.id, userId, NOW))) !== null;
    return { acts: press(one.user.id), elsewhere: press(other.user.id) };
  },
  'the page of a new authenticator': async (db, serial) => {
    const { deps, token } = await enrolled(db, serial);
    return { acts: async () => (await showSecondFactor(deps, token)) !== null, elsewhere: null };
  },
  'a key file that is ready': async (db, serial) => {
    const [one, other] = [await exportable(db, serial), await exportable(db, serial + 50_000)];
    const { exportId } = await one.vault.askExport({
      userId: one.userId,
      walletId: one.walletId,
      pin: TEST_PIN,
    });
    for (const { clock } of [one, other]) clock.advance(LOCAL_RULES.longDelayMs);
    const take = ({ vault, userId }: typeof one) =>
      passed(vault.takeExport({ userId, exportId, pin: TEST_PIN, passphrase: 'a passphrase of twelve' }));
    return { acts: () => take(one), elsewhere: () => take(other) };
  },
  'the Stop link of a notice': async (db, serial) => {
    const rig = await mailRig(db, serial);
    await rig.set(email(serial));
    rig.clock.advance(DAY);
    await rig.work();
    await changeCap(rig.deps, { userId: rig.userId, pin: TEST_PIN, lamports: 9_000_000_000n });
    await rig.work();
    const token = rig.token();
    return {
      acts: async () => (await rig.stop(token)).kind === 'stopped',
      elsewhere: async () => (await login({ ...rig.deps, usage: { list: async () => [] } }, token)) !== null,
    };
  },
  'the code of a notice mail': async (db, serial) => {
    const one = await mailRig(db, serial);
    const other = await mailRig(db, serial + 50_000);
    await one.ask(email(serial));
    await one.work();
    const code = one.code();
    const confirm = (rig: MailRig) => async () => {
      const done = await rig.confirm(email(serial), code).catch(() => null);
      return done?.kind === 'set';
    };
    return { acts: confirm(one), elsewhere: confirm(other) };
  },
  'a recovery code': async (db, serial) => {
    const one = await withCodes(db, serial);
    const other = await withCodes(db, serial + 50_000);
    const use = ({ deps, userId }: typeof one) =>
      passed(verifyPin(deps, { userId, pin: `${TEST_PIN} ${one.codes[0]}` }));
    return { acts: () => use(one), elsewhere: () => use(other) };
  },
};

/** Questions for secrets over these dialogues, and the turn of a person. */
function prompts(dialogs: DialogStore) {
  const secrets = createSecretPrompts({ dialogs, clock: fakeClock() });
  const asked = (id: number) => ({ me: { id: 9 }, from: { id } }) as unknown as BotContext;
  return { secrets, asked };
}

/** Each of two writers has read before either writes: the worst order, on a store of any speed. */
function bothReadFirst(dialogs: DialogStore): DialogStore {
  let read = 0;
  let release: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    ...dialogs,
    read: async (key) => {
      const row = await dialogs.read(key);
      read += 1;
      if (read === 2) release();
      await both;
      return row;
    },
  };
}

/** Null where no question waits. */
async function revisionOf(secrets: SecretPrompts, ctx: BotContext): Promise<number | null> {
  const state = await secrets.standing(ctx);
  return state.kind === 'waiting' ? state.prompt.revision : null;
}

/** The acts that a PIN is typed for: each could be given a permit. */
const PIN_ACTS = ACT_NAMES.filter((act) => ruleOf(act).by === 'person' && asksPin(act, { pinHash: 'a PIN' }));

/** A person with a ripe PIN, and the effect of an act that a permit of it opens: null where the permit does not. */
async function permitted(db: Database, serial: number) {
  const pins = fakePins();
  const rig = await guardRig(db, pins, serial);
  const userId = rig.user.id;
  await givePin(db, pins, userId);
  const { deps } = rig;
  const use = (act: Act, permit: string, by = userId): Promise<boolean> =>
    passed(
      db.transact(async (stores) => {
        const proof = await usePermit(stores, { userId: by, act, permit, now: rig.clock.now() });
        if (proof === null) throw new Error('the permit opens nothing');
        await passGate(stores, deps, { act, userId: by, proof });
      }),
    );
  const give = (act: Act): Promise<string> => givePermit(deps, { userId, pin: TEST_PIN, act });
  return { ...rig, userId, use, give };
}

type Permitted = Awaited<ReturnType<typeof permitted>>;

/** What a proof does not outlive. After a freeze it does not come back with the end of the freeze. */
const ENDS: Readonly<Record<string, (rig: Permitted) => Promise<unknown>>> = {
  'a freeze': ({ deps, userId }) => freezeAccount(deps, { userId }),
  'a freeze that is over': async ({ db, deps, userId }) => {
    await freezeAccount(deps, { userId });
    await db.guards.save({ ...(await db.guards.find(userId)), frozenAt: null, unfreezeAt: null }, PASSED);
  },
  'Lock now': ({ deps, userId }) => lockTrades(deps, { userId }),
  'a new PIN': async ({ db, clock, userId }) => {
    const changed = withPin(await db.guards.find(userId), 'another', clock.now(), LOCAL_RULES);
    await db.guards.save(changed, PASSED);
  },
  'fifteen minutes': async ({ clock }) => clock.advance(15 * 60_000),
};

/** Run over the database in memory and over Postgres. */
export function describeOneUse(
  title: string,
  open: () => Promise<Database>,
  openDialogs: () => Promise<DialogStore>,
): void {
  describe(title, () => {
    let serial = 0;
    it.each(Object.entries(ONCE))(
      '%s acts once, whoever asks at the same time, and nowhere else',
      async (_, make) => {
        serial += 1;
        const { acts, elsewhere } = await make(await open(), 1_000 + serial);
        if (elsewhere !== null) expect(await elsewhere()).toBe(false);
        const tries = await Promise.all(Array.from({ length: 4 }, () => acts()));
        expect(tries.filter(Boolean)).toHaveLength(1);
        expect(await acts()).toBe(false);
        if (elsewhere !== null) expect(await elsewhere()).toBe(false);
      },
    );

    it('a permit of the PIN opens its own act once, of its own person, for every act that takes one', async () => {
      const db = await open();
      expect(PIN_ACTS.length).toBeGreaterThan(15);
      const other = await permitted(db, 3_000);
      for (const [index, act] of PIN_ACTS.entries()) {
        const { give, use } = await permitted(db, 3_001 + index);
        const permit = await give(act);
        for (const foreign of PIN_ACTS)
          if (foreign !== act)
            expect([act, foreign, await use(foreign, permit)]).toEqual([act, foreign, false]);
        expect([act, await use(act, permit, other.userId)]).toEqual([act, false]);
        const tries = await Promise.all(Array.from({ length: 4 }, () => use(act, permit)));
        expect([act, tries.filter(Boolean).length]).toEqual([act, 1]);
        expect([act, await use(act, permit)]).toEqual([act, false]);
      }
    });

    it.each(Object.entries(ENDS))(
      'a permit of the PIN does not outlive %s, for every act',
      async (_, end) => {
        const db = await open();
        for (const [index, act] of PIN_ACTS.entries()) {
          const rig = await permitted(db, 4_001 + index);
          const permit = await rig.give(act);
          await end(rig);
          expect([act, await rig.use(act, permit)]).toEqual([act, false]);
          await expect(assertPermitted(rig.deps, { userId: rig.userId, act, permit })).rejects.toBeInstanceOf(
            AppError,
          );
        }
      },
    );

    it('a question for a secret is over with its answer, and a new one takes its place', async () => {
      const { secrets, asked } = prompts(await openDialogs());
      const [one, other] = [asked(1), asked(2)];
      await secrets.ask(one, 'wallet:import', { n: 1 });
      const first = await revisionOf(secrets, one);
      await secrets.ask(one, 'wallet:export', { n: 2 });
      const second = await revisionOf(secrets, one);
      // The end of the former question, which an answer to it would bring, leaves the new one.
      await secrets.end(one, first ?? 0);
      expect(await secrets.standing(one)).toMatchObject({ kind: 'waiting', prompt: { to: 'wallet:export' } });
      expect(await secrets.standing(other)).toEqual({ kind: 'none' });
      await secrets.end(other, second ?? 0);
      await Promise.all(Array.from({ length: 4 }, () => secrets.end(one, second ?? 0)));
      expect(await revisionOf(secrets, one)).toBeNull();
    });

    it('of two questions at once one waits', async () => {
      const { secrets, asked } = prompts(bothReadFirst(await openDialogs()));
      const one = asked(1);
      const both = await Promise.all([
        passed(secrets.ask(one, 'wallet:import', null)),
        passed(secrets.ask(one, 'wallet:export', null)),
      ]);
      expect(both.filter(Boolean)).toHaveLength(1);
    });

    it('two links to one question bring one answer', async () => {
      const db = await open();
      const rig = await keys(db);
      const id = await rig.confirmed({ email: 'twice@example.org' });
      const asked = { telegramId: OPERATOR };
      await askBack(rig.shared, asked, id, 'Which market?');
      await rig.work();
      const first = tokenOf(rig);
      await askBack(rig.shared, asked, id, 'Which market?');
      await rig.work();
      const links = [first, tokenOf(rig)];
      const taken = await Promise.all(links.map((token) => answerQuestion(rig.shared, token, token)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await db.keyRequests.find(id))?.answer).toBe(links[taken.indexOf(true)]);
    });
  });
}
