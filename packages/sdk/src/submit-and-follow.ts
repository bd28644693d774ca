import { toBase64 } from './base64.ts';
import { EndUnknownError, isRefusal } from './errors.ts';
import { type FollowOptions, follow, mayComeLater } from './follow.ts';
import type { Submission } from './generated/operations.ts';
import { backoffMs, pause } from './pause.ts';
import { signatureOf } from './transaction.ts';
import type { Call } from './types.ts';

export type SubmitOptions = FollowOptions & {
  /** Your own name for it, 1 to 64 visible characters. */
  readonly reference?: string | undefined;
  readonly skipSimulation?: boolean | undefined;
  /** A name of `listSenders`, `rpc`, or `auto`, which it is when left out: every sender whose tip the transaction pays, and the nodes. */
  readonly sender?: string | undefined;
  /** True: to a protecting sender alone, whose tip the transaction pays, and never to a node. */
  readonly revertProtection?: boolean | undefined;
  /** Of the answer that built it. Without a key the service takes nothing else. */
  readonly submitToken?: string | null | undefined;
};

const PATIENCE_MS = 300_000;

/**
 * Submits a signed transaction and follows it. The same bytes may be given any number of times, also by another process: they are one
 * transaction. Rejects with RefusalError only where the service never took them, and with EndUnknownError where it may have.
 */
export async function submitAndFollow(
  call: Call,
  transaction: Uint8Array,
  options: SubmitOptions = {},
): Promise<Submission> {
  const signature = signatureOf(transaction);
  const startedAt = performance.now();
  const { patienceMs = PATIENCE_MS } = options;
  await handOver(call, transaction, signature, options);
  const left = Math.max(0, patienceMs - (performance.now() - startedAt));
  try {
    return await follow(call, signature, { ...options, patienceMs: left });
  } catch (error) {
    if (!(error instanceof EndUnknownError)) throw error;
    throw new EndUnknownError(signature, { transaction, last: error.last }, error.cause);
  }
}

/** Resolves once the service has the transaction. */
async function handOver(
  call: Call,
  transaction: Uint8Array,
  signature: string,
  { patienceMs = PATIENCE_MS, signal, submitToken, ...given }: SubmitOptions,
): Promise<void> {
  const startedAt = performance.now();
  const { reference, skipSimulation, sender, revertProtection } = given;
  const input = {
    transaction: toBase64(transaction),
    submitToken: submitToken ?? undefined,
    reference,
    skipSimulation,
    sender,
    revertProtection,
  };
  let lost = false;
  for (let tries = 1; ; tries += 1) {
    try {
      await call('submitTransaction', input, { signal });
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const isClear = isRefusal(error, 'submitTransaction') && !error.afterLostAnswer;
      lost ||= !isClear;
      if (!lost && !mayComeLater(error)) throw error;
      // A try whose answer was lost may have been kept, also where a later one is refused.
      if (lost && (await isKept(call, signature, signal))) return;
      const isOver = performance.now() - startedAt >= patienceMs;
      if (isOver && !lost) throw error;
      if (isOver || !mayComeLater(error))
        throw new EndUnknownError(signature, { transaction, last: null }, error);
      await pause(backoffMs(tries), signal);
    }
  }
}

async function isKept(call: Call, signature: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await call('showTransaction', { signature }, { signal });
    return true;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}
