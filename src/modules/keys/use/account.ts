import { isStill } from '../../../core/time/due.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import type { ApiKey } from '../store/api-key-store-port.ts';
import type { ApiUsage } from '../store/api-usage-store-port.ts';

export type AccountDeps = {
  readonly db: Pick<Database, 'transact' | 'links' | 'apiKeys'>;
  readonly tokens: LinkTokens;
  readonly usage: { readonly list: (account: string) => Promise<readonly ApiUsage[]> };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: () => void;
};

const HOUR_MS = 3_600_000;
const SESSION_MS = HOUR_MS;
const MAILS_PER_HOUR = 3;

/** Mails a way in to an address that has a key; nothing to any other. The asker sees no difference. */
export async function requestLogin(deps: AccountDeps, email: string): Promise<void> {
  const keys = await deps.db.apiKeys.listByEmail(email);
  if (keys.length === 0) return;
  const isQueued = await deps.db.transact(async (stores) => {
    const sent = await stores.mails.countSince(email, 'login', deps.clock.now() - HOUR_MS);
    if (sent >= MAILS_PER_HOUR) return false;
    await queueMail(deps, stores, { to: email, template: 'login', subject: email });
    return true;
  });
  if (isQueued) deps.nudge();
}

/** Turns a mailed link into a session of one hour, once; its token for the cookie, or null for a link that is used up. */
export async function login(deps: AccountDeps, linkToken: string): Promise<string | null> {
  const { tokens, clock } = deps;
  const hash = tokens.hash(linkToken);
  const link = await deps.db.links.find(hash);
  if (link?.purpose !== 'login') return null;
  const session = tokens.make();
  const isIn = await deps.db.transact(async (stores) => {
    const now = clock.now();
    if (!(await stores.links.use(hash, now))) return false;
    await stores.links.insert({
      hash: tokens.hash(session),
      purpose: 'session',
      subject: link.subject,
      expiresAt: now + SESSION_MS,
      usedAt: null,
    });
    return true;
  });
  return isIn ? session : null;
}

/** The address that a session belongs to; null when it is over. */
export async function sessionEmail(deps: AccountDeps, session: string): Promise<string | null> {
  const link = await deps.db.links.find(deps.tokens.hash(session));
  const isLive = link?.purpose === 'session' && link.usedAt === null && isStill(link.expiresAt, deps.clock);
  return isLive ? link.subject : null;
}

export async function logout(deps: AccountDeps, session: string): Promise<void> {
  await deps.db.links.use(deps.tokens.hash(session), deps.clock.now());
}

export type AccountOverview = {
  readonly email: string;
  readonly keys: readonly ApiKey[];
  /** The last 30 days of all accounts that the keys belong to. */
  readonly usage: readonly ApiUsage[];
};

export async function accountOverview(deps: AccountDeps, email: string): Promise<AccountOverview> {
  const keys = await deps.db.apiKeys.listByEmail(email);
  const accounts = [...new Set(keys.map(({ account }) => account))];
  const usage = await Promise.all(accounts.map((account) => deps.usage.list(account)));
  return { email, keys, usage: usage.flat() };
}

/** A key of this address, or null: ids are no secrets, and a form can be written by anybody. */
export async function ownKey(deps: AccountDeps, email: string, id: string): Promise<ApiKey | null> {
  const key = await deps.db.apiKeys.find(id);
  return key?.email === email ? key : null;
}
