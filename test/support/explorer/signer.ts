import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import {
  type ChainWord,
  judgeBooks,
  judgeOrphan,
  judgeOther,
  ORPHAN_AFTER_MS,
} from '../../../src/engine/signing/rules/fence.ts';
import { bytesOf, type Engine, type Rows, type SignerNote, type SignerWorld, type World } from './world.ts';

/** As many commits as a replica may lack. */
const MOST_LOST = 3;

export const NEW_SIGNER: SignerWorld = {
  notes: [],
  storedLines: [],
  isFenced: false,
  past: [],
  wentBack: false,
};

const rowsOf = ({ row, captured, voided }: World): Rows => ({ row, captured, voided });

/** The world after a commit, with the rows of before it remembered: a replica may know no more than those. */
export function committedOver(before: World, after: World): World {
  if (after.signer === undefined) return after;
  const past = [rowsOf(before), ...after.signer.past].slice(0, MOST_LOST);
  return { ...after, signer: { ...after.signer, past } };
}

/** Every way in which the database may forget its last commits, or the signer its journal. Chain, workers and beliefs stay. */
export function losses(world: World): readonly { readonly label: string; readonly world: World }[] {
  const { signer, left } = world;
  if (signer === undefined) return [];
  const back =
    left.rollbacks === undefined || left.rollbacks === 0
      ? []
      : signer.past.map((rows, index) => ({
          label: `the database forgets its last ${index + 1} commits`,
          world: {
            ...world,
            ...rows,
            left: { ...left, rollbacks: (left.rollbacks ?? 0) - 1 },
            signer: { ...signer, past: signer.past.slice(index + 1), wentBack: true },
          },
        }));
  const lost =
    left.losses === undefined || left.losses === 0 || signer.notes.length === 0
      ? []
      : [
          {
            label: 'the signer loses its journal',
            world: {
              ...world,
              left: { ...left, losses: left.losses - 1 },
              signer: { ...signer, notes: [], storedLines: [], isFenced: false },
            },
          },
        ];
  return [...back, ...lost];
}

/** One beat: stored attempts are noted, orphans are searched, and the fence goes up where the database is older. */
export function beats(
  world: World,
  engine: Engine,
): readonly { readonly label: string; readonly world: World }[] {
  if (world.signer === undefined || world.signer.isFenced) return [];
  const compared = compare(world, engine);
  const after = judgeMissing(compared, engine);
  const forgotten = forgetMemory(world);
  return [
    ...(after.signer === world.signer ? [] : [{ label: 'the signer compares its journal', world: after }]),
    ...(forgotten === null ? [] : [{ label: 'the signer is started again', world: forgotten }]),
  ];
}

/** Attempts that it would hand back are in its memory alone. */
function forgetMemory(world: World): World | null {
  const { signer } = world;
  if (signer === undefined || !signer.notes.some(({ attempt }) => attempt !== null)) return null;
  const notes = signer.notes.map((note) => ({ ...note, attempt: null }));
  return { ...world, signer: { ...signer, notes } };
}

function compare(world: World, { fence }: Engine): World {
  const { signer, row } = world;
  if (signer === undefined || signer.isFenced) return world;
  const verdict = judgeBooks(...judged(world), world.now, fence);
  if (verdict.kind === 'fence') return { ...world, signer: { ...signer, isFenced: true } };
  if (verdict.stored.length === 0) return world;
  const stored = new Set(verdict.stored);
  const notes = signer.notes.map((note) =>
    stored.has(note.signature) ? { ...note, isStored: true, attempt: null } : note,
  );
  const storedLines = [...signer.storedLines.slice(-1), verdict.stored];
  return { ...world, row, signer: { ...signer, notes, storedLines } };
}

