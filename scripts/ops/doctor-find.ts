import { isAppError } from '../../src/core/errors/app-error.ts';
import type { Finding } from '../../src/modules/operations/rules/check-up.ts';
import type { Io } from './command.ts';

const MARK: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', warn: 'WARN', bad: 'BAD ' };

/** The thing under check, and its mend where the check fails. */
export type Look = Pick<Finding, 'part' | 'why' | 'mend'>;

/** The finding of one look. A look that fails is a broken part with the reason: the others are still looked at. */
export async function find(
  { part, why, mend }: Look,
  judge: () => Promise<Pick<Finding, 'state' | 'fact' | 'mend'>>,
): Promise<Finding> {
  try {
    return { part, why, ...(await judge()) };
  } catch (error) {
    return { part, why, state: 'bad', fact: reasonOf(error), mend };
  }
}

/** One line; `fetch failed` alone says nothing, so its cause is given. */
export function reasonOf(error: unknown): string {
  if (isAppError(error)) {
    const { details } = error;
    return 'cause' in details ? String(details.cause) : error.code;
  }
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const more = cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : '') : '';
  return (more === '' ? error.message : more).replace(/\s+/g, ' ').slice(0, 300);
}

/** A line; two more with reason and mend where it is not ok. */
export function printFinding(io: Io, { state, part, fact, why, mend }: Finding): void {
  io.print(`${MARK[state]}  ${part}: ${fact}`);
  if (state === 'ok') return;
  io.print(`        why   ${why}`);
  io.print(`        mend  ${mend}`);
}
