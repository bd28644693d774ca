import { describe, expect, it } from 'vitest';
import { assertBoundedRole, judgeRoles } from '../../../src/modules/operations/rules/database-role.ts';

const BOUND = { name: 'tp_bot', isSuperuser: false, ownsTables: false };
const OWNER = { name: 'desk', isSuperuser: false, ownsTables: true };
const BOSS = { name: 'postgres', isSuperuser: true, ownsTables: true };

describe('the role of a process on the database server', () => {
  const isRefused = (
    role: typeof BOUND,
    isMainnet: boolean,
    databaseRoles: Parameters<typeof assertBoundedRole>[2]['databaseRoles'],
  ): boolean => {
    try {
      assertBoundedRole(role, isMainnet, { databaseRoles });
      return false;
    } catch {
      return true;
    }
  };

  it('is bounded on mainnet, or where the operator says so, unless they say "one"', () => {
    const answers = [OWNER, BOSS].flatMap((role) =>
      [true, false].flatMap((isMainnet) =>
        ([null, 'own', 'one'] as const).map((wish) => [isMainnet, wish, isRefused(role, isMainnet, wish)]),
      ),
    );
    for (const [isMainnet, wish, refused] of answers)
      expect(refused).toBe(wish === 'own' || (wish === null && isMainnet === true));
    for (const wish of [null, 'own', 'one'] as const) expect(isRefused(BOUND, true, wish)).toBe(false);
  });

  it('is named with its power and both ways out', () => {
    const said = (role: typeof BOUND) => () => assertBoundedRole(role, true, { databaseRoles: null });
    const problem = (text: RegExp) => ({ details: { problems: [expect.stringMatching(text)] } });
    expect(said(BOSS)).toThrow(
      expect.objectContaining(
        problem(
          /^DATABASE_ROLES: this process is "postgres".*a superuser.*db roles --yes.*DATABASE_ROLES=one/,
        ),
      ),
    );
    expect(said(OWNER)).toThrow(expect.objectContaining(problem(/"desk".*the owner of the tables/)));
  });

  it('is told by the doctor, where it is not bounded', () => {
    const judge = (roles: readonly (typeof BOUND)[], databaseRoles: 'own' | 'one' | null = null) =>
      judgeRoles(roles, { databaseRoles });
    expect(judge([BOUND])).toEqual({ state: 'ok', fact: 'bounded by grants: "tp_bot"' });
    expect(judge([BOUND, OWNER])).toEqual({
      state: 'warn',
      fact: 'processes are "desk", who may change every row',
    });
    expect(judge([BOSS], 'one')).toMatchObject({
      state: 'ok',
      fact: expect.stringMatching(/DATABASE_ROLES=one/),
    });
    expect(judge([])).toMatchObject({ state: 'ok' });
  });
});
