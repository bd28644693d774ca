import { isAppError } from '../../../core/errors/app-error.ts';
import type { Chain, SignatureStatus } from '../../../platform/ports/chain.ts';

const MAX_PER_CALL = 256;

type Waiting = {
  readonly signature: string;
  readonly resolve: (status: SignatureStatus | null) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * One question for many intents: while a status call is under way, further ones gather and go out together as the next.
 * A lone caller never waits for company.
 */
export function batchStatuses(
  chain: Pick<Chain, 'statuses'>,
): (signature: string) => Promise<SignatureStatus | null> {
  let waiting: Waiting[] = [];
  let busy = false;

  async function flush(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_PER_CALL);
      waiting = waiting.slice(MAX_PER_CALL);
      try {
        const statuses = await chain.statuses(batch.map((item) => item.signature));
        batch.forEach((item, index) => {
          item.resolve(statuses[index] ?? null);
        });
      } catch (error) {
        // An outage fails all of them; any other failure may be one bad row's, which must not hold up the others.
        if (batch.length === 1 || isAppError(error)) for (const item of batch) item.reject(error);
        else await Promise.all(batch.map(alone));
      }
    }
    busy = false;
  }

  async function alone(item: Waiting): Promise<void> {
    try {
      const [status] = await chain.statuses([item.signature]);
      item.resolve(status ?? null);
    } catch (error) {
      item.reject(error);
    }
  }

  return (signature) =>
    new Promise((resolve, reject) => {
      waiting.push({ signature, resolve, reject });
      // `flush` settles every waiter itself and never rejects.
      if (!busy) void flush();
    });
}
