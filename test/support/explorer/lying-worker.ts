import type { Address } from '@tradepost/solana';
import type { IntentStatus } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import { type ChainWord, judgeOther } from '../../../src/engine/signing/rules/fence.ts';
import { NO_PROGRESS, type Order, type OrderFire } from '../../../src/modules/orders/rules/order.ts';
import { judgeSealedFire, judgeSignedFires } from '../../../src/modules/orders/rules/sealed-fire.ts';

/** The subject of the exploration: the signer's own rules against a worker that lies, unless a fault is planted in them. */
export type LiedToSigner = {
  readonly judgeSealedFire: typeof judgeSealedFire;
  readonly judgeSignedFires: typeof judgeSignedFires;
  readonly judgeOther: typeof judgeOther;
  /** Whether the code of an intent is compared with the words of its row. */
  readonly comparesCode: boolean;
  /** Whether a message is read, and compared with the words of its row. */
  readonly readsMessage: boolean;
  /** Whether another message of an intent is looked for in the journal. */
  readonly otherMessage: boolean;
  /** Whether the signer's look at the chain may call bytes dead that may still land. */
  readonly guessesDeath: boolean;
};

export const LIED_TO_SIGNER: LiedToSigner = {
  judgeSealedFire,
  judgeSignedFires,
  judgeOther,
  comparesCode: true,
  readsMessage: true,
  otherMessage: true,
  guessesDeath: false,
};

/** `calls`: of the liar to the signer. `writes`: of the liar to rows of others. */
export type LiarBudget = {
  readonly calls: number;
  readonly writes: number;
  readonly forks: number;
  readonly deaths: number;
};

/** What a fire gives, and the least that it brings. */
type Words = { readonly n: number; readonly units: bigint; readonly minOut: bigint };

/** A row of an intent. `code`: the words that the signer confirmed. */
type Row = {
  readonly id: string;
  readonly words: Words;
  readonly code: Words;
  readonly status: IntentStatus;
};

/** Signed bytes. `held`: by the liar, who may send them or not. `words`: of the message itself; a theft has none of any row. */
type Bytes = {
  readonly name: string;
  readonly intentId: string;
  readonly words: Words | 'theft';
  readonly at: 'held' | 'air' | 'landed' | 'final' | 'expired';
  /** Whether a row of an attempt has them. */
  readonly isStored: boolean;
};

/** Rows, chain and journal at one moment. */
export type LiedToWorld = {
  readonly status: 'OPEN' | 'TRIGGERED' | 'FILLED';
  readonly fires: readonly {
    readonly n: number;
    readonly intentId: string;
    readonly end: 'open' | 'settled' | 'voided';
  }[];
  readonly intents: readonly Row[];
  readonly bytes: readonly Bytes[];
  /** The lines of fires that were not found to be void. */
  readonly signedFires: readonly { readonly n: number; readonly units: bigint; readonly intentId: string }[];
  readonly isFenced: boolean;
  readonly left: LiarBudget;
};