/** The journal and the rows as the rule compares them. */
function judged({
  signer = NEW_SIGNER,
  row,
}: World): [Parameters<typeof judgeBooks>[0], Parameters<typeof judgeBooks>[1]] {
  const named = (signature: string) => ({ signature, intentId: row.intent.id, at: 0 });
  return [
    {
      open: signer.notes.filter(({ isStored, end }) => !isStored && end === null),
      newestStored: signer.storedLines.flat().map(named),
    },
    {
      intents: new Set([row.intent.id]),
      signatures: new Set(row.attempts.map(({ signature }) => signature)),
    },
  ];
}

function judgeMissing(world: World, { fence }: Engine): World {
  const { signer } = world;
  if (signer === undefined || signer.isFenced) return world;
  const verdict = judgeBooks(...judged(world), world.now + ORPHAN_AFTER_MS, fence);
  if (verdict.kind === 'fence') return world;
  let { notes } = signer;
  for (const signature of verdict.orphans) {
    const word = judgeOrphan(wordOf(world, signature));
    if (word === 'fence') return { ...world, signer: { ...signer, isFenced: true } };
    if (word === 'ended')
      notes = notes.map((note) =>
        note.signature === signature ? { ...note, end: 'dead' as const, attempt: null } : note,
      );
  }
  return notes === signer.notes ? world : { ...world, signer: { ...signer, notes } };
}

function wordOf(world: World, signature: string): ChainWord {
  const bytes = bytesOf(world, signature);
  if (bytes === undefined) return 'undecided';
  if (bytes.fate !== null && bytes.isFinal) return bytes.fate === 'ok' ? 'landed' : 'failed';
  return bytes.fate === null && bytes.isExpired ? 'dead' : 'undecided';
}

/** What the signer answers: the signature, an attempt that it hands back, or nothing. */
export type Answer = {
  readonly world: World;
  readonly kind: 'signed' | 'handed-back' | 'refused';
  readonly attempt: Attempt | null;
};

/** As `signing-journal.ts`: compared first, then every other message of the intent, then the line, then the signature. */
export function sign(asked: World, engine: Engine, attempt: Attempt): Answer {
  const world = compare(asked, engine);
  const refused = (as: World): Answer => ({ world: as, kind: 'refused', attempt: null });
  const { signer } = world;
  if (signer === undefined) return { world, kind: 'signed', attempt };
  if (signer.isFenced || !isOpen(world.row.intent.status)) return refused(world);
  let { notes } = signer;
  const known = new Set(world.row.attempts.map(({ signature }) => signature));
  for (const note of engine.fence.otherMessage ? signer.notes : []) {
    if (note.end === 'dead' || note.end === 'failed') continue;
    const word = note.end ?? wordOf(world, note.signature);
    if (word !== 'undecided') notes = notes.map((one) => (one === note ? { ...note, end: word } : one));
    const as = { ...world, signer: { ...signer, notes } };
    switch (judgeOther(word, known.has(note.signature))) {
      case 'sign':
        continue;
      case 'refuse':
        return refused(as);
      case 'fence':
        return refused({ ...as, signer: { ...as.signer, isFenced: true } });
      case 'wait':
        return note.attempt?.n === attempt.n && !known.has(note.signature)
          ? { world: as, kind: 'handed-back', attempt: note.attempt }
          : refused(as);
    }
  }
  const note: SignerNote = {
    signature: attempt.signature,
    intentId: attempt.intentId,
    at: world.now,
    isStored: false,
    end: null,
    attempt,
  };
  return { world: { ...world, signer: { ...signer, notes: [...notes, note] } }, kind: 'signed', attempt };
}

/** Whether the fence is up, or goes up as soon as it is known what became of a signature that the database does not know. */
export function isOrWillBeFenced(world: World, { fence }: Engine): boolean {
  const { signer } = world;
  if (signer === undefined) return false;
  if (signer.isFenced) return true;
  const verdict = judgeBooks(...judged(world), world.now + ORPHAN_AFTER_MS, fence);
  if (verdict.kind === 'fence') return true;
  return verdict.orphans.some((signature) => {
    const bytes = bytesOf(world, signature);
    return bytes !== undefined && (bytes.fate !== null || !bytes.isExpired);
  });
}
