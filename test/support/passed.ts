import type { Passed } from '../../src/modules/guard/rules/passed.ts';

/** For rows that a test writes by itself: the gate is not asked. It opens every store. */
export const PASSED = { act: 'operator', userId: null } as unknown as Passed<never>;
