import { isStill } from '../../../core/time/due.ts';
import type { LinkTokens } from '../../../platform/ports/link-tokens.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { OneTimeLink } from '../../keys/store/one-time-link-store-port.ts';
import type { User } from '../../settings/rules/user.ts';
import type { StopFacts, StopWay } from '../rules/stop-facts.ts';
import { type StopFactsDeps, stopFacts } from './stop-facts.ts';

export type StopByMailDeps = StopFactsDeps & {
  readonly db: StopFactsDeps['db'] & Pick<Database, 'links' | 'notices' | 'users'>;
  readonly tokens: Pick<LinkTokens, 'hash'>;
  /** The very use cases behind the Stop buttons of the chat; false where they came too late. */
  readonly acts: { readonly [W in StopWay]: (facts: StopFacts) => Promise<boolean> };
};

/**
 * The page behind the link of a mail. `gone`: no link of ours, or one that is forgotten. `used`: Stop was pressed. `over`: there is
 * nothing left to stop. `stopped`: it was pressed just now.
 */
export type StopPage =
  | { readonly kind: 'gone' }
  | { readonly kind: 'used' | 'over'; readonly person: User }
  | { readonly kind: 'open' | 'stopped'; readonly person: User; readonly facts: StopFacts };

export type StopDesk = {
  /** What the link can stop now. Changes nothing: mail scanners open links. */
  readonly look: (token: string) => Promise<StopPage>;
  /**
   * Does what the Stop button of that notice does in the chat, also while the person is frozen or an operator has paused the act. A
   * link works once, and with it end the other links of the same notice. It is used up after its effect: if something fails meanwhile, the
   * same link can be pressed again. Presses at once are taken one after another.
   */
  readonly stop: (token: string) => Promise<StopPage>;
};

/** What the pages behind the mails do, bound to one process's dependencies. */
export function createStopDesk(deps: StopByMailDeps): StopDesk {
  /** The last press of each notice. */
  const lastOf = new Map<string, Promise<unknown>>();

  async function press(token: string): Promise<StopPage> {
    const { page, link } = await found(deps, token);
    if (page.kind !== 'open' || link === null) return page;
    const { person, facts } = page;
    const isDone = await deps.acts[facts.way](facts);
    const now = deps.clock.now();
    await deps.db.links.use(link.hash, now);
    await deps.db.links.end('notice-stop', facts.noticeId, now);
    return isDone ? { kind: 'stopped', person, facts } : { kind: 'over', person };
  }

  return {
    look: async (token) => (await found(deps, token)).page,
    stop: async (token) => {
      const { link } = await found(deps, token);
      if (link === null) return { kind: 'gone' };
      const before = lastOf.get(link.subject) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(() => press(token));
      lastOf.set(link.subject, mine);
      try {
        return await mine;
      } finally {
        if (lastOf.get(link.subject) === mine) lastOf.delete(link.subject);
      }
    },
  };
}

async function found(
  deps: StopByMailDeps,
  token: string,
): Promise<{ readonly page: StopPage; readonly link: OneTimeLink | null }> {
  const { db, tokens, clock } = deps;
  const link = await db.links.find(tokens.hash(token));
  const notice = link?.purpose === 'notice-stop' ? await db.notices.find(link.subject) : null;
  const person = notice === null ? null : await db.users.find(notice.userId);
  if (link === null || notice === null || person === null) return { page: { kind: 'gone' }, link: null };
  if (link.usedAt !== null) return { page: { kind: 'used', person }, link };
  const facts = isStill(link.expiresAt, clock) ? await stopFacts(deps, notice) : null;
  return { page: facts === null ? { kind: 'over', person } : { kind: 'open', person, facts }, link };
}