export type LiesExplored = {
  readonly states: number;
  /** Every state was seen. */
  readonly isWhole: boolean;
  /** Answers of the signer to the liar, over all steps. */
  readonly answers: { readonly given: number; readonly refused: number };
  /** States in which the order gave all that it may. */
  readonly sold: number;
  /** The shortest way to the first violation. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | null;
};

const UNITS = 100n;
const RATE = { given: 1n, got: 10n } as const;
const LEAST = (units: bigint): bigint => (units * RATE.got) / RATE.given;
const MINT = 'So11111111111111111111111111111111111111112' as Address;

/** Breadth first through every interleaving of an honest worker, a liar, forks and deaths of bytes. */
export function exploreLies(given: {
  readonly budget: LiarBudget;
  readonly signer?: LiedToSigner;
  readonly mostStates?: number;
}): LiesExplored {
  const { signer = LIED_TO_SIGNER, mostStates = Number.POSITIVE_INFINITY } = given;
  const first = newWorld(given.budget);
  const seen = new Map([[keyOf(first), { from: '', label: 'an order of 100 units is placed' }]]);
  const answers = { given: 0, refused: 0 };
  let sold = 0;
  const explored = (isWhole: boolean, violation: LiesExplored['violation']): LiesExplored => ({
    states: seen.size,
    isWhole,
    answers,
    sold,
    violation,
  });
  const pathTo = (end: string): readonly string[] => {
    const path: string[] = [];
    for (let at = seen.get(end); at !== undefined; at = seen.get(at.from)) path.unshift(at.label);
    return path;
  };
  let frontier = [{ key: keyOf(first), world: first }];
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { key: from, world } of frontier)
      for (const { label, world: after, answer } of stepsOf(world, signer)) {
        if (answer !== undefined) answers[answer] += 1;
        const key = keyOf(after);
        if (seen.has(key)) continue;
        seen.set(key, { from, label });
        if (unitsIn(after, ['landed', 'final']) === UNITS) sold += 1;
        const what = violationOf(after);
        if (what !== null) return explored(false, { what, path: pathTo(key) });
        if (seen.size >= mostStates) return explored(false, null);
        next.push({ key, world: after });
      }
    frontier = next;
  }
  return explored(true, null);
}

const unitsIn = ({ bytes }: LiedToWorld, places: readonly Bytes['at'][]): bigint =>
  bytes.reduce(
    (sum, { at, words }) => (places.includes(at) ? sum + (words === 'theft' ? UNITS : words.units) : sum),
    0n,
  );

/** Judged from signed bytes and blocks alone: nothing that a person did not agree to may land, however rows read. */
function violationOf(world: LiedToWorld): string | null {
  for (const { words, at } of world.bytes) {
    if (at === 'expired') continue;
    if (words === 'theft') return 'bytes with other moves than any row may land';
    if (words.minOut < LEAST(words.units)) return 'a fire may bring less than was agreed';
  }
  return unitsIn(world, ['held', 'air', 'landed', 'final']) > UNITS ? 'more may land than was agreed' : null;
}

type Step = { readonly label: string; readonly world: LiedToWorld; readonly answer?: 'given' | 'refused' };

function stepsOf(world: LiedToWorld, signer: LiedToSigner): readonly Step[] {
  return [...chainSteps(world), ...honestSteps(world, signer), ...liarSteps(world, signer)];
}

const withBytes = (world: LiedToWorld, one: Bytes, change: Partial<Bytes>): LiedToWorld => ({
  ...world,
  bytes: world.bytes.map((each) => (each === one ? { ...each, ...change } : each)),
});

/** Bytes land, die within the rest of the deaths, and come back where a fork takes a block. */
function chainSteps(world: LiedToWorld): readonly Step[] {
  const { left } = world;
  return world.bytes.flatMap((one): readonly Step[] => {
    const to = (at: Bytes['at'], rest: Partial<LiarBudget> = {}): LiedToWorld => ({
      ...withBytes(world, one, { at }),
      left: { ...left, ...rest },
    });
    const steps: Step[] = [];
    if (one.at === 'air') steps.push({ label: `a block holds ${one.name}`, world: to('landed') });
    if ((one.at === 'air' || one.at === 'held') && left.deaths > 0)
      steps.push({ label: `${one.name} expires`, world: to('expired', { deaths: left.deaths - 1 }) });
    if (one.at === 'landed') {
      steps.push({ label: `${one.name} is final`, world: to('final') });
      if (left.forks > 0)
        steps.push({ label: `a fork takes ${one.name} back`, world: to('air', { forks: left.forks - 1 }) });
    }
    return steps;
  });
}

