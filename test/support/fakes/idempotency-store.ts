import type {
  IdempotencyStore,
  IdempotentRequest,
} from '../../../src/modules/keys/store/idempotency-store-port.ts';

type Row = { requestHash: string; owner: string; answer: string | null; expiresAt: number };

/** Kept answers in memory. */
export function fakeIdempotencyStore(): IdempotencyStore {
  const rows = new Map<string, Row>();
  const id = ({ scope, key }: IdempotentRequest) => `${scope} ${key}`;
  const running = (request: IdempotentRequest): Row | null => {
    const row = rows.get(id(request));
    return row !== undefined && row.owner === request.owner && row.answer === null ? row : null;
  };
  return {
    start: async (request, { now, leaseUntil }) => {
      const row = rows.get(id(request));
      if (row === undefined || row.expiresAt <= now) {
        const { requestHash, owner } = request;
        rows.set(id(request), { requestHash, owner, answer: null, expiresAt: leaseUntil });
        return { kind: 'started' };
      }
      if (row.requestHash !== request.requestHash) return { kind: 'conflict' };
      return row.answer === null ? { kind: 'running' } : { kind: 'answered', answer: row.answer };
    },
    finish: async (request, answer, expiresAt) => {
      const row = running(request);
      if (row !== null) Object.assign(row, { answer, expiresAt });
    },
    abandon: async (request) => {
      if (running(request) !== null) rows.delete(id(request));
    },
  };
}
