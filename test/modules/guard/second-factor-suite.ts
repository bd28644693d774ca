import { describe, expect, it } from 'vitest';
import { guardOverview } from '../../../src/modules/guard/use/guard-overview.ts';
import {
  beginRecoveryCodes,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  endSecondFactorLater,
  showSecondFactor,
} from '../../../src/modules/guard/use/second-factor.ts';
import { verifyPin } from '../../../src/modules/guard/use/verify-pin.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { authenticator } from '../../support/fakes/codes.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { guardRig, HOUR } from './guard-rig.ts';

const STEP = 30_000;
const MINUTE = 60_000;

/** The authenticator beside the PIN; run over the database in memory and over Postgres. */
export function describeSecondFactor(title: string, open: () => Promise<Database>): void {
  describe(title, () => {
    let seed = 100;
    async function person() {
      seed += 1;
      const pins = fakePins();
      const { deps, user, clock } = await guardRig(await open(), pins, seed);
      await givePin(deps.db, pins, user.id);
      const userId = user.id;
      const begin = () => beginSecondFactor(deps, { userId, pin: TEST_PIN });
      const prove = (pin: string) => verifyPin(deps, { userId, pin });
      return { deps, userId, clock, pins, begin, prove };
    }
    /** With an authenticator that is on. */
    async function enrolled() {
      const rig = await person();
      const { token } = await rig.begin();
      const shown = await showSecondFactor(rig.deps, token);
      const uri = shown?.uri ?? null;
      if (shown === null || uri === null) throw new Error('the link shows nothing');
      const code = (): string => authenticator(uri, rig.clock.now());
      await confirmSecondFactor(rig.deps, { userId: rig.userId, code: code() });
      rig.clock.advance(STEP);
      return { ...rig, code, recovery: shown.codes };
    }
    const refused = (code: string) => expect.objectContaining({ code });

    it('counts only after its first code, and then every proof needs one', async () => {
      const { deps, userId, clock, begin, prove } = await person();
      const { token } = await begin();
      await prove(TEST_PIN);
      const shown = await showSecondFactor(deps, token);
      await prove(TEST_PIN);
      const code = authenticator(shown?.uri ?? '', clock.now());
      await confirmSecondFactor(deps, { userId, code });
      await expect(prove(TEST_PIN)).rejects.toThrow(refused('PIN_UNSUITABLE'));
      clock.advance(STEP);
      await prove(`${TEST_PIN} ${authenticator(shown?.uri ?? '', clock.now())}`);
      expect(await guardOverview(deps, { userId })).toMatchObject({ hasSecondFactor: true });
    });

    it('has a link that shows the secret once, for ten minutes, and only the newest one', async () => {
      const { deps, clock, begin } = await person();
      const replaced = await begin();
      const { token } = await begin();
      expect(await showSecondFactor(deps, replaced.token)).toBeNull();
      const looks = await Promise.all([0, 1, 2, 3].map(() => showSecondFactor(deps, token)));
      expect(looks.filter((look) => look !== null)).toHaveLength(1);
      expect(await showSecondFactor(deps, token)).toBeNull();
      const late = await begin();
      clock.advance(10 * MINUTE);
      expect(await showSecondFactor(deps, late.token)).toBeNull();
    });

    it('is not confirmed without an opened link, after its time, or by another person', async () => {
      const { deps, userId, clock, begin } = await person();
      const stale = refused('BUTTON_STALE');
      await expect(confirmSecondFactor(deps, { userId, code: '123456' })).rejects.toThrow(stale);
      const first = await begin();
      await expect(confirmSecondFactor(deps, { userId, code: '123456' })).rejects.toThrow(stale);
      const shown = await showSecondFactor(deps, first.token);
      const code = (): string => authenticator(shown?.uri ?? '', clock.now());
      const other = await person();
      await expect(confirmSecondFactor(other.deps, { userId: other.userId, code: code() })).rejects.toThrow(
        stale,
      );
      clock.advance(10 * MINUTE);
      await expect(confirmSecondFactor(deps, { userId, code: code() })).rejects.toThrow(stale);
      expect((await deps.db.guards.find(userId)).totpBox).toBeNull();
    });

    it('takes each code once, also when it arrives many times at once, and none that is older', async () => {
      const { prove, code, clock } = await enrolled();
      const proof = `${TEST_PIN} ${code()}`;
      const results = await Promise.allSettled([0, 1, 2, 3].map(() => prove(proof)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(prove(proof)).rejects.toThrow(refused('PIN_WRONG'));
      const early = code();
      clock.advance(STEP);
      await prove(`${TEST_PIN}${code()}`);
      await expect(prove(`${TEST_PIN} ${early}`)).rejects.toThrow(refused('PIN_WRONG'));
    });

    it('refuses the code that confirmed it', async () => {
      const { deps, userId, clock, begin, prove } = await person();
      const shown = await showSecondFactor(deps, (await begin()).token);
      const code = authenticator(shown?.uri ?? '', clock.now());
      await confirmSecondFactor(deps, { userId, code });
      await expect(prove(`${TEST_PIN} ${code}`)).rejects.toThrow(refused('PIN_WRONG'));
    });

    it('locks after five wrong codes, though every PIN was right, and the lock outlives the process', async () => {
      const { deps, userId, pins, prove, code, clock } = await enrolled();
      const wrong = (n: number): string => {
        const guess = String(n).padStart(6, '0');
        return guess === code() ? '999999' : guess;
      };
      for (const n of [1, 2, 3, 4]) {
        await expect(prove(`${TEST_PIN} ${wrong(n)}`)).rejects.toThrow(refused('PIN_WRONG'));
      }
      await expect(prove(`${TEST_PIN} ${wrong(5)}`)).rejects.toThrow(refused('PIN_LOCKED'));
      const compared = pins.compared();
      const restarted = { ...deps };
      await expect(verifyPin(restarted, { userId, pin: `${TEST_PIN} ${code()}` })).rejects.toThrow(
        refused('PIN_LOCKED'),
      );
      expect(pins.compared()).toBe(compared);
      clock.advance(15 * MINUTE);
      await prove(`${TEST_PIN} ${code()}`);
    });

    it('counts wrong codes of a new secret as tries too', async () => {
      const { deps, userId, begin } = await person();
      await showSecondFactor(deps, (await begin()).token);
      const ends: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        await confirmSecondFactor(deps, { userId, code: String(n).padStart(6, '0') }).catch(
          (error: { code: string }) => ends.push(error.code),
        );
      }
      expect(ends.slice(0, 4)).toEqual(['PIN_WRONG', 'PIN_WRONG', 'PIN_WRONG', 'PIN_WRONG']);
      expect(ends.slice(4)).toEqual(['PIN_LOCKED', 'PIN_LOCKED']);
    });

    it('is replaced and ended by its own code only', async () => {
      const { deps, userId, begin, prove, code, clock } = await enrolled();
      await expect(begin()).rejects.toThrow(refused('PIN_UNSUITABLE'));
      await expect(endSecondFactor(deps, { userId, pin: TEST_PIN })).rejects.toThrow(
        refused('PIN_UNSUITABLE'),
      );
      await beginSecondFactor(deps, { userId, pin: `${TEST_PIN} ${code()}` });
      clock.advance(STEP);
      // Until the new one is confirmed the old one stands.
      await prove(`${TEST_PIN} ${code()}`);
      clock.advance(STEP);
      await endSecondFactor(deps, { userId, pin: `${TEST_PIN} ${code()}` });
      await expect(prove(TEST_PIN)).rejects.toThrow(refused('PIN_UNSUITABLE'));
      clock.advance(24 * HOUR);
      await prove(TEST_PIN);
    });

    it('ends a day after the operator was asked, unless a code is used before', async () => {
      const { deps, userId, prove, code, clock } = await enrolled();
      const endsAt = await endSecondFactorLater(deps, { userId, actor: 'operator:ann' });
      expect(endsAt).toBe(clock.now() + 24 * HOUR);
      expect(await guardOverview(deps, { userId })).toMatchObject({ secondFactorEndsAt: endsAt });
      clock.advance(HOUR);
      // Asking again neither shortens nor lengthens it.
      expect(await endSecondFactorLater(deps, { userId, actor: 'operator:ann' })).toBe(endsAt);
      await expect(prove(TEST_PIN)).rejects.toThrow(refused('PIN_UNSUITABLE'));
      await prove(`${TEST_PIN} ${code()}`);
      clock.advance(48 * HOUR);
      await expect(prove(TEST_PIN)).rejects.toThrow(refused('PIN_UNSUITABLE'));
      await endSecondFactorLater(deps, { userId, actor: 'operator:ann' });
      clock.advance(24 * HOUR);
      await prove(TEST_PIN);
      expect(await guardOverview(deps, { userId })).toMatchObject({ hasSecondFactor: false });
      const nobody = await person();
      expect(
        await endSecondFactorLater(nobody.deps, { userId: nobody.userId, actor: 'operator:ann' }),
      ).toBeNull();
    });

    const left = async ({ deps, userId }: Awaited<ReturnType<typeof person>>): Promise<number> =>
      (await guardOverview(deps, { userId })).recoveryCodesLeft;

    it('comes with ten recovery codes, each of which stands for a code once, however it is written', async () => {
      const rig = await enrolled();
      const { prove, recovery } = rig;
      expect(recovery).toHaveLength(10);
      expect(await left(rig)).toBe(10);
      const [first = '', second = '', third = ''] = recovery;
      await prove(`${TEST_PIN} ${first}`);
      await prove(`${TEST_PIN} ${second.match(/.{4}/g)?.join('-')}`);
      await prove(`${TEST_PIN}${third.toLowerCase().match(/.{4}/g)?.join(' ')}`);
      expect(await left(rig)).toBe(7);
      for (const used of [first, second, third]) {
        await expect(prove(`${TEST_PIN} ${used}`)).rejects.toThrow(refused('PIN_WRONG'));
      }
      expect(await left(rig)).toBe(7);
    });

    it('takes a recovery code that arrives many times at once for one proof', async () => {
      const rig = await enrolled();
      const proof = `${TEST_PIN} ${rig.recovery[4]}`;
      const results = await Promise.allSettled([0, 1, 2, 3].map(() => rig.prove(proof)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await left(rig)).toBe(9);
    });

    it('uses no recovery code up with a wrong PIN, and takes none without the PIN or of another person', async () => {
      const rig = await enrolled();
      const other = await enrolled();
      const [code = ''] = rig.recovery;
      await expect(rig.prove(`111222 ${code}`)).rejects.toThrow(refused('PIN_WRONG'));
      await expect(rig.prove(code)).rejects.toThrow(refused('PIN_UNSUITABLE'));
      await expect(other.prove(`${TEST_PIN} ${code}`)).rejects.toThrow(refused('PIN_WRONG'));
      expect(await left(rig)).toBe(10);
      await rig.prove(`${TEST_PIN} ${code}`);
    });

    it('locks after five wrong recovery codes as after any five wrong codes', async () => {
      const { prove, recovery } = await enrolled();
      for (let n = 0; n < 4; n += 1) {
        await expect(prove(`${TEST_PIN} ${'ABCDEFGH'.repeat(2)}`)).rejects.toThrow(refused('PIN_WRONG'));
      }
      await expect(prove(`${TEST_PIN} ${'ABCDEFGH'.repeat(2)}`)).rejects.toThrow(refused('PIN_LOCKED'));
      await expect(prove(`${TEST_PIN} ${recovery[0]}`)).rejects.toThrow(refused('PIN_LOCKED'));
    });

    it('gives no recovery code any force before the authenticator is confirmed', async () => {
      const rig = await person();
      const shown = await showSecondFactor(rig.deps, (await rig.begin()).token);
      expect(shown?.codes).toHaveLength(10);
      expect(await left(rig)).toBe(0);
      await expect(rig.prove(`${TEST_PIN} ${shown?.codes[0]}`)).rejects.toThrow(refused('PIN_UNSUITABLE'));
    });

    it('is ended, or replaced together with its codes, by a recovery code', async () => {
      const ended = await enrolled();
      await endSecondFactor(ended.deps, { userId: ended.userId, pin: `${TEST_PIN} ${ended.recovery[0]}` });
      ended.clock.advance(24 * HOUR);
      await ended.prove(TEST_PIN);

      const { deps, userId, recovery, clock, prove } = await enrolled();
      const { token } = await beginSecondFactor(deps, { userId, pin: `${TEST_PIN} ${recovery[0]}` });
      const shown = await showSecondFactor(deps, token);
      await confirmSecondFactor(deps, { userId, code: authenticator(shown?.uri ?? '', clock.now()) });
      await expect(prove(`${TEST_PIN} ${recovery[1]}`)).rejects.toThrow(refused('PIN_WRONG'));
      await prove(`${TEST_PIN} ${shown?.codes[1]}`);
    });

    it('gets new recovery codes that count once the present authenticator has confirmed them', async () => {
      const rig = await enrolled();
      const { deps, userId, prove, code, recovery, clock } = rig;
      const { token } = await beginRecoveryCodes(deps, { userId, pin: `${TEST_PIN} ${code()}` });
      const used = code();
      const looks = await Promise.all([0, 1, 2].map(() => showSecondFactor(deps, token)));
      const [shown] = looks.filter((look) => look !== null);
      expect(looks.filter((look) => look !== null)).toHaveLength(1);
      expect(shown?.uri).toBeNull();
      const fresh = shown?.codes ?? [];
      // Whoever opened the link has not confirmed anything: the former codes stand, the new ones do not.
      await expect(prove(`${TEST_PIN} ${fresh[0]}`)).rejects.toThrow(refused('PIN_WRONG'));
      await prove(`${TEST_PIN} ${recovery[0]}`);
      await expect(confirmSecondFactor(deps, { userId, code: used })).rejects.toThrow(refused('PIN_WRONG'));
      clock.advance(STEP);
      await confirmSecondFactor(deps, { userId, code: code() });
      expect(await left(rig)).toBe(10);
      await expect(prove(`${TEST_PIN} ${recovery[1]}`)).rejects.toThrow(refused('PIN_WRONG'));
      await prove(`${TEST_PIN} ${fresh[0]}`);
      // The authenticator is the same one.
      clock.advance(STEP);
      await prove(`${TEST_PIN} ${code()}`);
    });

    it('gives no recovery codes where there is no authenticator, nor after ten minutes', async () => {
      const { deps, userId } = await person();
      await expect(beginRecoveryCodes(deps, { userId, pin: TEST_PIN })).rejects.toThrow(
        refused('BUTTON_STALE'),
      );
      const rig = await enrolled();
      const pin = `${TEST_PIN} ${rig.recovery[0]}`;
      const { token } = await beginRecoveryCodes(rig.deps, { userId: rig.userId, pin });
      rig.clock.advance(10 * MINUTE);
      expect(await showSecondFactor(rig.deps, token)).toBeNull();
      await expect(confirmSecondFactor(rig.deps, { userId: rig.userId, code: rig.code() })).rejects.toThrow(
        refused('BUTTON_STALE'),
      );
    });

    it('keeps no recovery code, only what cannot be tried without the pepper', async () => {
      const rig = await enrolled();
      const kept = JSON.stringify(await rig.deps.db.guards.find(rig.userId), (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const code of rig.recovery) expect(kept.toUpperCase()).not.toContain(code);
    });
  });
}
