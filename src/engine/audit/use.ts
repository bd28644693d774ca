import type { ActLink, AuditLog } from './store/audit-log-port.ts';

const PAGE = 1_000;
const START = '0'.repeat(64);

export type ChainCheck = {
  readonly acts: number;
  /** Hash of the last act: whoever notes it down can tell later whether acts before it were taken away. */
  readonly head: string;
  readonly mismatches: readonly {
    readonly rule: 'audit-log';
    readonly subject: string;
    readonly detail: string;
  }[];
};

/**
 * Recomputes the chain of the audit log from its first act. A changed act, a missing one and one that was slipped in each break
 * it, unless all later ones were made anew: then the head differs from the one that was noted.
 */
export async function checkChain(
  log: Pick<AuditLog, 'links'>,
  sha256: (text: string) => string,
): Promise<ChainCheck> {
  const mismatches: ChainCheck['mismatches'][number][] = [];
  let former: Pick<ActLink, 'id' | 'hash'> = { id: 0n, hash: START };
  let acts = 0;
  for (;;) {
    const page: readonly ActLink[] = await log.links(former.id, PAGE);
    for (const link of page) {
      const add = (detail: string): void =>
        void mismatches.push({ rule: 'audit-log', subject: `act ${link.id}`, detail });
      if (link.id !== former.id + 1n) add(`follows act ${former.id}: what stood between is gone`);
      if (link.prev !== former.hash)
        add('does not continue the chain: the act before it is not the one it was written behind');
      if (link.hash !== sha256(link.text)) add('is not what was written: its hash differs');
      former = link;
      acts += 1;
    }
    if (page.length < PAGE) return { acts, head: former.hash, mismatches };
  }
}
