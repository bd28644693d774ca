import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from '../child.ts';

/** One process of the product. It comes back by itself when it dies, on the same ports. */
export type RoleOptions = {
  readonly name: string;
  /** The file and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the storm may kill it. */
  readonly mayDie: boolean;
};

type Member = RoleOptions & { child: Child; isReady: boolean; said: string };

/** Both are Postgres here. */
const IN_VAIN = /cannot start: the (database|queue)/;
const AGAIN_MS = 300;
const SAID_KEPT = 4_000;
/** A start on a busy machine, with Postgres away for a moment. */
const START_MS = 120_000;

/** The processes of the product, as a supervisor keeps them: each one that dies is started again. None of them outlives this process. */
export function createRoles(roles: readonly RoleOptions[]) {
  const members: Member[] = [];
  const counts = { kills: 0, starts: 0, ownDeaths: [] as string[], vainStarts: [] as string[] };
  let isClosing = false;

  function start(role: RoleOptions): Member {
    const child = startChild(role.command, role.env);
    counts.starts += 1;
    const member: Member = { ...role, child, isReady: false, said: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (/ready/i.test(text)) member.isReady = true;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      member.said = (member.said + text).slice(-SAID_KEPT);
    });
    child.once('exit', (code, signal) => {
      if (isClosing) return;
      // A start beside a Postgres that was killed ends with a sentence, and the supervisor tries again.
      const deaths = IN_VAIN.test(member.said) ? counts.vainStarts : counts.ownDeaths;
      if (signal !== 'SIGKILL') deaths.push(`${role.name} ended with ${code}: ${member.said}`);
      setTimeout(() => {
        if (!isClosing) members[members.indexOf(member)] = start(role);
      }, AGAIN_MS);
    });
    return member;
  }

  for (const role of roles) members.push(start(role));
  return {
    counts,
    /** Resolves once all of them are at work. Throws with the words of one that ends, or is not there after two minutes. */
    async ready(): Promise<void> {
      const startedAt = performance.now();
      while (!members.every(({ isReady }) => isReady)) {
        const late = members.find(({ isReady }) => !isReady);
        const deaths = [...counts.ownDeaths, ...counts.vainStarts];
        if (deaths.length > 0) throw new Error(deaths.join('\n'));
        if (performance.now() - startedAt > START_MS)
          throw new Error(`${late?.name} does not come up: ${late?.said}`);
        await pause(50);
      }
    },
    /** `kill -9` for one, by its own process id; false while another that died is not back at work yet. */
    kill(pick: (count: number) => number): boolean {
      if (!members.every(({ isReady }) => isReady)) return false;
      const working = members.filter(({ mayDie }) => mayDie);
      const victim = working[pick(working.length)];
      if (victim === undefined) return false;
      victim.isReady = false;
      victim.child.kill('SIGKILL');
      counts.kills += 1;
      return true;
    },
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all(members.map(({ child }) => ended(child)));
    },
  };
}

async function ended(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await end;
}

export type Roles = ReturnType<typeof createRoles>;
