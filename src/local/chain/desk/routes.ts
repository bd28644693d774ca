import { type ChainKey, deriveKey } from '../keys.ts';
import { cosign, type DeskDeps } from './cosign.ts';
import { DeskError } from './desk-error.ts';
import { publicPool } from './pool.ts';

export type DeskAnswer = { readonly status: number; readonly body: unknown };

/** The two HTTP endpoints of the demonstration exchange. */
export interface DeskRoutes {
  pools(): DeskAnswer;
  /** `body` is the JSON text `{ "message": "<base64>" }`. */
  cosign(body: string): DeskAnswer;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function createDeskRoutes(
  chain: Pick<DeskDeps, 'chain' | 'pools'> & { readonly seed: Uint8Array },
): DeskRoutes {
  const keys = new Map<string, ChainKey>();
  const deps: DeskDeps = {
    ...chain,
    keyOf: ({ keyLabel }) => {
      const key = keys.get(keyLabel) ?? deriveKey(chain.seed, keyLabel);
      keys.set(keyLabel, key);
      return key;
    },
  };
  return {
    pools: () => ({ status: 200, body: { demonstration: true, pools: deps.pools.map(publicPool) } }),
    cosign: (body) => {
      try {
        return { status: 200, body: { signatures: cosign(deps, messageOf(body)) } };
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        const { code, message, details } = error;
        return { status: code === 'PRICE_MOVED' ? 409 : 400, body: { error: { code, message, details } } };
      }
    },
  };
}

function messageOf(body: string): Uint8Array {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw new DeskError('MESSAGE_INVALID', 'Expected a JSON body.');
  }
  const message =
    typeof given === 'object' && given !== null && 'message' in given ? given.message : undefined;
  if (typeof message !== 'string' || !BASE64.test(message) || message.length % 4 !== 0) {
    throw new DeskError('MESSAGE_INVALID', 'Expected { "message": "<base64 of the message bytes>" }.');
  }
  return new Uint8Array(Buffer.from(message, 'base64'));
}