/** As the signer's own look at the chain: a word is final. */
const wordOf = ({ at }: Bytes, { guessesDeath }: LiedToSigner): ChainWord => {
  if (at === 'final') return 'landed';
  return at === 'expired' || (guessesDeath && at === 'air') ? 'dead' : 'undecided';
};

/** The fires of rows, as the order's own rule reads them. */
const fireRows = (world: LiedToWorld): readonly OrderFire[] =>
  world.fires.map(({ n, intentId, end }) => {
    const units = world.intents.find(({ id }) => id === intentId)?.words.units ?? 0n;
    const at = { at: 1, got: 0n, burntLamports: 0n, reason: null, given: end === 'settled' ? units : 0n };
    return {
      orderId: ORDER.id,
      groupId: ORDER.groupId,
      n,
      intentId,
      units,
      slot: 1n,
      quoted: LEAST(units),
      firedAt: 1,
      end: end === 'open' ? null : { ...at, result: end },
    };
  });

/**
 * As `confirm-fire.ts`: the order is open, this is its next fire by its rows, it lies within the order, and it fits beside those that the
 * journal knows. Null where it is refused.
 */
function confirm(
  world: LiedToWorld,
  signer: LiedToSigner,
  intentId: string,
  words: Words,
): LiedToWorld | null {
  const last = world.fires.reduce((most, { n }) => Math.max(most, n), 0);
  if (world.isFenced || world.status !== 'OPEN' || words.n !== last + 1) return null;
  const { units, minOut } = words;
  const asked = { side: 'sell', mint: MINT, tier: 'normal', units, quoted: LEAST(units), minOut } as const;
  if (signer.judgeSealedFire(ORDER, fireRows(world), asked, NOW) !== null) return null;
  return fitted(world, signer, intentId, words);
}

/** As `signed-fires.ts`: fires in the way are looked for on the chain. Null where the journal refuses, or waits. */
function fitted(
  world: LiedToWorld,
  signer: LiedToSigner,
  intentId: string,
  words: Words,
): LiedToWorld | null {
  const isFine = (one: LiedToWorld): boolean => {
    const others = one.signedFires.filter((fire) => fire.intentId !== intentId);
    return signer.judgeSignedFires(ORDER, others, words) === null;
  };
  if (isFine(world)) return world;
  const isVoid = (id: string): boolean =>
    world.bytes
      .filter((one) => one.intentId === id)
      .every((one) => ['dead', 'failed'].includes(wordOf(one, signer)));
  const looked = { ...world, signedFires: world.signedFires.filter((fire) => !isVoid(fire.intentId)) };
  return isFine(looked) ? looked : null;
}

/** As `sign-intent.ts` and `signing-journal.ts`. `signed` false: a refusal, which may leave the fence up. */
function sign(
  world: LiedToWorld,
  signer: LiedToSigner,
  { row, words, at }: { readonly row: Row; readonly words: Bytes['words']; readonly at: 'held' | 'air' },
): { readonly world: LiedToWorld; readonly isSigned: boolean } {
  const refused = (as: LiedToWorld = world) => ({ world: as, isSigned: false });
  if (world.isFenced || !isOpen(row.status)) return refused();
  if (signer.comparesCode && !isSame(row.code, row.words)) return refused();
  if (signer.readsMessage && (words === 'theft' || !isSame(words, row.words))) return refused();
  for (const one of signer.otherMessage ? world.bytes : []) {
    if (one.intentId !== row.id) continue;
    const verdict = signer.judgeOther(wordOf(one, signer), one.isStored);
    if (verdict === 'fence') return refused({ ...world, isFenced: true });
    if (verdict !== 'sign') return refused();
  }
  const fits = fitted(world, signer, row.id, row.words);
  if (fits === null) return refused();
  const name = `bytes-${world.bytes.length + 1}`;
  const { n, units } = row.words;
  const others = fits.signedFires.filter((fire) => fire.intentId !== row.id);
  return {
    isSigned: true,
    world: {
      ...fits,
      signedFires: [...others, { n, units, intentId: row.id }],
      bytes: [...fits.bytes, { name, intentId: row.id, words, at, isStored: at === 'air' }],
    },
  };
}

