import { describe, expect, it } from 'vitest';
import { feesUpTo } from '../../../src/engine/intents/kinds/rules.ts';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES as RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { countedFees } from '../../../src/modules/guard/rules/withdrawal-fees.ts';
import { spentNow } from '../../../src/modules/guard/use/guard-spending.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { edgeRig } from '../../trust/edges-rig.ts';

const NOW = 10 * 86_400_000;
const NONE = { s: 0n, k: 0n, d: 0n, floor: 0n, sinceRight: 0n };
const RIPE: Guard = { ...emptyGuard('u'), pinHash: 'hash', pinSetAt: 0 };
const YOUNG: Guard = { ...RIPE, pinSetAt: NOW, unlocksFrom: NOW + 1 };
const { allSpendingLamports: K, spendCapLamports: S, floorFeesLamports: FLOOR } = RULES;

const count = (guard: Guard, spent: Partial<typeof NONE>, fees = 10n) =>
  countedFees(fees, { guard, spent: { ...NONE, ...spent }, rules: RULES, now: NOW });

describe('the network fees of a withdrawal', () => {
  it('count as spending with the PIN where that is ripe, to the lamport', () => {
    expect(count(RIPE, {})).toEqual({ s: 0n, k: 10n, d: 0n, floor: 0n });
    expect(count(RIPE, { k: K - 10n, s: S, sinceRight: 2n * S })).toMatchObject({ k: 10n });
    expect(count(RIPE, { k: K - 9n })).toEqual({ s: 0n, k: 0n, d: 0n, floor: 10n });
  });

  it('count as spending without one while the PIN is young: a thief may have set it', () => {
    expect(count(YOUNG, {})).toEqual({ s: 10n, k: 10n, d: 0n, floor: 0n });
    expect(count(YOUNG, { s: S - 10n })).toMatchObject({ s: 10n });
    expect(count(YOUNG, { s: S - 9n })).toEqual({ s: 0n, k: 0n, d: 0n, floor: 10n });
  });

  it('are refused where neither has room, with what is left', () => {
    expect(count(RIPE, { k: K, floor: FLOOR - 10n })).toMatchObject({ floor: 10n });
    expect(() => count(RIPE, { k: K - 1n, floor: FLOOR - 9n })).toThrow(
      expect.objectContaining({
        code: 'SPENDING_LIMIT',
        details: { needed: 10n, available: 1n, cap: K, of: 'all' },
      }),
    );
    expect(() => count(YOUNG, { s: S, floor: FLOOR })).toThrow(
      expect.objectContaining({ code: 'SPENDING_LIMIT' }),
    );
  });

  it('are in the sums of the day once a withdrawal is confirmed', async () => {
    const rig = await edgeRig(fakeDatabase());
    await rig.withdraw(1n, addressOf(9));
    const fees = feesUpTo({
      kind: 'withdraw-sol',
      destination: addressOf(9),
      lamports: 1n,
      everything: false,
      tier: 'normal',
    });
    expect(fees).toBeGreaterThan(0n);
    expect(await spentNow(rig.db, rig.userId, rig.clock.now())).toEqual({ ...NONE, k: fees });
  });
});
