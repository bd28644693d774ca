import { userInfo } from 'node:os';
import type { Act, ActDetails, ActEntry, Actor, Outcome } from '../../src/engine/audit/rules.ts';
import type { AuditLog } from '../../src/engine/audit/store/audit-log-port.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';

/** The person who types the command: their login, behind sudo the one they had before. In a container without names, the number. */
export function operator(): Actor {
  return `operator:${(process.env['SUDO_USER'] ?? loginName()).slice(0, 64)}`;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Writes a command's act into the trail. `subject` is the person whom it is about. */
export async function recordAct<A extends Act>(
  db: { readonly auditLog: Pick<AuditLog, 'record'> },
  act: A,
  details: ActDetails[A],
  { outcome = 'done', subject = null }: { readonly outcome?: Outcome; readonly subject?: string | null } = {},
): Promise<void> {
  const entry = { at: systemClock().now(), actor: operator(), act, subject, outcome, details };
  await db.auditLog.record(entry as ActEntry);
}
