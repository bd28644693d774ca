import { ApiError } from './errors/api-error.ts';

/** Longer than any honest answer takes; a frozen database or node is reported as such, and not after minutes. */
const DEADLINE_MS = 10_000;

/** The result of `work`, or UPSTREAM_FAILED when that takes longer than the deadline; the work itself goes on unheard. */
export function withinDeadline<T>(work: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), deadlineMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function tooLate(): ApiError {
  return new ApiError({
    status: 500,
    code: 'UPSTREAM_FAILED',
    message: 'something that this service needs did not answer in time; ask again with the same input',
    retryable: true,
  });
}
