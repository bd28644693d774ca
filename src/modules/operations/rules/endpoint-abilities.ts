import type { Finding } from './check-up.ts';

/** A node's answer to one question: its result, its refusal in JSON-RPC, or silence. */
export type Reply =
  | { readonly kind: 'result'; readonly result: unknown; readonly ms: number }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  | { readonly kind: 'failed'; readonly why: string };

/** The answers of one endpoint to everything that the service may ask of it. */
export type EndpointReplies = {
  readonly host: string;
  readonly genesis: Reply;
  readonly version: Reply;
  /** Seconds of Unix time by the chain's clock account; null where it could not be read. */
  readonly chainSeconds: number | null;
  readonly programScan: Reply;
  readonly mintScan: Reply;
  readonly largest: Reply;
  /** Result: the slots that its history reaches back. */
  readonly history: Reply;
  readonly addressHistory: Reply;
  /** A block, asked for with version 1. */
  readonly versionOne: Reply;
  /** Whether the network has transactions of version 1; null where that could not be read. */
  readonly networkHasVersionOne: boolean | null;
  readonly fees: Reply;
  readonly assets: Reply;
  /** Result: whether slots come with their parents. */
  readonly socket: Reply;
};

type Judged = Omit<Finding, 'part'>;

/** A mint that does not exist, or a list that is empty, is an answer: the method is served. */
const SERVED_CODES: readonly number[] = [-32_602, -32_000];
const OLD_S = 10;
/** A signature is proved dead within this many blocks, and half of it again for a worker that was away. */
const LEAST_HISTORY_SLOTS = 450;
const OTHER_NODE = 'name another address in SOLANA_RPC_URL';

const serves = (reply: Reply): boolean =>
  reply.kind === 'result' || (reply.kind === 'refused' && SERVED_CODES.includes(reply.code));

function reasonOf(reply: Reply): string {
  if (reply.kind === 'refused') return `refused: ${reply.code} ${reply.message.slice(0, 100)}`;
  return reply.kind === 'failed' ? reply.why : 'served';
}

/** An ability that something goes without: `warn` where the service has another way, `bad` where it has none. */
function ability(
  reply: Reply,
  without: { readonly state: 'warn' | 'bad'; readonly why: string; readonly mend: string },
): Judged {
  const { state, why, mend } = without;
  if (!serves(reply)) return { state, fact: reasonOf(reply), why, mend };
  const took = reply.kind === 'result' ? `served in ${reply.ms} ms` : 'served';
  return { state: 'ok', fact: took, why, mend: '' };
}

function judgeAge({ chainSeconds }: EndpointReplies, nowSeconds: number): Judged {
  const why = 'prices and balances are of the past, and trades are refused';
  if (chainSeconds === null)
    return { state: 'bad', fact: 'the clock account could not be read', why, mend: OTHER_NODE };
  const age = nowSeconds - chainSeconds;
  // The chain's clock is an estimate of its validators: seconds apart are ordinary.
  const fact = `its newest block is ${Math.max(0, Math.round(age))} s old by this machine's clock`;
  if (Math.abs(age) <= OLD_S) return { state: 'ok', fact, why, mend: '' };
  return {
    state: 'bad',
    fact,
    why,
    mend: `look at this machine's clock first; if it is right: ${OTHER_NODE}`,
  };
}

function judgeHistory({ history }: EndpointReplies): Judged {
  const why = 'what became of a payment cannot be proved, and its money waits for an operator';
  if (history.kind !== 'result') return { state: 'bad', fact: reasonOf(history), why, mend: OTHER_NODE };
  const slots = Number(history.result);
  const fact = `it reaches back ${slots} slots`;
  if (slots >= LEAST_HISTORY_SLOTS) return { state: 'ok', fact, why, mend: '' };
  return { state: 'warn', fact, why, mend: `it is new, or keeps too little: ${OTHER_NODE}` };
}

function judgeVersions({ versionOne, networkHasVersionOne }: EndpointReplies): Judged {
  const network =
    networkHasVersionOne === null
      ? ''
      : `; the network ${networkHasVersionOne ? 'has' : 'does not have'} them`;
  const judged = ability(versionOne, {
    state: networkHasVersionOne === true ? 'bad' : 'warn',
    why: 'deposits and trades of version 1 are not seen',
    mend: 'update that node to Agave 4 or later, or name another address in SOLANA_RPC_URL',
  });
  return { ...judged, fact: `${judged.fact}${network}` };
}

/** Each ability of one endpoint with the effect on the service when it is missing. `nowSeconds`: Unix time of this machine. */
export function judgeEndpoint(replies: EndpointReplies, nowSeconds: number): readonly Finding[] {
  const { host } = replies;
  const named = (part: string, judged: Judged): Finding => ({ part: `${host} ${part}`, ...judged });
  return [
    named(
      'network',
      ability(replies.genesis, {
        state: 'bad',
        why: 'it does not name its network, so nothing that it says counts',
        mend: OTHER_NODE,
      }),
    ),
    named('age', judgeAge(replies, nowSeconds)),
    named('history', judgeHistory(replies)),
    named(
      'histories of addresses',
      ability(replies.addressHistory, {
        state: 'bad',
        why: 'deposits are not seen, and the trades of a market are not read',
        mend: OTHER_NODE,
      }),
    ),
    named('version 1', judgeVersions(replies)),
    named(
      'lists of programs',
      ability(replies.programScan, {
        state: 'warn',
        why: 'pools at random addresses (AMM v4, OpenBook) are found by no one; all other pools are derived',
        mend: 'name one node that lists beside this one, if people ask for such tokens',
      }),
    ),
    named(
      'lists of a mint',
      ability(replies.mintScan, {
        state: 'warn',
        why: 'a token card shows no number of holders',
        mend: 'name one node that lists beside this one, or leave HOLDER_COUNTS off',
      }),
    ),
    named(
      'largest holders',
      ability(replies.largest, {
        state: 'warn',
        why: 'a token card does not say what the ten largest holders hold',
        mend: 'name one node beside this one that serves getTokenLargestAccounts',
      }),
    ),
    named(
      'recent fees',
      ability(replies.fees, {
        state: 'warn',
        why: 'each trade pays the least fee of its speed, also while the network is crowded',
        mend: OTHER_NODE,
      }),
    ),
    named(
      'web socket',
      ability(replies.socket, {
        state: 'warn',
        why: 'news comes by polling: seconds later, and with many more calls',
        mend: 'set SOLANA_WS_URL to the address that the provider names',
      }),
    ),
    named(
      'assets (DAS)',
      serves(replies.assets)
        ? ability(replies.assets, { state: 'warn', why: '', mend: '' })
        : { state: 'ok', fact: 'not served; nothing here needs it', why: '', mend: '' },
    ),
  ];
}
