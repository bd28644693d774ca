import type { DeathProbe, SignatureStatus } from '../../../platform/ports/chain.ts';
import type { ChainWitness, WitnessProbe } from '../../../platform/ports/chain-witness.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import {
  type DeathLook,
  type DeathRule,
  deathLook,
  judgeDeath,
  rememberLook,
} from '../../intents/rules/death.ts';
import { unlessUnreachable } from '../../transactions/use/observe-attempt.ts';
import { lookByBlockhash, type TakenAt } from '../rules/blockhash-end.ts';
import type { SignedNote } from '../rules/book.ts';
import type { ChainWord } from '../rules/fence.ts';
import type { JournalLook } from '../rules/record.ts';
import type { TakenBlockhashes } from './taken-blockhashes.ts';

/** Endpoints that are asked in one look, of however many there are. */
const MOST_ASKED = 4;
/** Signatures whose looks are kept between two questions. */
const MOST_KEPT = 1_000;

export type LookAtChain = (
  note: Pick<SignedNote, 'signature' | 'diesAfter' | 'signedSlot' | 'at'>,
) => Promise<{ readonly word: ChainWord; readonly looks: readonly JournalLook[] }>;

/**
 * How a signature ended, by the signer's own question to the nodes. `dead` by the same rule as everywhere. Each look rests on the height
 * that the journal holds, or on the end of the blockhash as that node saw it (`lookByBlockhash`). `landed` and `failed` when two
 * endpoints call it final (the only one, where there is one). `undecided` where no endpoint answers, or they differ.
 */
export function createChainLook(deps: {
  readonly witness: Pick<ChainWitness, 'probe'>;
  readonly clock: Clock;
  readonly taken: Pick<TakenBlockhashes, 'of' | 'forget'>;
  readonly death?: DeathRule | undefined;
}): LookAtChain {
  const kept = new Map<string, readonly DeathLook[]>();
  return async (note) => {
    const taken = deps.taken.of(note.signature);
    const probes = await probesOf(deps, note.signature, taken?.blockhash ?? null);
    const ended = endedBy(probes, deps.clock.now());
    if (ended !== null) return ended;
    const seen = probes.some(({ status }) => status !== null);
    if (seen) return { word: 'undecided', looks: [] };
    const aged = { lastValidBlockHeight: note.diesAfter, signedSlot: note.signedSlot, signedAt: note.at };
    const looks = probes
      .flatMap((probe) => lookOf(aged, probe, taken?.takenAt ?? new Map(), deps.clock.now()) ?? [])
      .reduce<readonly DeathLook[]>(
        (known, look) => rememberLook(aged, known, look),
        kept.get(note.signature) ?? [],
      );
    kept.set(note.signature, looks);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    if (judgeDeath(aged, looks, deps.death) !== 'dead') return { word: 'undecided', looks: [] };
    kept.delete(note.signature);
    deps.taken.forget(note.signature);
    return {
      word: 'dead',
      looks: looks.map(({ endpoint, at, finalizedSlot: slot }) => ({ endpoint, at, slot })),
    };
  };
}

function lookOf(
  aged: Parameters<typeof deathLook>[0],
  probe: WitnessProbe,
  takenAt: TakenAt,
  now: number,
): DeathLook | null {
  return deathLook(aged, probe, now) ?? lookByBlockhash(takenAt, probe, now);
}

/** One look each at the endpoints, different ones. */
async function probesOf(
  { witness, clock }: { readonly witness: Pick<ChainWitness, 'probe'>; readonly clock: Clock },
  signature: string,
  blockhash: string | null,
): Promise<readonly WitnessProbe[]> {
  const probes = new Map<string, WitnessProbe>();
  const firstRound = Math.floor(clock.now() / 1_000);
  let endpoints = 1;
  for (let index = 0; index < endpoints; index += 1) {
    const probe = await unlessUnreachable(() => witness.probe(signature, firstRound + index, blockhash));
    if (probe === null) continue;
    endpoints = Math.min(probe.endpoints, MOST_ASKED);
    probes.set(probe.endpoint, probe);
  }
  return [...probes.values()];
}

/** Null unless enough endpoints call it final and end it alike. */
function endedBy(
  probes: readonly DeathProbe[],
  at: number,
): { readonly word: ChainWord; readonly looks: readonly JournalLook[] } | null {
  const final = probes.flatMap(({ endpoint, status }) =>
    status?.level === 'finalized' ? [{ endpoint, status }] : [],
  );
  const [first] = final;
  if (first === undefined) return null;
  const word = wordOf(first.status);
  const agree = final.every(({ status }) => wordOf(status) === word);
  const wanted = Math.min(2, Math.max(...probes.map(({ endpoints }) => endpoints)));
  if (!agree || final.length < wanted) return { word: 'undecided', looks: [] };
  return { word, looks: final.map(({ endpoint, status }) => ({ endpoint, at, slot: status.slot })) };
}

const wordOf = ({ err }: SignatureStatus): ChainWord => (err === null ? 'landed' : 'failed');
