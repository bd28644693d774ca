import type { Socket } from 'node:net';
import { AppError } from '../../core/errors/app-error.ts';
import { copyFacts } from '../../modules/copying/rules/copy.ts';
import { guardFacts } from '../../modules/guard/rules/certified-guard.ts';
import { orderFacts } from '../../modules/orders/rules/order-facts.ts';
import { keyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import { createFrameReader, frameOf, MOST_FRAME_BYTES } from '../frames.ts';
import { fromPlainJson, toPlainJson } from '../plain-json.ts';
import type { Vault } from '../ports/vault.ts';
import { dialSigner, nameOf, type SignerPlace, unavailable } from './dial.ts';
import {
  ANSWER_WITHIN_MS,
  CALLS,
  type CallName,
  type OutputOf,
  PROTOCOL_VERSION,
  RESPONSE,
} from './protocol.ts';

/** Between two rounds over the places while none of them signs. */
const ROUND_MS = 250;
/** A timer may fire so much before its time. */
const TIMER_MS = 20;

type Answer = { readonly output: unknown } | 'standby';

type Pending = {
  readonly call: CallName;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
};

export type SocketVault = {
  readonly vault: Vault;
  /** Waits until a signer answers. Throws SIGNER_UNAVAILABLE, or the reason of `stopping` when it is aborted. */
  readonly ready: (patienceMs: number, stopping?: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

/**
 * The signer in another process, at the first of `places` that signs. Connects at the first call and again after a loss. A standby says so,
 * and the call goes to the next place. A call that was under way at a loss, or gets no answer in time, throws SIGNER_UNAVAILABLE. It is
 * never repeated here: the caller knows whether that does no harm. A place that said nothing for that long is left for the next one.
 */
export function createSocketVault(options: {
  readonly places: readonly SignerPlace[];
  readonly timeoutMs?: number;
}): SocketVault {
  const { places } = options;
  const timeoutMs = options.timeoutMs ?? ANSWER_WITHIN_MS;
  const lines = createLines(places);
  let next = 0;

  const askOnce = async <N extends CallName>(call: N, input: unknown, mostMs: number): Promise<Answer> => {
    const body = toPlainJson({ version: PROTOCOL_VERSION, id: next, call, input });
    if (body.length > MOST_FRAME_BYTES) throw unavailable('the request is too large');
    const id = next;
    next += 1;
    const open = await lines.open();
    const { line, pending } = open;
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(unavailable(`no answer within ${timeoutMs} ms`));
        if (performance.now() - open.heardAt >= timeoutMs - TIMER_MS) lines.leave(open);
      }, mostMs);
      pending.set(id, { call, resolve, reject, timer });
      line.write(frameOf(body));
    });
  };

  const ask = async <N extends CallName>(call: N, input: unknown): Promise<OutputOf<N>> => {
    for (const endsAt = performance.now() + timeoutMs; ; ) {
      const answer = await askOnce(call, input, Math.max(1, endsAt - performance.now()));
      if (answer !== 'standby') return answer.output as OutputOf<N>;
      if (performance.now() >= endsAt) throw unavailable(`none of ${places.map(nameOf).join(', ')} signs`);
      await lines.moveOn();
    }
  };

  return {
    vault: vaultOver(ask),
    ready: (patienceMs, stopping) =>
      // A port connects before its server has judged this side's certificate.
      untilAnswered(
        places.every((place) => 'path' in place) ? lines.open : () => ask('certificateKey', null),
        patienceMs,
        stopping,
      ),
    close: () => lines.close('this process ends'),
  };
}

/** `heardAt`: by the steady clock, when the last bytes came, or it was made. */
type Line = { readonly line: Socket; readonly pending: Map<number, Pending>; heardAt: number };

/** One connection at a time, at the place that answered last; the next place where it does not. */
function createLines(places: readonly SignerPlace[]) {
  let at = 0;
  let open: Promise<Line> | null = null;
  let current: Line | null = null;
  let waits: Promise<void> | null = null;

  const forget = (): void => {
    open = null;
    current = null;
  };

  const connectAny = async (): Promise<Line> => {
    const made = await connectFrom(places, at, (line) => {
      if (current === line) forget();
    });
    at = made.at;
    current = made.line;
    return current;
  };

  return {
    open: (): Promise<Line> => {
      open ??= connectAny().catch((error: unknown) => {
        forget();
        throw error;
      });
      return open;
    },
    /** Many calls may learn of one standby: the first of them moves. */
    moveOn: (): Promise<void> => {
      waits ??= (async () => {
        const left = current;
        forget();
        at = (at + 1) % places.length;
        left?.line.end();
        await restFor(at === 0 ? ROUND_MS : 0);
        waits = null;
      })();
      return waits;
    },
    /** A machine that is gone without a word ends no connection. Where there is no other place, the line stays. */
    leave: (silent: Line): void => {
      if (current !== silent || places.length < 2) return;
      forget();
      at = (at + 1) % places.length;
      end(silent, 'the signer was silent');
    },
    close: (cause: string): void => {
      const line = open;
      forget();
      void line?.then((one) => end(one, cause)).catch(() => undefined);
    },
  };
}

