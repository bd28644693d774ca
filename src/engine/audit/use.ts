import type { ActLink, AuditLog } from './store/audit-log-port.ts';

const PAGE = 1_000;
/** The hash before the first act. */
export const CHAIN_START = '0'.repeat(64);
/** An act may be dated this much apart from the moment in which a witness saw it: its writer's clock is another one. */
const APART_MS = 3_600_000;

/** A link of the chain that was seen before, and where that is written. */
export type SeenLink = {
  readonly act: bigint;
  readonly hash: string;
  /** Epoch milliseconds of the sight; null = not known. */
  readonly at: number | null;
  /** As a person reads it: "the signer's journal". */
  readonly where: string;
};

export type ChainCheck = {
  readonly acts: number;
  /** Number and hash of the last act: a later check can be held against them. */
  readonly last: { readonly act: bigint; readonly hash: string };
  /** Links of witnesses that the log was compared with. */
  readonly compared: number;
  readonly mismatches: readonly {
    readonly rule: 'audit-log';
    readonly subject: string;
    readonly detail: string;
  }[];
};

/**
 * Recomputes the chain of the audit log behind `from`, and compares it with the links that others saw. Without them a log that was
 * cut at its end, or made anew from some act on, is a whole chain: a witness alone tells. Names each act that was changed, removed,
 * slipped in or swapped, a cut end, a chain that was made anew, and dates that a witness contradicts. `now`: epoch milliseconds.
 */
export async function checkChain(
  log: Pick<AuditLog, 'links'>,
  sha256: (text: string) => string,
  {
    from = { act: 0n, hash: CHAIN_START },
    seen = [],
    isOlder = false,
    now,
  }: {
    readonly from?: { readonly act: bigint; readonly hash: string };
    readonly seen?: readonly SeenLink[];
    /** The log of an older copy: links that were seen later may be missing. */
    readonly isOlder?: boolean;
    readonly now: number;
  },
): Promise<ChainCheck> {
  const mismatches: ChainCheck['mismatches'][number][] = [];
  const add = (act: bigint, detail: string): void =>
    void mismatches.push({ rule: 'audit-log', subject: `act ${act}`, detail });
  const sights = inOrder(seen);
  const dates = datesBy(sights);
  let former: Pick<ActLink, 'id' | 'hash'> = { id: from.act, hash: from.hash };
  let acts = 0;
  for (;;) {
    const page: readonly ActLink[] = await log.links(former.id, PAGE);
    for (const link of page) {
      for (const detail of problemsOf(former, link, sha256)) add(link.id, detail);
      for (const sight of sights.get(link.id) ?? [])
        if (sight.hash !== link.hash)
          add(link.id, `${sight.where} saw another one${when(sight)}: the chain was made anew`);
      const problem = dates(link, now);
      if (problem !== null) add(link.id, problem);
      former = link;
      acts += 1;
    }
    if (page.length < PAGE) break;
  }
  for (const sight of [...sights.values()].flat())
    if (sight.act > former.id && !isOlder)
      add(
        sight.act,
        `${sight.where} saw it${when(sight)}, and the log ends at act ${former.id}: its end was cut`,
      );
  const last = { act: former.id, hash: former.hash };
  return { acts, last, compared: seen.length, mismatches };
}

function problemsOf(
  former: Pick<ActLink, 'id' | 'hash'>,
  link: ActLink,
  sha256: (text: string) => string,
): readonly string[] {
  return [
    ...(link.id === former.id + 1n ? [] : [`follows act ${former.id}: the acts between are gone`]),
    ...(link.prev === former.hash
      ? []
      : ['does not continue the chain: it was written behind another act than the one before it']),
    ...(link.hash === sha256(link.text) ? [] : ['was changed: its hash differs']),
  ];
}

/** By act, ascending. */
function inOrder(seen: readonly SeenLink[]): ReadonlyMap<bigint, readonly SeenLink[]> {
  const byAct = new Map<bigint, SeenLink[]>();
  for (const sight of seen.toSorted((a, b) => (a.act < b.act ? -1 : a.act > b.act ? 1 : 0)))
    byAct.set(sight.act, [...(byAct.get(sight.act) ?? []), sight]);
  return byAct;
}

/** Judges the dates of acts, which come ascending: an act was written after each sight of one before it, and before its own. */
function datesBy(sights: ReadonlyMap<bigint, readonly SeenLink[]>) {
  const moments = [...sights.values()].flat().filter((sight) => sight.at !== null);
  let next = 0;
  let earliest = 0;
  return ({ id, at }: ActLink, now: number): string | null => {
    for (; (moments[next]?.act ?? id) < id; next += 1) earliest = Math.max(earliest, moments[next]?.at ?? 0);
    const latest = moments[next]?.at ?? now;
    if (at > latest + APART_MS) return `is dated ${iso(at)}, later than the moment in which it was seen`;
    if (at + APART_MS < earliest) return `is dated ${iso(at)}, before an act that was seen before it`;
    return null;
  };
}

const when = ({ at }: SeenLink): string => (at === null ? '' : ` at ${iso(at)}`);
const iso = (at: number): string => new Date(at).toISOString();
