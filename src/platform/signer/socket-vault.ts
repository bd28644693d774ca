import { connect, type Socket } from 'node:net';
import { AppError } from '../../core/errors/app-error.ts';
import { copyFacts } from '../../modules/copying/rules/copy.ts';
import { guardFacts } from '../../modules/guard/rules/certified-guard.ts';
import { orderFacts } from '../../modules/orders/rules/order-facts.ts';
import { keyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Vault } from '../ports/vault.ts';
import { createFrameReader, frameOf, MOST_FRAME_BYTES } from './frames.ts';
import { fromPlainJson, toPlainJson } from './plain-json.ts';
import { CALLS, type CallName, type OutputOf, PROTOCOL_VERSION, RESPONSE } from './protocol.ts';

/** Longer than a key service's answer or a PIN's hash takes on a busy machine. */
const TIMEOUT_MS = 15_000;

type Pending = {
  readonly call: CallName;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
};

export type SocketVault = {
  readonly vault: Vault;
  /** Waits until the signer takes connections. Throws SIGNER_UNAVAILABLE, or the reason of `stopping` when it is aborted. */
  readonly ready: (patienceMs: number, stopping?: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

/**
 * The signer in another process. Connects at the first call and again after a loss. A call that was under way then, or gets no answer in
 * time, throws SIGNER_UNAVAILABLE. It is never repeated here: the caller knows whether that does no harm.
 */
export function createSocketVault(options: {
  readonly path: string;
  readonly timeoutMs?: number;
}): SocketVault {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const pending = new Map<number, Pending>();
  let open: Promise<Socket> | null = null;
  let next = 0;

  const lost = (cause: string): void => {
    open = null;
    for (const [id, { reject, timer }] of pending) {
      clearTimeout(timer);
      pending.delete(id);
      reject(unavailable(cause));
    }
  };

  const socket = (): Promise<Socket> => {
    open ??= dial(options.path, { received: (body) => receive(pending, body), lost }).catch(
      (error: unknown) => {
        open = null;
        throw error;
      },
    );
    return open;
  };

  const ask = async <N extends CallName>(call: N, input: unknown): Promise<OutputOf<N>> => {
    const body = toPlainJson({ version: PROTOCOL_VERSION, id: next, call, input });
    if (body.length > MOST_FRAME_BYTES) throw unavailable('the request is too large');
    const id = next;
    next += 1;
    const line = await socket();
    return new Promise<OutputOf<N>>((resolve, reject) => {
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(unavailable(`no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      pending.set(id, { call, resolve: (output) => resolve(output as OutputOf<N>), reject, timer });
      line.write(frameOf(body));
    });
  };

  return {
    vault: vaultOver(ask),
    ready: (patienceMs, stopping) => untilConnected(socket, patienceMs, stopping),
    close: () => {
      const line = open;
      lost('this process ends');
      void line?.then(
        (one) => one.destroy(),
        () => undefined,
      );
    },
  };
}

async function untilConnected(
  socket: () => Promise<Socket>,
  patienceMs: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (const endsAt = performance.now() + patienceMs; ; ) {
    try {
      await socket();
      return;
    } catch (error) {
      stopping?.throwIfAborted();
      if (performance.now() > endsAt) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    }
  }
}

function dial(
  path: string,
  on: { readonly received: (body: Buffer) => boolean; readonly lost: (cause: string) => void },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const line = connect(path);
    const reader = createFrameReader();
    line.on('error', (error) => reject(unavailable(`${path} does not answer (${codeOf(error)})`, error)));
    line.once('connect', () => {
      line.on('close', () => on.lost('the connection to the signer was lost'));
      line.on('data', (chunk) => {
        const bodies = reader.push(chunk);
        if (bodies === null || !bodies.every(on.received)) line.destroy();
      });
      resolve(line);
    });
  });
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
  if (!answer.ok) {
    asked.reject(new AppError(answer.code, answer.details ?? {}));
    return true;
  }
  const output = CALLS[asked.call].output.safeParse(answer.output);
  if (output.success) asked.resolve(output.data);
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
    certifyPersonalKey: ({ key, pin }) => ask('certifyPersonalKey', { key: keyFacts(key), pin }),
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function unavailable(cause: string, original?: unknown): AppError<'SIGNER_UNAVAILABLE'> {
  return new AppError('SIGNER_UNAVAILABLE', { cause }, { cause: original });
}
