import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { RATES } from '../../../src/modules/guard/rules/acts.ts';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import { guardRulesOf, LOCAL_RULES, PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { judgeAct } from '../../../src/modules/guard/rules/judge-act.ts';
import { ripensAt } from '../../../src/modules/guard/rules/ripe.ts';
import { assertMayUnlock } from '../../../src/modules/guard/rules/unlock.ts';

const rulesOf = (environment: Record<string, string>, isLocal = false) =>
  guardRulesOf(loadConfig(environment), isLocal);
const HOUR = 3_600_000;

function problemOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
    return 'none';
  } catch (error) {
    return isAppError(error) ? JSON.stringify(error.details) : String(error);
  }
}

describe('what an operator sets of the limits', () => {
  it('is as it always was where nothing is set', () => {
    expect(rulesOf({})).toEqual(PRODUCTION_RULES);
    expect(rulesOf({}, true)).toEqual(LOCAL_RULES);
  });

  it('is each sum of its own', () => {
    const set = {
      ALL_SPENDING_CAP_LAMPORTS: '40000000000',
      DOUBTED_CAP_LAMPORTS: '7000000000',
      SINCE_PIN_CAP_LAMPORTS: '12000000000',
    };
    expect(rulesOf(set)).toEqual({
      ...PRODUCTION_RULES,
      allSpendingLamports: 40_000_000_000n,
      doubtedLamports: 7_000_000_000n,
      sinceRightPinLamports: 12_000_000_000n,
    });
  });

  it('is each rate of its own; the others stay', () => {
    const { rates } = rulesOf({ ACT_RATES: 'order=40/1h, export=1/30d' });
    expect(rates).toEqual({
      ...PRODUCTION_RULES.rates,
      order: { count: 40, spanMs: HOUR },
      export: { count: 1, spanMs: 30 * 24 * HOUR },
    });
    for (const rate of RATES) expect(rulesOf({ ACT_RATES: `${rate}=9/5m` }).rates[rate].count).toBe(9);
  });

  it.each([
    ['ACT_RATES', 'orders=20/1h'],
    ['ACT_RATES', 'order=0/1h'],
    ['ACT_RATES', 'order=10001/1h'],
    ['ACT_RATES', 'order=1/0m'],
    ['ACT_RATES', 'order=1/31d'],
    ['ACT_RATES', 'order=1/1w'],
    ['ACT_RATES', 'order=20'],
    ['ACT_RATES', 'order=20/1h,order=30/1h'],
    ['ACT_RATES', 'order=20/1h,'],
    ['ALL_SPENDING_CAP_LAMPORTS', '-1'],
    ['DOUBTED_CAP_LAMPORTS', '1.5'],
    ['SINCE_PIN_CAP_LAMPORTS', '1000000000000001'],
  ])('is refused at the start where it means nothing: %s=%s', (name, value) => {
    expect(problemOf({ [name]: value })).toContain(`${name}: `);
  });
});

describe('a person without a PIN', () => {
  // A row that still has the moment of a PIN that is gone.
  const guard = { ...emptyGuard('u'), unlocksFrom: 10 * HOUR, pinSetAt: 9 * HOUR };
  const facts = { guard, pauses: [], done: [], now: 9 * HOUR, rules: PRODUCTION_RULES };

  it('hears that a PIN is missing, never that it is too young', () => {
    for (const act of ['unlock', 'export-ask', 'cap-raise', 'wallet-confirm', 'factor-add'] as const)
      expect(() => judgeAct({ ...facts, act }), act).toThrow(
        expect.objectContaining({ code: 'PIN_REQUIRED' }),
      );
    expect(() => assertMayUnlock(guard, 9 * HOUR)).toThrow(expect.objectContaining({ code: 'PIN_REQUIRED' }));
    expect(ripensAt(guard, 9 * HOUR, PRODUCTION_RULES)).toBeNull();
    expect(ripensAt(guard, 9 * HOUR, PRODUCTION_RULES, true)).toBeNull();
  });
});
