import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeathLook,
  deathLook,
  decodeLooks,
  encodeLooks,
  judgeDeath,
  rememberLook,
} from '../../../src/engine/intents/rules/death.ts';
import type { DeathProbe } from '../../../src/platform/ports/chain.ts';
import { buildAttempt, NOW } from './build.ts';

const attempt = buildAttempt();
const probe: DeathProbe = {
  endpoint: 'a',
  endpoints: 1,
  finalizedHeight: 1_001n,
  finalizedSlot: 1_100n,
  status: null,
  statusSlot: 1_100n,
  firstAvailableBlock: 0n,
};
const lookAt = (
  endpoint: string,
  endpoints: number,
  at: number,
  patch: Partial<DeathProbe> = {},
): DeathLook => {
  const look = deathLook(attempt, { ...probe, endpoint, endpoints, ...patch }, at);
  if (look === null) throw new Error('the probe proves nothing');
  return look;
};

describe('the death rule', () => {
  it('takes a probe as proof only past the last valid height, found nothing, and not answered from behind', () => {
    expect(deathLook(attempt, probe, NOW)).not.toBeNull();
    expect(deathLook(attempt, { ...probe, finalizedHeight: 1_000n }, NOW)).toBeNull();
    expect(deathLook(attempt, { ...probe, statusSlot: 1_099n }, NOW)).toBeNull();
    expect(
      deathLook(attempt, { ...probe, status: { slot: 950n, level: 'processed', err: null } }, NOW),
    ).toBeNull();
  });

  it('wants two endpoints, or two looks ten seconds apart where there is one', () => {
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW)])).toBe('alive');
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW), lookAt('a', 1, NOW + 9_999)])).toBe('alive');
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW), lookAt('a', 1, NOW + 10_000)])).toBe('dead');
    expect(judgeDeath(attempt, [lookAt('a', 2, NOW), lookAt('a', 2, NOW + 60_000)])).toBe('alive');
    expect(judgeDeath(attempt, [lookAt('a', 2, NOW), lookAt('b', 2, NOW)])).toBe('dead');
  });

  it('takes two looks in either order, and none at an endpoint that was once one of several', () => {
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW + 10_000), lookAt('a', 1, NOW)])).toBe('dead');
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW), lookAt('a', 2, NOW + 60_000)])).toBe('alive');
    expect(judgeDeath(attempt, [lookAt('a', 2, NOW), lookAt('a', 1, NOW + 60_000)])).toBe('alive');
    const third = [lookAt('a', 3, NOW), lookAt('a', 3, NOW + 60_000), lookAt('b', 3, NOW)];
    expect(judgeDeath(attempt, third)).toBe('dead');
    expect(judgeDeath(attempt, [])).toBe('alive');
  });

  it('holds looks apart as far as it is told to', () => {
    const rule = { secondLookAfterMs: 300, reviewAfterMs: 0 };
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW), lookAt('a', 1, NOW + 299)], rule)).toBe('alive');
    expect(judgeDeath(attempt, [lookAt('a', 1, NOW), lookAt('a', 1, NOW + 300)], rule)).toBe('dead');
  });

  it('believes no endpoint whose history begins after the signing, and calls a person once the attempt is old', () => {
    const late = NOW + 600_001;
    const pruned = { firstAvailableBlock: 901n };
    const kept = { firstAvailableBlock: 900n };
    const shallow = (at: number) => [lookAt('a', 2, at, pruned), lookAt('b', 2, at, pruned)];
    expect(judgeDeath(attempt, shallow(NOW))).toBe('alive');
    expect(judgeDeath(attempt, shallow(NOW + 600_000))).toBe('alive');
    expect(judgeDeath(attempt, shallow(late))).toBe('unprovable');
    expect(judgeDeath(attempt, [lookAt('a', 2, NOW, pruned), lookAt('b', 2, NOW, kept)])).toBe('alive');
    expect(judgeDeath(attempt, [...shallow(late), lookAt('c', 3, late, kept)])).toBe('unprovable');
    expect(judgeDeath(attempt, [lookAt('a', 2, late, kept), lookAt('b', 2, late, kept)])).toBe('dead');
    expect(
      judgeDeath(attempt, [...shallow(late), ...[late, late + 10_000].map((at) => lookAt('c', 1, at))]),
    ).toBe('dead');
  });

  it('proves a death at one address behind which some nodes keep history and some do not', () => {
    const pruned = { firstAvailableBlock: 901n };
    const answers = [pruned, {}, pruned, {}, pruned];
    let looks: readonly DeathLook[] = [];
    answers.forEach((patch, index) => {
      looks = rememberLook(attempt, looks, lookAt('a', 1, NOW + index * 6_000, patch));
    });
    expect(judgeDeath(attempt, looks)).toBe('dead');
  });

  it('keeps two looks per endpoint and depth of history at most, the earliest and the latest', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(100_000))), (moments) => {
        let looks: readonly DeathLook[] = [];
        for (const [endpoint, at] of moments)
          looks = rememberLook(attempt, looks, lookAt(endpoint, 3, NOW + at));
        for (const endpoint of ['a', 'b', 'c']) {
          const mine = looks.filter((look) => look.endpoint === endpoint);
          const first = moments.find(([name]) => name === endpoint);
          expect(mine.length).toBeLessThanOrEqual(2);
          const last = moments.findLast(([name]) => name === endpoint);
          if (first === undefined || last === undefined) continue;
          expect(mine[0]?.at).toBe(NOW + first[1]);
          expect(mine.at(-1)?.at).toBe(NOW + last[1]);
        }
        expect(decodeLooks(JSON.parse(JSON.stringify(encodeLooks(looks))))).toEqual(looks);
      }),
    );
    expect(decodeLooks(null)).toEqual([]);
    expect(decodeLooks(undefined)).toEqual([]);
  });

  it('stops at a stored proof that is none', () => {
    expect(() => decodeLooks('dead')).toThrow('stored value at deathProof: expected an object');
    const row = JSON.parse(JSON.stringify(encodeLooks([lookAt('a', 1, NOW)]))) as { looks: object[] };
    for (const key of Object.keys(row.looks[0] ?? {})) {
      expect(() => decodeLooks({ looks: [{ ...row.looks[0], [key]: [] }] }), key).toThrow(
        `deathProof.looks[0].${key}`,
      );
    }
  });
});
