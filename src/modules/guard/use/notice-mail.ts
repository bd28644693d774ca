import { AppError } from '../../../core/errors/app-error.ts';
import { shortEmail } from '../../../core/text/email-address.ts';
import { windowStart } from '../../../core/time/age.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { Guard } from '../rules/guard.ts';
import { assertWithinRate } from '../rules/judge-act.ts';
import {
  CODES_PER_ADDRESS,
  codeText,
  newNoticeMail,
  nextMail,
  noticeMailNow,
  withNextMail,
} from '../rules/notice-mail.ts';
import type { Passed } from '../rules/passed.ts';
import type { GuardDeps } from './deps.ts';
import { assertMayAct, passGate, passSecondStep, tellGuard } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

export type NoticeMailDeps = Pick<GuardDeps, 'db' | 'vault' | 'clock' | 'ids' | 'guardRules' | 'relay'> & {
  readonly tokens: Pick<LinkTokens, 'hash'>;
  /** Whether a mail server and the address of the pages are set. */
  readonly hasMail: () => boolean;
};

const HOUR_MS = 3_600_000;

/**
 * Sends a code to an address that a person wants notices at, after their PIN was right. Nothing else changes: the code, typed within 30
 * minutes, does it (`confirmNoticeMail`). A code of before ends. Returns the address as it is kept. Throws NOTICE_MAIL_REFUSED, the errors of `verifyPin` and
 * of the gate; ACT_LIMIT also where the address was sent three codes within the hour, by any person.
 */
export async function askNoticeMail(
  deps: NoticeMailDeps,
  input: { readonly userId: string; readonly pin: string; readonly address: string },
): Promise<{ readonly address: string }> {
  const { db, clock } = deps;
  const { userId, pin } = input;
  if (!deps.hasMail()) throw new AppError('NOTICE_MAIL_REFUSED', { reason: 'no-server' });
  const act = 'notice-mail-ask';
  await assertMayAct(db, deps, { act, userId });
  newNoticeMail(input.address, await db.guards.find(userId), clock);
  const proof = await verifyPin(deps, { userId, pin });
  const address = await db.transact(async (stores) => {
    const to = newNoticeMail(input.address, await stores.guards.lock(userId), clock);
    await passGate(stores, deps, { act, userId, proof });
    const now = clock.now();
    await stores.guards.lockAccount(to);
    if ((await stores.mails.countSince(to, 'notice-code', now - HOUR_MS)) >= CODES_PER_ADDRESS) {
      const limit = { max: CODES_PER_ADDRESS, spanMs: HOUR_MS, until: now + HOUR_MS };
      throw new AppError('ACT_LIMIT', { rate: 'notice-mail', ...limit });
    }
    await stores.links.end('notice-code', userId, now);
    await queueMail(deps, stores, { to, template: 'notice-code', subject: userId });
    return to;
  });
  deps.relay.nudge();
  return { address };
}

/**
 * Makes an address the person's notice mail with the code that was sent there: from `at` on, after the long wait. Until then the present
 * one stays, it and the chat have a notice, and Stop, a freeze and a new PIN take the change back. `wrong`: another code, one of another
 * address or person, or one that is over; `left` more may be typed. Throws ACT_LIMIT after five wrong ones within an hour, and the errors of the gate.
 */
export async function confirmNoticeMail(
  deps: NoticeMailDeps,
  input: { readonly userId: string; readonly address: string; readonly code: string },
): Promise<
  { readonly kind: 'set'; readonly at: number } | { readonly kind: 'wrong'; readonly left: number }
> {
  const { userId, code } = input;
  const done = await deps.db.transact(async (stores) => {
    const guard = await stores.guards.lock(userId);
    const passed = await passSecondStep(stores, deps, { act: 'notice-mail', userId });
    const address = newNoticeMail(input.address, guard, deps.clock);
    const now = deps.clock.now();
    const by = { userId };
    const rule = deps.guardRules.rates['mail-code'];
    const wrong = await stores.guards.actsSince(by, 'mail-code', windowStart(rule.spanMs, deps.clock) + 1);
    assertWithinRate('mail-code', rule, wrong);
    const link = await stores.links.find(deps.tokens.hash(codeText(userId, address, code)));
    const isRight = link?.purpose === 'notice-code' && link.subject === userId;
    if (!isRight || !(await stores.links.use(link.hash, now))) {
      await stores.guards.addAct({ id: deps.ids.ulid(), by, rate: 'mail-code', at: now });
      return { kind: 'wrong', left: rule.count - wrong.length - 1 } as const;
    }
    const at = await change(deps, stores, passed, guard, address);
    await tellGuard(stores, deps, { act: 'notice-mail', userId, until: at });
    return { kind: 'set', at } as const;
  });
  deps.relay.nudge();
  return done;
}

/**
 * Notices go to no mail from `at` on, after the long wait and with the same notice. Throws BUTTON_STALE where none is set and none waits,
 * the errors of `verifyPin` and of the gate.
 */
export async function removeNoticeMail(
  deps: NoticeMailDeps,
  input: { readonly userId: string; readonly pin: string },
): Promise<{ readonly at: number }> {
  const { userId, pin } = input;
  const act = 'notice-mail';
  await assertMayAct(deps.db, deps, { act, userId });
  const proof = await verifyPin(deps, { userId, pin });
  const at = await deps.db.transact(async (stores) => {
    const guard = await stores.guards.lock(userId);
    if (!isRemovable(guard, deps)) throw new AppError('BUTTON_STALE', {});
    const until = deps.clock.now() + deps.guardRules.longDelayMs;
    const passed = await passGate(stores, deps, { act, userId, proof, until });
    return change(deps, stores, passed, guard, null);
  });
  deps.relay.nudge();
  return { at };
}

/** Something is there to be taken away, and does not wait to be so already. */
function isRemovable(guard: Guard, { clock }: Pick<NoticeMailDeps, 'clock'>): boolean {
  const next = nextMail(guard, clock);
  return next === null ? noticeMailNow(guard, clock) !== null : next.address !== null;
}

async function change(
  { clock, guardRules }: NoticeMailDeps,
  { guards, auditLog }: Stores,
  passed: Passed<'notice-mail'>,
  guard: Guard,
  address: string | null,
): Promise<number> {
  const now = clock.now();
  const at = now + guardRules.longDelayMs;
  await guards.save(withNextMail(guard, address, now, guardRules), passed);
  const mail = address === null ? null : shortEmail(address);
  await auditLog.record(ownAct(guard.userId, now, 'notice-mail-changed', { mail, at }));
  return at;
}
