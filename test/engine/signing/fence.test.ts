import { describe, expect, it } from 'vitest';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import {
  type ChainWord,
  FENCE_RULES,
  type FenceRules,
  heldBy,
  judgeBooks,
  judgeOrphan,
  judgeOther,
  ORPHAN_AFTER_MS,
} from '../../../src/engine/signing/rules/fence.ts';
import type { WritableEntry } from '../../../src/engine/signing/rules/line.ts';

/**
 * A signer with its journal, a worker, a chain and a database that may go back in time by up to three commits, in random order. A
 * need is what a person or an order wants once: where the database knows no open intent of it, it gets another one. What the table
 * of the journal forbids is one thing: a need that is served twice.
 */
type Intent = { readonly id: string; readonly need: number; readonly at: number; readonly lapsed: boolean };
type Rows = { readonly intents: readonly Intent[]; readonly attempts: readonly string[] };
type Bytes = { readonly intent: Intent; readonly at: number; landedAt: number | null; sent: boolean };
type Options = {
  readonly rules: FenceRules;
  /** Lines of the last two seconds are lost with a failover, as without a flush before the signature leaves. */
  readonly flushesLate?: boolean;
  readonly rollbacks?: boolean;
};

const LIFE_MS = 60_000;
const FINAL_MS = 13_000;
const WANTED_MS = 20_000;
const NEEDS = 3;

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function createModel(seed: number, { rules, flushesLate = false, rollbacks = true }: Options) {
  const random = mulberry32(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const chain = new Map<string, Bytes>();
  let lines: { readonly at: number; readonly entry: WritableEntry }[] = [];
  let book = createJournalBook();
  let history: Rows[] = [{ intents: [], attempts: [] }];
  let inHand: string[] = [];
  let [now, beatAt, count, rolledBack] = [1_000_000, 0, 0, false];
  const database = (): Rows => history.at(-1) ?? { intents: [], attempts: [] };
  const write = (entry: WritableEntry): void => {
    lines.push({ at: now, entry });
    book.apply({ seq: 0, at: now, entry });
  };
  const wordOf = (signature: string): ChainWord => {
    const bytes = chain.get(signature);
    if (bytes === undefined) return 'dead';
    if (bytes.landedAt !== null) return now - bytes.landedAt >= FINAL_MS ? 'landed' : 'undecided';
    return now - bytes.at > LIFE_MS ? 'dead' : 'undecided';
  };
  const fence = (): void => write({ kind: 'fence', fenceId: 'f', reason: 'r', dataAsOf: now });
  const end = (signature: string): void => write({ kind: 'ended', signature, how: 'dead', looks: [] });
  const compare = (): readonly string[] => {
    if (book.fence() !== null) return [];
    const { intents, attempts } = database();
    const rows = { intents: new Set(intents.map(({ id }) => id)), signatures: new Set(attempts) };
    const verdict = judgeBooks({ open: book.open(), newestStored: book.newestStored() }, rows, now, rules);
    if (verdict.kind === 'fence') {
      fence();
      return [];
    }
    if (verdict.stored.length > 0) write({ kind: 'stored', signatures: verdict.stored });
    return verdict.orphans;
  };
  /** True when nothing of the intent can land beside a new transaction. */
  const isAlone = ({ id }: Intent): boolean => {
    for (const { signature, end: ended } of rules.otherMessage ? book.of(id) : []) {
      if (ended === 'dead') continue;
      const verdict = judgeOther(wordOf(signature), database().attempts.includes(signature));
      if (verdict === 'fence') fence();
      if (verdict !== 'sign') return false;
      end(signature);
    }
    return true;
  };
  const steps = {
    ask: () => {
      const { intents, attempts } = database();
      const need = below(NEEDS);
      const isServed = intents.some(
        (intent) =>
          intent.need === need &&
          (!intent.lapsed || attempts.some((one) => chain.get(one)?.intent.id === intent.id)),
      );
      if (isServed) return;
      count += 1;
      const intent = { id: `i${count}`, need, at: now, lapsed: false };
      history.push({ intents: [...intents, intent], attempts });
    },
    lapse: () => {
      const { intents, attempts } = database();
      const old = intents.find(
        (intent) =>
          !intent.lapsed &&
          now - intent.at > WANTED_MS &&
          !attempts.some((one) => chain.get(one)?.intent.id === intent.id),
      );
      if (old === undefined) return;
      const others = intents.map((intent) => (intent === old ? { ...old, lapsed: true } : intent));
      history.push({ intents: others, attempts });
    },
    sign: () => {
      const { intents, attempts } = database();
      const open = intents.filter(({ lapsed, at }) => !lapsed && now - at <= WANTED_MS);
      const intent = open[below(open.length)];
      // A live attempt in the database is watched, not built again.
      if (intent === undefined || attempts.some((one) => chain.get(one)?.intent.id === intent.id)) return;
      compare();
      if (book.fence() !== null || !isAlone(intent) || book.fence() !== null) return;
      const asked = { intentId: intent.id, walletId: `w${intent.need}` };
      if (rules.sameWallet && heldBy(book.open(), asked, now) !== null) return;
      count += 1;
      const signature = `s${count}`;
      chain.set(signature, { intent, at: now, landedAt: null, sent: false });
      const names = {
        intentId: intent.id,
        intentKind: 'payout',
        walletId: `w${intent.need}`,
        messageHash: signature,
      };
      write({ kind: 'signed', ...names, signature, diesAfter: 1n, signedSlot: 1n });
      inHand.push(signature);
    },
    /** The worker stores what it was given, or throws it away; a committed attempt is sent. */
    store: () => {
      const signature = inHand.shift();
      const bytes = signature === undefined ? undefined : chain.get(signature);
      const { intents, attempts } = database();
      const isOpen = intents.some(({ id, lapsed }) => id === bytes?.intent.id && !lapsed);
      const isFirst = !attempts.some((one) => chain.get(one)?.intent.id === bytes?.intent.id);
      if (signature === undefined || bytes === undefined || !isOpen || !isFirst || below(4) === 0) return;
      history.push({ intents, attempts: [...attempts, signature] });
      bytes.sent = true;
    },
    land: () => {
      const alive = [...chain.values()].filter(
        ({ sent, landedAt, at }) => sent && landedAt === null && now - at <= LIFE_MS,
      );
      const bytes = alive[below(alive.length)];
      if (bytes !== undefined) bytes.landedAt = now;
    },
    rollback: () => {
      if (!rollbacks || below(6) > 0 || history.length < 2) return;
      history = history.slice(0, Math.max(1, history.length - 1 - below(3)));
      rolledBack = true;
      // Workers die with it, and the signer with the lines that are not flushed.
      inHand = [];
      if (!flushesLate) return;
      lines = lines.filter(({ at }) => now - at > 2_000);
      book = createJournalBook();
      for (const line of lines) book.apply({ seq: 0, ...line });
    },
  };
  const beat = (): void => {
    const isBusy = book.open().length > 0;
    if (now - beatAt < (isBusy ? 1_000 : 5_000)) return;
    beatAt = now;
    for (const signature of compare()) {
      const verdict = judgeOrphan(wordOf(signature));
      if (verdict === 'fence') fence();
      if (verdict === 'ended') end(signature);
    }
  };
  const kinds = Object.values(steps);
  return () => {
    for (let step = 0; step < 80; step += 1) {
      now += below(1_500);
      beat();
      kinds[below(kinds.length)]?.();
    }
    const served = new Map<number, number>();
    for (const { landedAt, intent } of chain.values())
      if (landedAt !== null) served.set(intent.need, (served.get(intent.need) ?? 0) + 1);
    return {
      doubles: [...served.values()].filter((times) => times > 1).length,
      served: served.size,
      fenced: book.fence() !== null,
      rolledBack,
    };
  };
}

const RUNS = 20_000;
function sum(options: Options, runs = RUNS) {
  const total = { doubles: 0, falseFences: 0, fences: 0, served: 0 };
  for (let seed = 1; seed <= runs; seed += 1) {
    const run = createModel(seed, options)();
    total.doubles += run.doubles;
    total.served += run.served;
    if (run.fenced) total.fences += 1;
    if (run.fenced && !run.rolledBack) total.falseFences += 1;
  }
  return total;
}

describe('the rule of the journal', () => {
  it('serves nothing twice over a database that goes back in time, and fences only then', () => {
    const { doubles, falseFences, fences, served } = sum({ rules: FENCE_RULES });
    expect(doubles).toBe(0);
    expect(falseFences).toBe(0);
    // The schedules reach what they are for.
    expect(fences).toBeGreaterThan(RUNS / 100);
    expect(served).toBeGreaterThan(RUNS / 2);
  });

  it('never fences where the database keeps what it has confirmed', () => {
    expect(sum({ rules: FENCE_RULES, rollbacks: false })).toMatchObject({ doubles: 0, fences: 0 });
  });

  it.each(['newestStored', 'otherMessage', 'sameWallet'] as const)(
    'serves something twice where its row %s is left out',
    (row) => {
      expect(sum({ rules: { ...FENCE_RULES, [row]: false } }).doubles).toBeGreaterThan(0);
    },
    120_000,
  );

  it('serves more twice where a row is left out and what is asked anew comes from another wallet', () => {
    const rules = { ...FENCE_RULES, sameWallet: false };
    const { doubles } = sum({ rules });
    for (const row of ['unknownIntent', 'orphans'] as const)
      expect(sum({ rules: { ...rules, [row]: false } }).doubles, row).toBeGreaterThan(3 * doubles);
  }, 900_000);

  it('serves something twice where lines are flushed after the signature has left', () => {
    expect(sum({ rules: FENCE_RULES, flushesLate: true }).doubles).toBeGreaterThan(0);
  });

  const note = (signature: string, intentId: string, at = 0) => ({ signature, intentId, at });
  const rows = (intents: string[], signatures: string[]) => ({
    intents: new Set(intents),
    signatures: new Set(signatures),
  });

  it('fences when any of the newest stored attempts is gone', () => {
    const newestStored = [note('a', 'i'), note('b', 'j')];
    expect(judgeBooks({ open: [], newestStored }, rows(['i', 'j'], ['a']), 0)).toMatchObject({
      kind: 'fence',
      signature: 'b',
    });
    expect(judgeBooks({ open: [], newestStored }, rows(['i', 'j'], ['a', 'b']), 0).kind).toBe('sound');
  });

  it('fences when an intent that was signed for is unknown, however young the record is', () => {
    expect(judgeBooks({ open: [note('a', 'i', 5)], newestStored: [] }, rows([], []), 5)).toMatchObject({
      kind: 'fence',
      signature: 'a',
    });
  });

  it('looks for a missing attempt after five seconds, and at once when the clock was set back', () => {
    const open = [note('a', 'i', 1_000)];
    const at = (now: number) => judgeBooks({ open, newestStored: [] }, rows(['i'], []), now);
    expect(at(1_000 + ORPHAN_AFTER_MS - 1)).toEqual({ kind: 'sound', stored: [], orphans: [] });
    expect(at(1_000 + ORPHAN_AFTER_MS)).toEqual({ kind: 'sound', stored: [], orphans: ['a'] });
    expect(at(999)).toEqual({ kind: 'sound', stored: [], orphans: ['a'] });
  });

  it('notes what is stored', () => {
    const open = [note('a', 'i'), note('b', 'i')];
    expect(judgeBooks({ open, newestStored: [] }, rows(['i'], ['b']), 0)).toEqual({
      kind: 'sound',
      stored: ['b'],
      orphans: [],
    });
  });

  it('says of an orphan and of another message what the table says', () => {
    expect((['dead', 'failed', 'landed', 'undecided'] as const).map(judgeOrphan)).toEqual([
      'ended',
      'fence',
      'fence',
      'wait',
    ]);
    const other = (isKnown: boolean) =>
      (['dead', 'failed', 'landed', 'undecided'] as const).map((word) => judgeOther(word, isKnown));
    expect(other(true)).toEqual(['sign', 'sign', 'refuse', 'wait']);
    expect(other(false)).toEqual(['sign', 'sign', 'fence', 'wait']);
  });
});
