import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Mail } from '../store-port.ts';

/**
 * A mail and the job that sends it, for the caller's transaction: a committed mail is sent, or its failure is reported. Nothing is queued
 * where a mail of the given `id` is there already.
 */
export async function queueMail(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  stores: Pick<Stores, 'mails' | 'outbox'>,
  mail: Pick<Mail, 'to' | 'template' | 'subject'> & { readonly args?: Mail['args']; readonly id?: string },
): Promise<void> {
  const now = clock.now();
  const id = mail.id ?? ids.ulid();
  const isNew = await stores.mails.insert({
    args: {},
    ...mail,
    id,
    status: 'waiting',
    attempts: 0,
    lastError: null,
    createdAt: now,
    dueAt: now,
  });
  if (!isNew) return;
  await stores.outbox.add([
    { id: ids.ulid(), job: 'mail.send', data: { mailId: id }, key: mailJobKey(id), notBefore: null },
  ]);
}

/** One waiting job per mail, for all callers. */
export function mailJobKey(mailId: string): string {
  return `mail-${mailId}`;
}