/** The first place from `first` on that answers, around the list once. Throws the last place's error. */
async function connectFrom(
  places: readonly SignerPlace[],
  first: number,
  lost: (line: Line) => void,
): Promise<{ readonly at: number; readonly line: Line }> {
  let last: unknown;
  for (let tried = 0; tried < places.length; tried += 1) {
    const at = (first + tried) % places.length;
    const place = places[at];
    try {
      if (place !== undefined) return { at, line: await connectTo(place, lost) };
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

async function connectTo(place: SignerPlace, lost: (line: Line) => void): Promise<Line> {
  const made: Line = { line: await dialSigner(place), pending: new Map(), heardAt: performance.now() };
  const reader = createFrameReader();
  made.line.on('close', () => {
    lost(made);
    fail(made.pending, 'the connection to the signer was lost');
  });
  made.line.on('data', (chunk) => {
    made.heardAt = performance.now();
    const bodies = reader.push(chunk);
    if (bodies === null || !bodies.every((body) => receive(made.pending, body))) made.line.destroy();
  });
  return made;
}

function end({ line, pending }: Line, cause: string): void {
  fail(pending, cause);
  line.destroy();
}

const restFor = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function fail(pending: Map<number, Pending>, cause: string): void {
  for (const [id, { reject, timer }] of pending) {
    clearTimeout(timer);
    pending.delete(id);
    reject(unavailable(cause));
  }
}

async function untilAnswered(
  answer: () => Promise<unknown>,
  patienceMs: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (const endsAt = performance.now() + patienceMs; ; ) {
    try {
      await answer();
      return;
    } catch (error) {
      stopping?.throwIfAborted();
      if (performance.now() > endsAt) throw error;
      await restFor(200);
    }
  }
}

/** False for an answer that no signer gives. One whose caller is gone is passed over. */
function receive(pending: Map<number, Pending>, body: Buffer): boolean {
  let parsed: ReturnType<typeof RESPONSE.safeParse>;
  try {
    parsed = RESPONSE.safeParse(fromPlainJson(body));
  } catch {
    return false;
  }
  if (!parsed.success) return false;
  const answer = parsed.data;
  const asked = pending.get(answer.id);
  if (asked === undefined) return true;
  pending.delete(answer.id);
  clearTimeout(asked.timer);
  if ('standby' in answer) {
    asked.resolve('standby');
    return true;
  }
  if (!answer.ok) {
    asked.reject(new AppError(answer.code, answer.details ?? {}));
    return true;
  }
  const output = CALLS[asked.call].output.safeParse(answer.output);
  if (output.success) asked.resolve({ output: output.data });
  else asked.reject(unavailable('an answer that no signer gives'));
  return output.success;
}

type Ask = <N extends CallName>(call: N, input: unknown) => Promise<OutputOf<N>>;

function vaultOver(ask: Ask): Vault {
  return {
    openPerson: ({ telegramId, inviterId }) => ask('openPerson', { telegramId, inviterId }),
    certificateKey: () => ask('certificateKey', null),
    create: (input) => ask('create', input),
    adopt: (input) => ask('adopt', input),
    askExport: ({ userId, walletId, pin }) => ask('askExport', { userId, walletId, pin }),
    takeExport: (input) => ask('takeExport', input),
    stopExport: ({ userId }) => ask('stopExport', { userId }),
    confirm: (request, pin) => ask('confirm', { request, pin }),
    certifyReceiving: ({ userId, walletId, act, pin }) =>
      ask('certifyReceiving', { userId, walletId, act, pin }),
    certifyGuard: ({ guard, transactionId }) =>
      ask('certifyGuard', { guard: guardFacts(guard), transactionId }),
    certifyStop: ({ guard, transactionId }) =>
      ask('certifyStop', { guard: guardFacts(guard), transactionId }),
    certifyAddress: ({ id, userId, walletId, address, addedAt }) =>
      ask('certifyAddress', { id, userId, walletId, address, addedAt }),
    certifyOrders: ({ userId, orders }) => ask('certifyOrders', { userId, orders: orders.map(orderFacts) }),
    confirmFire: ({ id, idemKey, userId, walletId, params }) =>
      ask('confirmFire', { id, idemKey, userId, walletId, params }),
    mandateCopy: ({ copy, pin }) => ask('mandateCopy', { copy: copyFacts(copy), pin }),
    confirmCopy: ({ request: { id, idemKey, userId, walletId, params }, orders }) =>
      ask('confirmCopy', {
        request: { id, idemKey, userId, walletId, params },
        orders: orders.map(orderFacts),
      }),
    confirmKeyed: ({ request: { id, idemKey, userId, walletId, params }, signed }) => {
      const { signatureInput, signature, body } = signed;
      const request = { id, idemKey, userId, walletId, params };
      return ask('confirmKeyed', { request, signed: { signatureInput, signature, body } });
    },
    certifyKeyedOrder: ({ order, signed: { signatureInput, signature, body } }) =>
      ask('certifyKeyedOrder', { order: orderFacts(order), signed: { signatureInput, signature, body } }),
    certifyPersonalKey: ({ key, pin }) => ask('certifyPersonalKey', { key: keyFacts(key), pin }),
    endPersonalKey: async ({ userId, keyId }) => void (await ask('endPersonalKey', { userId, keyId })),
    sign: (request) => ask('sign', request),
    verifyPin: async ({ userId, pin }) => void (await ask('verifyPin', { userId, pin })),
    draft: (input) => ask('draft', input),
    isDrafted: (input) => ask('isDrafted', input),
    pinOfDraft: (input) => ask('pinOfDraft', input),
    createSecondFactor: (input) => ask('createSecondFactor', input),
    showSecondFactor: (input) => ask('showSecondFactor', input),
    confirmSecondFactor: ({ userId, code }) => ask('confirmSecondFactor', { userId, code }),
    gameSeed: ({ id, table }) => ask('gameSeed', { id, table }),
  };
}
