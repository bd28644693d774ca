import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors/codes.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { AttemptStatus } from '../../../src/engine/intents/rules/intent.ts';
import {
  isPassing,
  isPriceFailure,
  isWanted,
  isWorthAnother,
  mayRebuildAfterDeath,
  mayRebuildAfterError,
} from '../../../src/engine/intents/rules/retry.ts';
import { buildAttempt, NOW, PARAMS } from './build.ts';

const MINUTE = 60_000;
const request = (kind: IntentParams['kind'], notBefore: number | null = null) => ({
  kind,
  createdAt: NOW,
  notBefore,
});
const attempts = (...statuses: readonly AttemptStatus[]) =>
  statuses.map((status, index) => buildAttempt({ n: index + 1, status }));

describe('a request', () => {
  it.each([
    ['buy', 3],
    ['sell', 3],
    ['withdraw-sol', 30],
    ['withdraw-token', 30],
    ['payout', 30],
    ['prepare-token', 10],
    ['create-token', 10],
    ['launch', 10],
    ['revoke-authority', 30],
    ['close-accounts', 30],
  ] as const)('%s stands for %i minutes, to the millisecond', (kind, minutes) => {
    expect(isWanted(request(kind), NOW + minutes * MINUTE)).toBe(true);
    expect(isWanted(request(kind), NOW + minutes * MINUTE + 1)).toBe(false);
  });

  it('stands from when it became due, never from before it was made', () => {
    expect(isWanted(request('buy', NOW + MINUTE), NOW + 4 * MINUTE)).toBe(true);
    expect(isWanted(request('buy', NOW + MINUTE), NOW + 4 * MINUTE + 1)).toBe(false);
    expect(isWanted(request('buy', NOW - MINUTE), NOW + 3 * MINUTE)).toBe(true);
  });

  it.each([
    ['buy', 3],
    ['sell', 3],
    ['withdraw-sol', 5],
    ['withdraw-token', 5],
    ['payout', 5],
    ['prepare-token', 3],
    ['create-token', 3],
    ['launch', 3],
    ['revoke-authority', 5],
    ['close-accounts', 5],
  ] as const)('%s is signed anew after a death up to %i times in all, while it is wanted', (kind, most) => {
    const dead = (count: number) => attempts(...Array.from({ length: count }, () => 'DEAD' as const));
    expect(mayRebuildAfterDeath(request(kind), dead(most - 1), NOW)).toBe(true);
    expect(mayRebuildAfterDeath(request(kind), dead(most), NOW)).toBe(false);
    expect(mayRebuildAfterDeath(request(kind), dead(1), NOW + 31 * MINUTE)).toBe(false);
  });

  it.each(['buy', 'sell'] as const)('%s is tried once more after a moved price, and only then', (kind) => {
    const may = (statuses: readonly AttemptStatus[], priceMoved = true, now = NOW) =>
      mayRebuildAfterError(request(kind), attempts(...statuses), priceMoved, now);
    expect(may(['LANDED_ERR'])).toBe(true);
    expect(may(['LANDED_ERR'], false)).toBe(false);
    expect(may(['DEAD', 'LANDED_ERR'])).toBe(true);
    expect(may(['LANDED_ERR', 'LANDED_ERR'])).toBe(false);
    expect(may(['DEAD', 'DEAD', 'LANDED_ERR'])).toBe(false);
    expect(may(['LANDED_ERR'], true, NOW + 3 * MINUTE + 1)).toBe(false);
  });

  it.each([
    'withdraw-sol',
    'withdraw-token',
    'payout',
    'create-token',
    'launch',
    'revoke-authority',
  ] as const)('%s is never tried again after it landed', (kind) => {
    expect(mayRebuildAfterError(request(kind), attempts('LANDED_ERR'), true, NOW)).toBe(false);
  });
});

describe('a failure', () => {
  it('is of the price when one line of the log says so', () => {
    expect(isPriceFailure(['Program log: start', 'Program log: SLIPPAGE tolerance exceeded'])).toBe(true);
    expect(isPriceFailure([])).toBe(false);
  });

  it('passes when something is out of reach or paused, and not otherwise', () => {
    const passing: readonly ErrorCode[] = [
      'CHAIN_UNREACHABLE',
      'DATABASE_UNREACHABLE',
      'DATABASE_FULL',
      'DATABASE_BUSY',
      'DATABASE_READ_ONLY',
      'CLOCK_OFF',
      'QUEUE_UNREACHABLE',
      'KEK_UNAVAILABLE',
      'SIGNING_PAUSED',
    ];
    expect(passing.filter(isPassing)).toEqual(passing);
    expect((['POLICY_DENIED', 'SECRET_UNREADABLE'] as const).filter(isPassing)).toEqual([]);
  });
});

describe('a landed failure that is worth another try', () => {
  const notEmpty = { err: '{"InstructionError":[9,{"Custom":11}]}', logs: [] };
  const sale = { params: PARAMS.sell };

  it('is one of a price, whatever was wanted', () => {
    const slipped = {
      err: '{"InstructionError":[3,{"Custom":6001}]}',
      logs: ['slippage tolerance exceeded'],
    };
    expect(isWorthAnother({ params: PARAMS.buy }, { n: 2 }, slipped)).toBe(true);
  });

  it('is one of the first attempt of a sale whose account was not empty any more', () => {
    expect(isWorthAnother(sale, { n: 1 }, notEmpty)).toBe(true);
    // The second closes nothing.
    expect(isWorthAnother(sale, { n: 2 }, notEmpty)).toBe(false);
    expect(isWorthAnother({ params: PARAMS.buy }, { n: 1 }, notEmpty)).toBe(false);
    expect(
      isWorthAnother(sale, { n: 1 }, { ...notEmpty, err: '{"InstructionError":[9,{"Custom":110}]}' }),
    ).toBe(false);
    expect(isWorthAnother(sale, { n: 1 }, { err: null, logs: [] })).toBe(false);
  });
});
