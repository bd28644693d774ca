import { leftAt } from '../../../core/time/age.ts';
import type { Pause } from '../../../engine/switches/rules.ts';
import { ApiError } from './api-error.ts';

/** Seconds to wait for a pause without an end, and the most that is ever said. */
const OPEN_END_SECONDS = 60;
const MOST_SECONDS = 3_600;

/** 503 with the operator's reason and the end, where there is one. */
export function pausedError({ reason, until }: Pause, now: number): ApiError {
  const seconds = until === null ? OPEN_END_SECONDS : Math.ceil(leftAt(until, now) / 1_000);
  const end = until === null ? 'until it is resumed' : `until ${new Date(until).toISOString()}`;
  return new ApiError({
    status: 503,
    code: 'PAUSED',
    message: `the operator has paused this API ${end}: ${reason}`,
    details: [
      { field: '', code: 'REASON', message: reason },
      ...(until === null ? [] : [{ field: '', code: 'UNTIL', message: new Date(until).toISOString() }]),
    ],
    retryable: true,
    headers: { 'retry-after': String(Math.min(Math.max(seconds, 1), MOST_SECONDS)) },
  });
}