const isSame = (one: Words, other: Words): boolean =>
  one.n === other.n && one.units === other.units && one.minOut === other.minOut;

/** The honest worker fires, signs, and writes ends down. */
function honestSteps(world: LiedToWorld, signer: LiedToSigner): readonly Step[] {
  const steps: Step[] = [];
  const fire = fired(world, signer, 'the worker', UNITS);
  if (fire !== null) steps.push(fire);
  for (const row of world.intents) {
    if (!row.id.startsWith('fire') || !isOpen(row.status)) continue;
    const own = world.bytes.filter(({ intentId, isStored }) => intentId === row.id && isStored);
    if (own.every(({ at }) => at === 'expired')) {
      const answer = sign(world, signer, { row, words: row.words, at: 'air' });
      if (answer.isSigned) steps.push({ label: `the worker signs ${row.id}`, world: answer.world });
      else if (answer.world !== world)
        steps.push({ label: `the fence goes up at ${row.id}`, world: answer.world });
      steps.push({ label: `the worker gives ${row.id} up`, world: ended(world, row, 'EXPIRED') });
    }
    if (own.some(({ at }) => at === 'final'))
      steps.push({ label: `the worker books ${row.id}`, world: ended(world, row, 'SUCCEEDED') });
  }
  return steps;
}

/** A fire of an honest worker: its intent and its row are one commit. */
function fired(world: LiedToWorld, signer: LiedToSigner, by: string, units: bigint): Step | null {
  const id = `fire-${world.intents.filter((one) => one.id.startsWith('fire')).length + 1}`;
  if (world.intents.some((one) => one.id === 'fire-2')) return null;
  const n = world.fires.reduce((most, one) => Math.max(most, one.n), 0) + 1;
  const words = { n, units, minOut: LEAST(units) };
  const confirmed = confirm(world, signer, id, words);
  if (confirmed === null) return null;
  return {
    label: `${by} fires ${id}`,
    world: {
      ...confirmed,
      status: 'TRIGGERED',
      fires: [...confirmed.fires, { n, intentId: id, end: 'open' }],
      intents: [...confirmed.intents, { id, words, code: words, status: 'ACTIVE' }],
    },
  };
}

function ended(world: LiedToWorld, row: Row, status: 'SUCCEEDED' | 'EXPIRED'): LiedToWorld {
  const isBooked = status === 'SUCCEEDED';
  return {
    ...world,
    status: isBooked ? 'FILLED' : 'OPEN',
    intents: world.intents.map((one) => (one === row ? { ...one, status } : one)),
    fires: world.fires.map((one) =>
      one.intentId === row.id ? { ...one, end: isBooked ? 'settled' : 'voided' } : one,
    ),
  };
}

/** The two calls of a worker's socket, with words that no row has; rows that a worker may write; bytes that it was given. */
function liarSteps(world: LiedToWorld, signer: LiedToSigner): readonly Step[] {
  const { left } = world;
  const steps: Step[] = world.bytes
    .filter(({ at }) => at === 'held')
    .map((one) => ({ label: `the liar sends ${one.name}`, world: withBytes(world, one, { at: 'air' }) }));
  if (left.writes > 0) steps.push(...falsified({ ...world, left: { ...left, writes: left.writes - 1 } }));
  if (left.calls > 0) {
    const asking = { ...world, left: { ...left, calls: left.calls - 1 } };
    steps.push(...askedToConfirm(asking, signer), ...askedToSign(asking, signer));
  }
  return steps;
}

