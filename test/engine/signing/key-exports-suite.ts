import { describe, expect, it } from 'vitest';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { createExportWatch } from '../../../src/engine/signing/use/export-watch.ts';
import { pauseSwitch, resumeSwitch } from '../../../src/engine/switches/use/turn-switch.ts';
import { freeze, unfreeze } from '../../../src/modules/guard/rules/freeze.ts';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { withPin } from '../../../src/modules/guard/rules/pin.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { openBackup } from '../../../src/platform/backup/backup-file.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakeJournal } from '../../support/fakes/journal.ts';
import { fakePins, TEST_PIN } from '../../support/fakes/pins.ts';
import { testSigning } from '../../support/fakes/signing.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PASSPHRASE = 'a passphrase of twelve';

/** The way of a key out, with production's waits, on any database. */
export function describeKeyExports(open: () => Promise<Database>): void {
  let seed = 400;

  /** One person with a made wallet and a PIN that was set `pinAge` ago; the clock moves only by a call. */
  async function rigOf(pinAge: number | null = DAY) {
    seed += 1;
    const db = await open();
    const clock = fakeClock();
    const ids = fakeIds(seed);
    const pins = fakePins();
    const journal = fakeJournal(undefined, () => clock.now());
    const { signing, tries, deps } = testSigning({ db, clock }, { journal });
    const signer = (over: Database = db): Vault =>
      testSigner({ db: over, clock }, { pins, ids, guardRules: PRODUCTION_RULES, signing, tries });
    const watch = createExportWatch({
      db,
      clock,
      ids,
      guardRules: PRODUCTION_RULES,
      book: deps.book,
      log: { error: () => undefined },
      write: (entry) => signing.write(entry),
    });
    const vault = signer();
    const { id: userId } = await insertUser(db, ids, 40_000n + BigInt(seed));
    const wallet = await walletOf('Main');
    async function walletOf(name: string): Promise<Wallet> {
      const id = ids.ulid();
      const secret = await vault.create({ walletId: id, userId });
      const made = {
        id,
        userId,
        name,
        address: secret.publicKey,
        createdAt: 0,
        deletedAt: null,
        origin: 'made' as const,
        confirmedAt: null,
        payoutFrom: null,
      };
      await db.wallets.insert(PASSED, made, secret);
      return made;
    }
    async function setPin(pin = TEST_PIN): Promise<void> {
      const hash = await pins.hash(pin, userId);
      const guard = await db.guards.find(userId);
      await db.guards.save(withPin(guard, hash, clock.now(), PRODUCTION_RULES), PASSED);
    }
    if (pinAge !== null) {
      await setPin();
      clock.advance(pinAge);
    }
    const notices = async () => {
      const told = await Promise.all(
        (await db.notices.undelivered(Date.UTC(2100, 0), 100)).map((id) => db.notices.find(id)),
      );
      return told.filter((notice) => notice !== null).filter((notice) => notice.userId === userId);
    };
    return {
      db,
      clock,
      userId,
      wallet,
      vault,
      signer,
      signing,
      book: deps.book,
      journal,
      beat: watch.beat,
      walletOf,
      setPin,
      pins,
      ids,
      ask: (walletId = wallet.id, pin = TEST_PIN) => vault.askExport({ userId, walletId, pin }),
      take: (exportId: string, given: { pin?: string; passphrase?: string } = {}) =>
        vault.takeExport({ userId, exportId, pin: TEST_PIN, passphrase: PASSPHRASE, ...given }),
      stop: () => vault.stopExport({ userId }),
      rows: () => db.exports.listByUser(userId, 0),
      acts: async () =>
        (await db.auditLog.list({ subject: userId }, { limit: 50, offset: 0 }))
          .map(({ act }) => act)
          .toReversed(),
      events: async () =>
        (await notices())
          .filter((notice) => notice.kind === 'export')
          .map((notice) => [
            (notice.payload as { readonly event: string }).event,
            notice.createdAt - clock.now(),
          ]),
    };
  }
  const waits = (why: string) => ({ code: 'EXPORT_WAITS', details: expect.objectContaining({ why }) });
  const over = waits('over');

  describe('a key on its way out', () => {
    it('is asked for with a ripe PIN, waits a day to the millisecond, and is taken once', async () => {
      const rig = await rigOf();
      const { exportId, readyAt, endsAt } = await rig.ask();
      expect([readyAt - rig.clock.now(), endsAt - readyAt]).toEqual([DAY, DAY]);
      expect(await rig.events()).toEqual([
        ['asked', 0],
        ['half', 12 * HOUR],
        ['ready', DAY],
      ]);
      rig.clock.advance(DAY - 1);
      await expect(rig.take(exportId)).rejects.toMatchObject(waits('asked'));
      rig.clock.advance(1);
      const file = Buffer.from(await rig.take(exportId)).toString();
      expect((await openBackup(file, PASSPHRASE)).address).toBe(rig.wallet.address);
      await expect(rig.take(exportId)).rejects.toMatchObject(over);
      expect(await rig.acts()).toEqual(['export-asked', 'wallet-exported']);
      expect((await rig.rows()).map(({ end }) => end?.kind)).toEqual(['TAKEN']);
      expect((await rig.events()).at(-1)).toEqual(['taken', 0]);
    });

    it('lapses when nobody took it within a day, and another one can then be asked for', async () => {
      const rig = await rigOf();
      const { exportId } = await rig.ask();
      rig.clock.advance(2 * DAY);
      await expect(rig.take(exportId)).rejects.toMatchObject(over);
      expect(await rig.stop()).toEqual({ stopped: false });
      await rig.ask();
      expect(
        (await rig.rows()).map(({ end }) => end?.kind ?? 'open').toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(['LAPSED', 'open']);
    });

    it.each([
      ['nobody without a PIN', null, 'PIN_REQUIRED'],
      ['nobody whose PIN is a millisecond short of a day', DAY - 1, 'PIN_TOO_NEW'],
    ] as const)('is asked for by %s, and no PIN is compared for it', async (_who, pinAge, code) => {
      const rig = await rigOf(pinAge);
      await expect(rig.ask()).rejects.toMatchObject({ code });
      expect(rig.pins.compared()).toBe(0);
      expect(await rig.rows()).toEqual([]);
    });

    it('is asked for by nobody whose PIN has an age that no row tells', async () => {
      const rig = await rigOf();
      await rig.db.guards.save({ ...(await rig.db.guards.find(rig.userId)), pinSetAt: null }, PASSED);
      await expect(rig.ask()).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    });

    it('is refused with a wrong PIN, for another person’s wallet and for one that was deleted', async () => {
      const rig = await rigOf();
      await expect(rig.ask(rig.wallet.id, '111222')).rejects.toMatchObject({ code: 'PIN_WRONG' });
      const other = await rigOf();
      if (other.db === rig.db) {
        await expect(rig.ask(other.wallet.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
      }
      const gone = await rig.walletOf('Gone');
      await rig.db.wallets.setDeletedAt(PASSED, gone.id, rig.clock.now());
      await expect(rig.ask(gone.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
      expect(await rig.rows()).toEqual([]);
    });

    it('is alone: of five that are asked for at once one is written, also for two wallets', async () => {
      const rig = await rigOf();
      const second = await rig.walletOf('Second');
      const asked = await Promise.allSettled(
        [0, 1, 2, 3, 4].map((n) => rig.ask(n % 2 === 0 ? rig.wallet.id : second.id)),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of asked) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject(waits('open'));
      }
      expect(await rig.rows()).toHaveLength(1);
      expect((await rig.events()).filter(([event]) => event === 'asked')).toHaveLength(1);
    });

    it('is asked for three times within seven days, and not a fourth time', async () => {
      const rig = await rigOf();
      for (let n = 0; n < 3; n += 1) {
        const { exportId } = await rig.ask();
        rig.clock.advance(DAY);
        await rig.take(exportId);
      }
      await expect(rig.ask()).rejects.toMatchObject({ code: 'ACT_LIMIT' });
      rig.clock.advance(4 * DAY - 1);
      await expect(rig.ask()).rejects.toMatchObject({ code: 'ACT_LIMIT' });
      rig.clock.advance(1);
      await rig.ask();
    });

    it('is stopped without a PIN, also while frozen, and none can be asked for within a day of it', async () => {
      const rig = await rigOf();
      const { exportId } = await rig.ask();
      expect(await rig.stop()).toEqual({ stopped: true });
      expect(await rig.stop()).toEqual({ stopped: false });
      rig.clock.advance(DAY - 1);
      await expect(rig.ask()).rejects.toMatchObject(waits('stopped'));
      rig.clock.advance(1);
      await expect(rig.take(exportId)).rejects.toMatchObject(over);
      const { exportId: next } = await rig.ask();
      await rig.db.guards.save(freeze(await rig.db.guards.find(rig.userId), rig.clock.now() - 1), PASSED);
      // Asked for after the freeze that was written down; the freeze holds all the same.
      await expect(rig.take(next)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
      expect(await rig.stop()).toEqual({ stopped: true });
      expect(await rig.acts()).toEqual(['export-asked', 'export-stopped', 'export-asked', 'export-stopped']);
    });

    it('is not barred for ever by a stop that a clock ahead of time wrote down', async () => {
      const rig = await rigOf(40 * DAY);
      rig.clock.advance(30 * DAY);
      await rig.ask();
      await rig.stop();
      rig.clock.advance(-30 * DAY + 1);
      await rig.ask();
    });

    it.each(['freeze', 'pin', 'exports', 'withdrawals'] as const)(
      'is stopped by %s for good, whatever ends after it',
      async (by) => {
        const rig = await rigOf();
        const { db, clock, userId } = rig;
        const actor = 'operator:test' as const;
        const { exportId } = await rig.ask();
        clock.advance(HOUR);
        if (by === 'freeze') {
          const frozen = freeze(await db.guards.find(userId), clock.now());
          await db.guards.save(unfreeze(frozen, clock.now(), PRODUCTION_RULES), PASSED);
        } else if (by === 'pin') {
          await rig.setPin();
        } else {
          await pauseSwitch({ db, clock }, { what: by, reason: 'a test', until: null, actor });
          try {
            await expect(rig.ask()).rejects.toMatchObject({ code: 'PAUSED' });
            await expect(rig.take(exportId)).rejects.toMatchObject({ code: 'PAUSED' });
          } finally {
            await resumeSwitch({ db, clock }, { what: by, reason: 'a test', actor });
          }
        }
        clock.advance(DAY);
        await expect(rig.take(exportId)).rejects.toMatchObject(over);
        expect(await rig.stop()).toEqual({ stopped: false });
        // The row says so from the next question on.
        await rig.ask();
        const stopped = (await rig.rows()).find(({ id }) => id === exportId)?.end;
        const who = by === 'freeze' || by === 'pin' ? by : 'switch';
        expect(stopped).toMatchObject({ kind: 'STOPPED', by: who });
      },
    );

    it('is not taken with a wrong PIN, a short passphrase, or by somebody else, and stays ready', async () => {
      const rig = await rigOf();
      const { exportId } = await rig.ask();
      rig.clock.advance(DAY);
      await expect(rig.take(exportId, { pin: '111222' })).rejects.toMatchObject({ code: 'PIN_WRONG' });
      const compared = rig.pins.compared();
      await expect(rig.take(exportId, { passphrase: 'elevenchars' })).rejects.toMatchObject({
        code: 'PASSPHRASE_UNSUITABLE',
      });
      const other = await rigOf();
      await expect(
        rig.vault.takeExport({ userId: other.userId, exportId, pin: TEST_PIN, passphrase: PASSPHRASE }),
      ).rejects.toMatchObject(other.db === rig.db ? over : { code: 'PIN_REQUIRED' });
      expect(rig.pins.compared()).toBe(compared);
      expect(await rig.acts()).toEqual(expect.not.arrayContaining(['wallet-exported']));
      await rig.take(exportId);
    });

    it('is either taken or stopped, and not both, when both come in the second in which it is ready', async () => {
      for (let round = 0; round < 6; round += 1) {
        const rig = await rigOf();
        const { exportId } = await rig.ask();
        rig.clock.advance(DAY);
        // A refusal may come before the wait below ends, so each is caught where it begins.
        const takes = [1, 2].map(() =>
          rig.take(exportId).then(
            () => true,
            () => false,
          ),
        );
        // At another moment of their work in each round.
        await new Promise((resolve) => setTimeout(resolve, round * 2));
        const [stopped, ...files] = await Promise.all([rig.stop(), ...takes]);
        const left = files.filter(Boolean).length;
        expect(left + (stopped.stopped ? 1 : 0)).toBe(1);
        const acts = await rig.acts();
        expect(acts.filter((act) => act === 'wallet-exported')).toHaveLength(left);
        expect(acts.filter((act) => act === 'export-stopped')).toHaveLength(1 - left);
      }
    });

    it('leaves no file behind when a freeze comes between the PIN and the file', async () => {
      const rig = await rigOf();
      const { exportId } = await rig.ask();
      rig.clock.advance(DAY);
      const { db } = rig;
      let isFrozen = false;
      const freezing: Database = {
        ...db,
        transact: async (work) => {
          if (!isFrozen && rig.pins.compared() > 1) {
            isFrozen = true;
            await db.guards.save(freeze(await db.guards.find(rig.userId), rig.clock.now()), PASSED);
          }
          return db.transact(work);
        },
      };
      const late = rig.signer(freezing);
      const input = { userId: rig.userId, exportId, pin: TEST_PIN, passphrase: PASSPHRASE };
      await expect(late.takeExport(input)).rejects.toThrow();
      expect(isFrozen).toBe(true);
      expect(await rig.acts()).not.toContain('wallet-exported');
    });

    describe('whatever its rows say', () => {
      const row = async (rig: Awaited<ReturnType<typeof rigOf>>, exportId: string) => {
        const found = (await rig.rows()).find(({ id }) => id === exportId);
        if (found === undefined) throw new Error('no row');
        return found;
      };

      it('is not taken where the signer was never asked, and the look ends such a row and tells its person', async () => {
        const rig = await rigOf();
        const asked = {
          id: rig.ids.ulid(),
          userId: rig.userId,
          walletId: rig.wallet.id,
          askedAt: rig.clock.now() - DAY,
          readyAt: rig.clock.now(),
          endsAt: rig.clock.now() + DAY,
          end: null,
        };
        await rig.db.exports.insert(PASSED, asked);
        const compared = rig.pins.compared();
        await expect(rig.take(asked.id)).rejects.toMatchObject(over);
        expect(rig.pins.compared()).toBe(compared);
        await rig.beat();
        expect((await row(rig, asked.id)).end).toMatchObject({ kind: 'STOPPED', by: 'signer' });
        expect(await rig.events()).toEqual([['disowned', 0]]);
        expect(await rig.acts()).toEqual(['export-stopped']);
        // An honest one can be asked for at once.
        await rig.ask();
        await rig.beat();
        expect(rig.book.exports.open(rig.clock)).toHaveLength(1);
      });

      it('is as the journal says after a restart of the signer, and after its start was forgotten', async () => {
        const rig = await rigOf(40 * DAY);
        const { exportId } = await rig.ask();
        rig.clock.advance(DAY);
        await rig.take(exportId);
        const again = createJournalBook();
        for await (const record of rig.journal.records(0)) again.apply(record);
        expect(again.exports.find(exportId)).toMatchObject({ walletId: rig.wallet.id, end: { by: 'taken' } });
        rig.clock.advance(HOUR);
        const { exportId: second } = await rig.ask();
        await rig.stop();
        const renewed = createJournalBook();
        for (const entry of rig.book.exports.due(rig.clock.now() + 1, rig.clock.now()))
          renewed.apply({ seq: 1, at: rig.clock.now(), entry });
        for (const id of [exportId, second])
          expect(renewed.exports.find(id)).toEqual(rig.book.exports.find(id));
        expect(renewed.exports.find(second)).toMatchObject({ end: { by: 'person' } });
        expect(rig.book.exports.due(rig.clock.now(), rig.clock.now())).toEqual([]);
      });

      it('is unknown to a signer with another journal, and has to be asked for again', async () => {
        const rig = await rigOf();
        const { exportId } = await rig.ask();
        rig.clock.advance(DAY);
        const other = testSigner(
          { db: rig.db, clock: rig.clock },
          { pins: rig.pins, ids: rig.ids, guardRules: PRODUCTION_RULES },
        );
        const input = { userId: rig.userId, exportId, pin: TEST_PIN, passphrase: PASSPHRASE };
        await expect(other.takeExport(input)).rejects.toMatchObject(over);
        await rig.take(exportId);
      });

      it('stays stopped where a freeze or a new PIN was seen and is taken out of the rows', async () => {
        for (const by of ['freeze', 'pin'] as const) {
          const rig = await rigOf();
          const { exportId } = await rig.ask();
          rig.clock.advance(HOUR);
          const before = await rig.db.guards.find(rig.userId);
          if (by === 'freeze') await rig.db.guards.save(freeze(before, rig.clock.now()), PASSED);
          else await rig.setPin();
          await rig.beat();
          await rig.db.guards.save(before, PASSED);
          rig.clock.advance(DAY);
          await expect(rig.take(exportId)).rejects.toMatchObject(over);
          expect(rig.book.exports.find(exportId)).toMatchObject({ end: { by } });
        }
      });

      it('is not left by a journal that cannot be written: the file stays and may be taken later', async () => {
        const rig = await rigOf();
        const { exportId } = await rig.ask();
        rig.clock.advance(DAY);
        rig.journal.full = true;
        await expect(rig.take(exportId)).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
        rig.journal.full = false;
        expect((await row(rig, exportId)).end).toBeNull();
        await rig.take(exportId);
      });
    });
  });
}
