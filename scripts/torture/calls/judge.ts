import type { Moment, OnChain } from './chain-book.ts';

/** A final word of the service about a transaction. */
export type FinalWord = 'finalized' | 'failed' | 'expired';

/** A transaction that a caller signed for a call. */
export type Signing = {
  readonly signature: string;
  /** The last height at which it may land: by the chain, when it was signed. */
  readonly lastHeight: number;
  readonly at: Moment;
};

/** A final word as a caller heard it, in an answer or in an event of a webhook. */
export type Heard = {
  readonly signature: string;
  readonly word: FinalWord;
  readonly at: Moment;
};

/**
 * One piece of work that a caller wants to have done once. `ended` is the caller's own last knowledge: a final word, `refused` where the
 * service never took it, `disputed` where nodes contradict each other, `open` where no word came.
 */
export type Call = {
  readonly n: number;
  readonly kind: string;
  readonly signings: readonly Signing[];
  readonly heard: readonly Heard[];
  readonly ended: FinalWord | 'refused' | 'disputed' | 'open';
  /** The code of the refusal, for the report. */
  readonly why: string | null;
};

export type Event = {
  /** The `webhook-id`. */
  readonly id: string;
  readonly signature: string;
  readonly word: FinalWord;
  /** Its whole body. */
  readonly body: string;
};

export type Problem = {
  readonly rule:
    | 'wrong-word'
    | 'word-before-finality'
    | 'two-words'
    | 'twice'
    | 'built-anew-too-early'
    | 'no-word'
    | 'refused-but-landed'
    | 'stray'
    | 'event-missing'
    | 'event-wrong'
    | 'event-changed';
  readonly detail: string;
};

export type Case = {
  readonly calls: readonly Call[];
  readonly landed: ReadonlyMap<string, OnChain>;
  /** Addresses that only callers sign for. */
  readonly payers: ReadonlySet<string>;
  readonly events: readonly Event[];
  /** Signatures whose final word must have come to a webhook. */
  readonly hooked: ReadonlySet<string>;
  /** Signatures that a node lied about. A dispute is then the right word. */
  readonly liedAbout: ReadonlySet<string>;
};

/**
 * Compares each word with the chain's own blocks. Nothing of the product's tables is asked. Empty when no final word was wrong or early,
 * no call had its effect twice, and none is without its word.
 */
export function judge(of: Case): readonly Problem[] {
  return [
    ...of.calls.flatMap((call) => [
      ...wordsOf(call, of.landed),
      ...effectsOf(call, of.landed),
      ...endOf(call, of),
    ]),
    ...straysOf(of),
    ...eventsOf(of),
  ];
}

/** The only right final word. */
function truthOf(signature: string, landed: Case['landed']): FinalWord {
  const found = landed.get(signature);
  if (found === undefined) return 'expired';
  return found.err === null ? 'finalized' : 'failed';
}

function wordsOf({ n, kind, heard, signings }: Call, landed: Case['landed']): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { signature, word, at } of heard) {
    const truth = truthOf(signature, landed);
    const where = `call ${n} (${kind}) ${signature}`;
    if (word !== truth) problems.push({ rule: 'wrong-word', detail: `${where}: ${word}, in truth ${truth}` });
    const found = landed.get(signature);
    const last = signings.find((one) => one.signature === signature)?.lastHeight ?? 0;
    const isEarly =
      word === 'expired' ? at.finalizedHeight < last : found === undefined || found.slot > at.finalizedSlot;
    if (isEarly)
      problems.push({
        rule: 'word-before-finality',
        detail: `${where}: ${word} at slot ${at.finalizedSlot} of finality, height ${at.finalizedHeight}; it lands in ${found?.slot}, or until height ${last}`,
      });
    const first = heard.find((other) => other.signature === signature);
    if (first !== undefined && first.word !== word)
      problems.push({ rule: 'two-words', detail: `${where}: ${first.word}, later ${word}` });
  }
  return problems;
}

function effectsOf({ n, kind, signings }: Call, landed: Case['landed']): readonly Problem[] {
  const where = `call ${n} (${kind})`;
  const problems: Problem[] = [];
  const done = signings.filter(({ signature }) => landed.get(signature)?.err === null);
  if (done.length > 1)
    problems.push({
      rule: 'twice',
      detail: `${where}: ${done.map(({ signature }) => signature).join(', ')}`,
    });
  for (const [index, { signature, at }] of signings.entries()) {
    const alive = signings.slice(0, index).find((former) => {
      const found = landed.get(former.signature);
      if (found !== undefined) return found.err === null || found.slot > at.finalizedSlot;
      return former.lastHeight > at.finalizedHeight;
    });
    if (alive !== undefined)
      problems.push({
        rule: 'built-anew-too-early',
        detail: `${where}: ${signature} was signed at height ${at.tipHeight}, while ${alive.signature} lived until ${alive.lastHeight}`,
      });
  }
  return problems;
}

function endOf({ n, kind, ended, signings, heard }: Call, { landed, liedAbout }: Case): readonly Problem[] {
  const where = `call ${n} (${kind})`;
  const last = signings.at(-1)?.signature;
  switch (ended) {
    case 'open':
      return [{ rule: 'no-word', detail: `${where}: ${last}` }];
    case 'disputed':
      return last !== undefined && liedAbout.has(last)
        ? []
        : [{ rule: 'no-word', detail: `${where}: disputed, and no node lied about ${last}` }];
    case 'refused':
      return last !== undefined && landed.has(last)
        ? [{ rule: 'refused-but-landed', detail: `${where}: ${last}` }]
        : [];
    case 'finalized':
    case 'failed':
    case 'expired':
      return heard.some(({ signature, word }) => signature === last && word === ended)
        ? []
        : [{ rule: 'no-word', detail: `${where}: ended as ${ended} without a word about ${last}` }];
  }
}

/** Transactions of the callers' own money that no call knows. */
function straysOf({ calls, landed, payers }: Case): readonly Problem[] {
  const known = new Set(calls.flatMap(({ signings }) => signings.map(({ signature }) => signature)));
  return [...landed]
    .filter(([signature, { payer }]) => payers.has(payer) && !known.has(signature))
    .map(([signature]) => ({ rule: 'stray', detail: signature }));
}

function eventsOf({ events, landed, hooked }: Case): readonly Problem[] {
  const problems: Problem[] = [];
  const byId = new Map<string, Event>();
  for (const event of events) {
    const { id, signature, word, body } = event;
    const first = byId.get(id);
    if (first !== undefined && first.body !== body) problems.push({ rule: 'event-changed', detail: id });
    byId.set(id, first ?? event);
    const truth = truthOf(signature, landed);
    if (word !== truth)
      problems.push({ rule: 'event-wrong', detail: `${id}: ${word} of ${signature}, in truth ${truth}` });
  }
  const ids = new Map<string, number>();
  for (const { signature } of byId.values()) ids.set(signature, (ids.get(signature) ?? 0) + 1);
  for (const signature of hooked) {
    const count = ids.get(signature) ?? 0;
    if (count === 0) problems.push({ rule: 'event-missing', detail: signature });
    if (count > 1) problems.push({ rule: 'event-changed', detail: `${signature}: ${count} final events` });
  }
  return problems;
}