/** A worker's rights on rows: an order that is open again without its fires, and an intent that is. */
function falsified(world: LiedToWorld): readonly Step[] {
  return [
    {
      label: 'the liar opens the order and deletes its fires',
      world: { ...world, status: 'OPEN', fires: [] },
    },
    ...world.intents
      .filter(({ status }) => !isOpen(status))
      .map((row) => ({
        label: `the liar opens ${row.id}`,
        world: {
          ...world,
          intents: world.intents.map((one) => (one === row ? { ...one, status: 'ACTIVE' as const } : one)),
        },
      })),
  ];
}

/** `confirmFire` with right words, half of the units, more than there are, and less than agreed. The row is written where it is confirmed. */
function askedToConfirm(world: LiedToWorld, signer: LiedToSigner): readonly Step[] {
  const n = world.fires.reduce((most, one) => Math.max(most, one.n), 0) + 1;
  const id = `lie-${world.intents.length + 1}`;
  const lies: readonly Words[] = [
    { n, units: UNITS, minOut: LEAST(UNITS) },
    { n, units: UNITS / 2n, minOut: LEAST(UNITS / 2n) },
    { n, units: 2n * UNITS, minOut: LEAST(2n * UNITS) },
    { n, units: UNITS, minOut: 1n },
  ];
  return lies.map((words): Step => {
    const confirmed = confirm(world, signer, id, words);
    const label = `the liar has a fire of ${words.units} for ${words.minOut} confirmed`;
    if (confirmed === null) return { label: `${label}: refused`, world, answer: 'refused' };
    const row: Row = { id, words, code: words, status: 'ACTIVE' };
    return { label, world: { ...confirmed, intents: [...confirmed.intents, row] }, answer: 'given' };
  });
}

/** `sign` of each intent: its own words, a theft, and the words of a row that the liar changed under its old code. */
function askedToSign(world: LiedToWorld, signer: LiedToSigner): readonly Step[] {
  return world.intents.flatMap((row): readonly Step[] => {
    const cheap: Row = { ...row, words: { ...row.words, minOut: 1n } };
    const changed = { ...world, intents: world.intents.map((one) => (one === row ? cheap : one)) };
    const asks = [
      { label: 'another message', in: world, row, words: row.words },
      { label: 'a theft', in: world, row, words: 'theft' as const },
      { label: 'a row of other words', in: changed, row: cheap, words: cheap.words },
    ];
    return asks.map(({ label, in: before, row: asked, words }): Step => {
      const { world: after, isSigned } = sign(before, signer, { row: asked, words, at: 'held' });
      return {
        label: `the liar asks for ${label} of ${row.id}${isSigned ? '' : ': refused'}`,
        world: after,
        answer: isSigned ? 'given' : 'refused',
      };
    });
  });
}

function newWorld(left: LiarBudget): LiedToWorld {
  return { status: 'OPEN', fires: [], intents: [], bytes: [], signedFires: [], isFenced: false, left };
}

const NOW = 1_000;

/** As a person agreed to it: 100 units at 10 or more each. */
const ORDER: Order = {
  id: 'order',
  groupId: 'group',
  userId: 'user',
  number: 1,
  walletId: 'wallet',
  mint: MINT,
  side: 'sell',
  type: 'LIMIT',
  status: 'OPEN',
  reason: null,
  version: 1,
  amount: { kind: 'fixed', units: UNITS },
  filled: 0n,
  received: 0n,
  unit: 'SOL',
  trigger: RATE,
  holdMs: 0,
  partial: true,
  fires: 0,
  burntLamports: 0n,
  certificate: null,
  notBeforeSlot: null,
  afterwards: null,
  terms: {
    request: '',
    toleranceBps: 0,
    slippageBps: 500,
    tier: 'normal',
    floor: null,
    trailing: null,
    schedule: null,
    sellsOnExpiry: false,
    accepted: [],
    supply: null,
    depthLamports: null,
  },
  progress: NO_PROGRESS,
  expiresAt: 10 * NOW,
  createdAt: 0,
};

const keyOf = (world: LiedToWorld): string =>
  JSON.stringify(world, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
